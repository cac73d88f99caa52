-- name: classified_tasks
-- The drawn tasks of some studies with what was answered, filtered; one page of them.
SELECT
    study.name AS study,
    item.model,
    task_state.task_id,
    left(task_state.text, $longest) AS text,
    task_state.intent,
    task_state.type,
    task_state.reason,
    task_state.state,
    coalesce(item.outcome, 'pending') AS outcome,
    label.label,
    label.reason AS label_reason,
    count(*) OVER () AS n_matching
FROM item_now AS item
JOIN study ON study.study_id = item.study_id
JOIN task_state ON task_state.task_id = item.task_id
LEFT JOIN label_now AS label
    ON label.study_id = item.study_id
    AND label.step = item.step
    AND label.item_id = item.item_id
WHERE list_contains($study_ids, item.study_id)
    AND item.draw_id IS NOT NULL
    AND ($with_removed OR task_state.state <> 'removed')
    AND ($of_study = '' OR study.name = $of_study)
    AND ($model = '' OR item.model = $model)
    AND ($intent = '' OR task_state.intent = $intent)
    AND ($type = '' OR task_state.type = $type)
    AND ($reason = '' OR task_state.reason = $reason)
    AND ($label = '' OR label.label = $label)
    AND (len($label_reasons) = 0 OR list_contains($label_reasons, label.reason))
    AND (
        $agrees = ''
        OR $agrees = CASE
            WHEN label.label IS NULL THEN ''
            WHEN task_state.intent <> label.label THEN 'no'
            WHEN label.label = 'feasible' OR task_state.reason = label.reason THEN 'yes'
            ELSE 'no'
        END
    )
ORDER BY study.name, item.model, item.position, item.item_id
LIMIT $n OFFSET $first;

-- name: answers_to_task
-- What models and people answered to one task, every reading of it, the newest last.
SELECT label.model, label.label, label.reason, label.answer, label.note, label.labelled_at,
    call.outcome, call.text AS reply, call.latency_s, call.cost_usd, call.model_answered
FROM label
LEFT JOIN call ON call.call_id = label.call_id
WHERE label.study_id = $study_id AND label.task_id = $task_id AND label.step = $step
ORDER BY label.seq;

-- name: unread_answers_to_task
-- The last calls about one task that left nothing that could be read.
SELECT call.model_asked AS model, call.outcome, call.text AS reply, call.error, call.latency_s,
    call.sent_at
FROM planned
JOIN call ON call.study_id = planned.study_id AND call.step = planned.step
    AND call.item_id = planned.item_id
WHERE planned.study_id = $study_id AND planned.task_id = $task_id AND planned.step = $step
    AND call.final AND call.outcome <> 'ok'
ORDER BY call.seq;
