-- name: classified_tasks
-- The classified tasks of some studies, filtered; one page of them. The type of a classification is
-- that of its reason, by the two lists of the studies' taxonomy, else the one it names itself.
WITH classified AS (
    SELECT
        study.name AS study,
        study.subject,
        item.model,
        item.position,
        item.item_id,
        task_state.task_id,
        task_state.text,
        task_state.intent,
        coalesce(task_state.type, $nothing) AS type,
        coalesce(task_state.reason, $nothing) AS reason,
        task_state.state,
        label.label,
        coalesce(label.reason, $nothing) AS label_reason,
        coalesce(
            list_extract($types, nullif(list_position($reasons, label.reason), 0)),
            label.type,
            $nothing
        ) AS label_type
    FROM current_item AS item
    JOIN study ON study.study_id = item.study_id
    JOIN task_state ON task_state.task_id = item.task_id
    JOIN label_now AS label
        ON label.study_id = item.study_id
        AND label.step = item.step
        AND label.item_id = item.item_id
    WHERE list_contains($study_ids, item.study_id)
        AND item.draw_id IS NOT NULL
        AND task_state.state <> 'removed'
)
SELECT study, model, task_id, item_id, left(text, $longest) AS text, intent, type,
    nullif(reason, $nothing) AS reason, state, label, nullif(label_reason, $nothing) AS label_reason,
    count(*) OVER () AS n_matching
FROM classified
WHERE ($of_study = '' OR study = $of_study)
    AND ($subject = '' OR subject = $subject)
    AND (len($models) = 0 OR list_contains($models, model))
    AND ($intent = '' OR intent = $intent)
    AND ($type = '' OR type = $type)
    AND ($reason = '' OR reason = $reason)
    AND ($label = '' OR label = $label)
    AND ($label_type = '' OR label_type = $label_type)
    AND ($label_reason = '' OR label_reason = $label_reason)
ORDER BY study, model, position, item_id
LIMIT $n OFFSET $first;

-- name: staged_tasks
-- The tasks of one study that reached a stage of the funnel; one page of them.
SELECT
    study.name AS study,
    '' AS model,
    task_state.task_id,
    NULL AS item_id,
    left(task_state.text, $longest) AS text,
    task_state.intent,
    task_state.type,
    task_state.reason,
    task_state.state,
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
    WHERE study_id = $study_id AND step = $measured AND outcome = 'ok' AND model = $part
) AS answered ON answered.task_id = task_state.task_id
LEFT JOIN (
    SELECT DISTINCT answer.task_id
    FROM judged_answer
    JOIN answered_now AS answer
        ON answer.study_id = judged_answer.study_id
        AND answer.item_id = judged_answer.answer_item
    WHERE judged_answer.study_id = $study_id
        AND judged_answer.judge = $part
        AND judged_answer.verdict <> 'invalid'
) AS judged ON judged.task_id = task_state.task_id
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
        WHEN 'answered' THEN answered.task_id IS NOT NULL
        WHEN 'classified_removed' THEN
            answered.task_id IS NOT NULL AND task_state.state = 'removed'
        WHEN 'answered_removed' THEN
            answered.task_id IS NOT NULL AND task_state.state = 'removed'
        WHEN 'judged' THEN judged.task_id IS NOT NULL
        WHEN 'judged_removed' THEN judged.task_id IS NOT NULL AND task_state.state = 'removed'
        ELSE task_state.state = $stage
    END
ORDER BY task_state.position, task_state.task_id
LIMIT $n OFFSET $first;

-- name: references_of_task
-- The reference answers of a task, as a JSON list; NULL for what is no question.
SELECT references_json FROM task WHERE task_id = $task_id;

-- name: answers_to_task
-- What models and people answered to one task, every reading of it, the newest last; action tells
-- what a person did where they gave no answer, by_model whose program a sandbox ran.
SELECT label.model, label.action, label.label, label.reason, label.answer, label.value,
    label.labelled_at, coalesce(call.latency_s, label.seconds_active) AS seconds,
    program.model AS by_model
FROM label
LEFT JOIN call ON call.call_id = label.call_id
LEFT JOIN (
    SELECT item_id, json_extract_string(context_json, '$.answer_of') AS answer_of
    FROM planned
    WHERE study_id = $study_id AND step = $step AND task_id = $task_id
) AS item ON item.item_id = label.item_id
LEFT JOIN (
    SELECT item_id, any_value(model) AS model
    FROM planned
    WHERE study_id = $study_id AND task_id = $task_id
    GROUP BY item_id
) AS program ON program.item_id = item.answer_of
WHERE label.study_id = $study_id AND label.task_id = $task_id AND label.step = $step
ORDER BY label.seq;

-- name: unread_answers_to_task
-- The final calls about one task that left nothing that could be read.
SELECT call.model_asked AS model, call.outcome, coalesce(call.text, call.error) AS reply
FROM call
WHERE call.study_id = $study_id AND call.step = $step AND call.final AND call.outcome <> 'ok'
    AND call.item_id IN (
        SELECT item_id
        FROM planned
        WHERE study_id = $study_id AND step = $step AND task_id = $task_id
    )
ORDER BY call.seq;
