-- name: screening_verdicts
-- What judges said of the tasks of a study, of some or of all where none is named, by the order in
-- which it was said.
SELECT
    label.item_id,
    label.task_id,
    label.model,
    prompt.version,
    label.label,
    label.reason,
    label.answer AS why,
    label.labelled_at AS decided_at
FROM label
JOIN planned
    ON planned.study_id = label.study_id
    AND planned.step = label.step
    AND planned.item_id = label.item_id
JOIN prompt ON prompt.prompt_hash = planned.prompt_hash
WHERE label.study_id = $study_id
    AND label.step = $step
    AND ($task_ids IS NULL OR list_contains($task_ids, label.task_id))
ORDER BY label.seq;

-- name: unplanned_screening
-- Tasks that nobody removed and about which a judge's prompt has not been planned to be asked.
SELECT NULL AS draw_id, task_id, position, intent, type, reason
FROM task_state
WHERE study_id = $study_id
    AND state <> 'removed'
    AND task_id NOT IN (
        SELECT task_id
        FROM planned
        WHERE study_id = $study_id
            AND step = $step
            AND model = $model
            AND prompt_hash = $prompt_hash
    )
ORDER BY position, task_id;

-- name: screening_counts
-- For each judge, a model with a version of its prompt, in the order in which they were first asked:
-- how often each verdict was given, and without one how many calls were answered all the same, and
-- how many are owed.
SELECT
    item.model,
    prompt.version,
    min(min(item.planned_at)) OVER (PARTITION BY item.model, prompt.version) AS first_planned,
    label.label,
    label.reason,
    item.is_answered,
    count(*) AS n
FROM item_now AS item
JOIN prompt ON prompt.prompt_hash = item.prompt_hash
LEFT JOIN label
    ON label.study_id = item.study_id
    AND label.step = item.step
    AND label.item_id = item.item_id
WHERE item.study_id = $study_id AND item.step = $step
GROUP BY item.model, prompt.version, label.label, label.reason, item.is_answered
ORDER BY first_planned, item.model, prompt.version, label.label, label.reason, item.is_answered;

-- name: step_judges
-- The models that were asked to judge tasks in a step, the first one asked first.
SELECT model, min(planned_at) AS planned_at
FROM planned
WHERE study_id = $study_id AND step = $step
GROUP BY model
ORDER BY min(planned_at), model;
