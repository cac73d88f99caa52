-- name: queue_next
-- The next tasks to decide, in the queue's order. Skipped ones come when they are asked for, after
-- the others, the one skipped longest ago first.
SELECT task_id, text, intent, type, reason, state, position
FROM task_state
WHERE study_id = $study_id
    AND (state = 'pending' OR ($with_skipped AND state = 'skipped'))
ORDER BY state = 'skipped', CASE WHEN state = 'skipped' THEN decided_at END, position
LIMIT $n;

-- name: task_by_id
-- One task with its state.
SELECT task_id, study_id, text, intent, type, reason, source, note, position, state,
    removal_reason, review_note, review_id, person_id, decided_at
FROM task_state
WHERE task_id = $task_id;

-- name: tasks_of_study
-- Every task of a study with its state, in order.
SELECT task_state.task_id, task_state.position, task_state.text, task_state.intent,
    task_state.type, task_state.reason, task_state.state, task_state.removal_reason,
    task_state.review_note, person.name AS decided_by, task_state.decided_at
FROM task_state
LEFT JOIN person USING (person_id)
WHERE task_state.study_id = $study_id
ORDER BY task_state.position, task_state.task_id;

-- name: task_ids_by_prefix
-- The tasks of a study whose id begins so; for commands typed by hand.
SELECT task_id FROM task
WHERE study_id = $study_id AND starts_with(task_id, $prefix)
ORDER BY task_id
LIMIT 2;

-- name: tasks_short
-- What the automatic checks need of every task of a study.
SELECT task_id, text, intent, type, reason, state
FROM task_state
WHERE study_id = $study_id
ORDER BY position, task_id;

-- name: curation_cells
-- For each cell: tasks there are, by state.
SELECT
    type,
    intent,
    count(*) AS n_tasks,
    count(*) FILTER (WHERE state = 'kept') AS kept,
    count(*) FILTER (WHERE state = 'removed') AS removed,
    count(*) FILTER (WHERE state = 'skipped') AS skipped,
    count(*) FILTER (WHERE state = 'pending') AS pending
FROM task_state
WHERE study_id = $study_id
GROUP BY ALL
ORDER BY ALL;

-- name: removal_reasons
-- How many tasks stand removed for each reason.
SELECT removal_reason AS reason, count(*) AS n
FROM task_state
WHERE study_id = $study_id AND state = 'removed'
GROUP BY ALL
ORDER BY n DESC, reason;

-- name: person_decisions
-- How many standing decisions a person has made in a study.
SELECT count(*) AS n
FROM task_state
WHERE study_id = $study_id AND person_id = $person_id AND state IN ('kept', 'removed', 'skipped');

-- name: last_decision_of_person
-- The newest keep, remove or skip of a person in a study that nobody has taken back.
SELECT review_id, task_id, action
FROM review
WHERE study_id = $study_id
    AND person_id = $person_id
    AND action IN ('keep', 'remove', 'skip')
    AND review_id NOT IN (SELECT undoes FROM review WHERE undoes IS NOT NULL)
ORDER BY seq DESC
LIMIT 1;

-- name: standing_review_of_task
-- The decision that stands on a task, if any.
SELECT standing_review.review_id, standing_review.action, standing_review.reason,
    standing_review.person_id, person.name AS person
FROM standing_review
LEFT JOIN person USING (person_id)
WHERE task_id = $task_id;

-- name: task_history
-- All that people did with a task, oldest first.
SELECT review.seq, person.name AS person, review.action, review.reason, review.note,
    review.undoes, review.decided_at, review.seconds_active
FROM review
LEFT JOIN person USING (person_id)
WHERE review.task_id = $task_id
ORDER BY review.seq;

-- name: drawable_tasks
-- The tasks a draw may take: all that nobody removed.
SELECT task_id, type, intent, state
FROM task_state
WHERE study_id = $study_id AND state <> 'removed'
ORDER BY task_id;

-- name: draw_now
-- The draw a study works with.
SELECT draw.draw_id, draw.kind, draw.seed, draw.per_cell, draw.shortfalls_json, draw.drawn_at,
    (SELECT count(*) FROM drawn_task WHERE drawn_task.draw_id = draw.draw_id) AS n_tasks
FROM current_draw
JOIN draw ON draw.draw_id = current_draw.draw_id
WHERE current_draw.study_id = $study_id;

-- name: drawn_cells
-- How many tasks of the current draw lie in each cell, and how many were removed since.
SELECT
    task_state.type,
    task_state.intent,
    count(*) AS drawn,
    count(*) FILTER (WHERE task_state.state = 'removed') AS removed_since
FROM current_draw
JOIN drawn_task ON drawn_task.draw_id = current_draw.draw_id
JOIN task_state ON task_state.task_id = drawn_task.task_id
WHERE current_draw.study_id = $study_id
GROUP BY ALL
ORDER BY ALL;

-- name: drawn_ids
-- The tasks of a draw in their order.
SELECT task_id FROM drawn_task WHERE draw_id = $draw_id ORDER BY position;

-- name: drawn_now_ids
-- The tasks of the draw a study works with, in their order.
SELECT drawn_task.task_id
FROM current_draw
JOIN drawn_task ON drawn_task.draw_id = current_draw.draw_id
WHERE current_draw.study_id = $study_id
ORDER BY drawn_task.position;
