-- name: queue_next
-- The next tasks to decide, in the queue's order. Skipped ones come after the others, those that
-- were skipped before a moment; so each comes round once when a person takes them up.
SELECT task_id, text, intent, type, reason, state, position
FROM task_state
WHERE study_id = $study_id
    AND (state = 'pending' OR (state = 'skipped' AND decided_at < $skipped_before))
ORDER BY state = 'skipped', position, task_id
LIMIT $n;

-- name: task_by_id
-- One task with its state.
SELECT task_id, study_id, text, intent, type, reason, source, note, position, state,
    removal_reason, review_note, review_id, person_id, decided_at
FROM task_state
WHERE task_id = $task_id;

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

-- name: person_decisions
-- How many standing decisions a person has made in a study.
SELECT count(*) AS n
FROM task_state
WHERE study_id = $study_id AND person_id = $person_id AND state IN ('kept', 'removed', 'skipped');

-- name: last_decision_of_person
-- The newest decision of a person in a study that stands: taken back by nobody, and not followed by
-- a later one on the same task.
SELECT standing_review.review_id, standing_review.task_id, standing_review.action
FROM standing_review
JOIN review USING (review_id)
WHERE review.study_id = $study_id AND review.person_id = $person_id
ORDER BY review.seq DESC
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
