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
    AND ($subject = '' OR study.subject = $subject)
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

-- name: staged_tasks
-- The tasks of one study that reached a stage of the funnel; one page of them.
SELECT
    study.name AS study,
    '' AS model,
    task_state.task_id,
    left(task_state.text, $longest) AS text,
    task_state.intent,
    task_state.type,
    task_state.reason,
    task_state.state,
    task_state.state AS outcome,
    NULL AS label,
    NULL AS label_reason,
    count(*) OVER () AS n_matching
FROM task_state
JOIN study ON study.study_id = task_state.study_id
LEFT JOIN (
    SELECT task_id, arg_max(codes, checks_version) AS codes
    FROM task_check
    WHERE study_id = $study_id
    GROUP BY task_id
) AS newest_check ON newest_check.task_id = task_state.task_id
LEFT JOIN (
    SELECT drawn_task.task_id
    FROM current_draw
    JOIN drawn_task ON drawn_task.draw_id = current_draw.draw_id
    WHERE current_draw.study_id = $study_id
) AS drawn ON drawn.task_id = task_state.task_id
LEFT JOIN (
    SELECT DISTINCT task_id
    FROM item_now
    WHERE study_id = $study_id AND draw_id IS NOT NULL AND outcome = 'ok' AND model = $part
) AS answered ON answered.task_id = task_state.task_id
WHERE task_state.study_id = $study_id
    AND CASE $stage
        WHEN 'tasks' THEN true
        WHEN 'flagged' THEN
            newest_check.codes <> ''
            AND ($part = '' OR list_contains(string_split(newest_check.codes, ','), $part))
        WHEN 'unchecked' THEN newest_check.codes IS NULL
        WHEN 'decided' THEN task_state.state IN ('kept', 'removed', 'disputed')
        WHEN 'removed' THEN
            task_state.state = 'removed' AND ($part = '' OR task_state.removal_reason = $part)
        WHEN 'begun' THEN task_state.state = 'pending' AND task_state.review_id IS NOT NULL
        WHEN 'untouched' THEN task_state.state = 'pending' AND task_state.review_id IS NULL
        WHEN 'drawn' THEN drawn.task_id IS NOT NULL
        WHEN 'drawn_removed' THEN drawn.task_id IS NOT NULL AND task_state.state = 'removed'
        WHEN 'classified' THEN answered.task_id IS NOT NULL
        WHEN 'classified_removed' THEN
            answered.task_id IS NOT NULL AND task_state.state = 'removed'
        ELSE task_state.state = $stage
    END
ORDER BY task_state.position, task_state.task_id
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
