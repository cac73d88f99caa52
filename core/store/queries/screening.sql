-- name: screening_verdicts
-- What judges said of the tasks of a study, by the order in which it was said.
SELECT task_id, model, label, reason, answer AS why, labelled_at AS decided_at
FROM label
WHERE study_id = $study_id AND step = $step
ORDER BY seq;

-- name: screening_verdicts_of
-- The same for some tasks.
SELECT task_id, model, label, reason, answer AS why, labelled_at AS decided_at
FROM label
WHERE study_id = $study_id AND step = $step AND list_contains($task_ids, task_id)
ORDER BY seq;

-- name: screening_counts
-- For each judge, in the order in which they were first asked: how often each verdict was given,
-- and without one how many calls were answered all the same, and how many are owed.
SELECT
    item.model,
    label.label,
    label.reason,
    item.is_answered,
    count(*) AS n
FROM item_now AS item
LEFT JOIN label
    ON label.study_id = item.study_id
    AND label.step = item.step
    AND label.item_id = item.item_id
WHERE item.study_id = $study_id AND item.step = $step
GROUP BY ALL
ORDER BY ALL;

-- name: step_judges
-- The models that were asked to judge tasks in a step, the first one asked first.
SELECT model, min(planned_at) AS planned_at
FROM planned
WHERE study_id = $study_id AND step = $step
GROUP BY model
ORDER BY min(planned_at), model;
