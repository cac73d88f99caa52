-- name: board_tasks
-- Every task of a study with its cell, in the queue's order.
SELECT task_id, type, intent FROM task WHERE study_id = $study_id ORDER BY position, task_id;

-- name: n_tasks
-- How many tasks a study has.
SELECT count(*) AS n FROM task WHERE study_id = $study_id;

-- name: reviews_since
-- What people did in a study after a moment, in order.
SELECT seq, review_id, task_id, person_id, action, reason, undoes, batch_id, is_final,
    seconds_active
FROM review
WHERE study_id = $study_id AND seq > $seq
ORDER BY seq;

-- name: reviews_of_task
-- All that people did with a task, oldest first.
SELECT review.seq, review.review_id, review.task_id, review.person_id, review.action,
    review.reason, review.undoes, review.batch_id, review.is_final, review.note,
    review.seconds_active, review.decided_at, person.name AS person
FROM review
LEFT JOIN person USING (person_id)
WHERE review.task_id = $task_id
ORDER BY review.seq;

-- name: task_by_id
-- One task as it was generated or imported.
SELECT task_id, study_id, position, text, intent, type, reason, source, references_json
FROM task
WHERE task_id = $task_id;

-- name: tasks_by_ids
-- Some tasks of a study, in the queue's order.
SELECT task_id, text, intent, type, reason
FROM task
WHERE study_id = $study_id AND list_contains($task_ids, task_id)
ORDER BY position, task_id;

-- name: task_ids_by_prefix
-- The tasks of a study whose id begins so; for commands typed by hand.
SELECT task_id FROM task
WHERE study_id = $study_id AND starts_with(task_id, $prefix)
ORDER BY task_id
LIMIT 2;

-- name: tasks_short
-- What the automatic checks need of every task of a study.
SELECT task_id, text, intent, type, reason, state, review_id
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
    count(*) FILTER (WHERE state = 'disputed') AS disputed,
    count(*) FILTER (WHERE state = 'skipped') AS skipped,
    count(*) FILTER (WHERE state = 'pending') AS pending
FROM task_state
WHERE study_id = $study_id
GROUP BY ALL
ORDER BY ALL;

-- name: last_decision_of_person
-- The newest decision of a person in a study that nobody took back.
SELECT review_id, task_id, batch_id
FROM review
WHERE study_id = $study_id AND person_id = $person_id AND action IN ('keep', 'remove', 'skip')
    AND review_id NOT IN (SELECT undoes FROM review WHERE undoes IS NOT NULL)
ORDER BY seq DESC
LIMIT 1;

-- name: batch_of_person
-- The decisions a person made together that nobody took back.
SELECT review_id, task_id
FROM review
WHERE study_id = $study_id AND person_id = $person_id AND batch_id = $batch_id
    AND action IN ('keep', 'remove', 'skip')
    AND review_id NOT IN (SELECT undoes FROM review WHERE undoes IS NOT NULL)
ORDER BY seq;

-- name: overlap_of_study
-- How many people decide each task of a study.
SELECT overlap FROM study_overlap WHERE study_id = $study_id;

-- name: rules_now
-- The rules of a study's desk that are in force.
SELECT rules_json FROM desk_rules WHERE study_id = $study_id ORDER BY seq DESC LIMIT 1;

-- name: rules_owner
-- The person who set a study's first rules.
SELECT person.person_id, person.name
FROM desk_rules
JOIN person USING (person_id)
WHERE desk_rules.study_id = $study_id
ORDER BY desk_rules.seq
LIMIT 1;

-- name: leases_of_study
-- Which task each person has before them, and what they began to enter.
SELECT person_id, task_id, taken_at, expires_at, seconds_active, reason, note
FROM lease
WHERE study_id = $study_id
ORDER BY person_id;

-- name: lease_of_person
-- Which task a person has before them in a study.
SELECT task_id FROM lease WHERE study_id = $study_id AND person_id = $person_id;

-- name: update_lease
-- Put a person's lease in the place of the one they had.
UPDATE lease
SET task_id = $task_id, taken_at = $taken_at, expires_at = $expires_at,
    seconds_active = $seconds_active, reason = $reason, note = $note
WHERE study_id = $study_id AND person_id = $person_id;

-- name: drop_lease
-- Take a person's lease away.
DELETE FROM lease WHERE study_id = $study_id AND person_id = $person_id;

-- name: gold_now
-- The tasks of a study whose right decision is known.
SELECT task_id, action, reason, person_id
FROM known_gold
WHERE study_id = $study_id
ORDER BY task_id;

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

-- name: gold_votes
-- What each person decided on the tasks whose right decision is known, whoever marked it aside.
SELECT person.name AS person, count(*) AS n_decided,
    count(*) FILTER (WHERE standing_vote.action = known_gold.action) AS n_right
FROM known_gold
JOIN standing_vote ON standing_vote.task_id = known_gold.task_id AND NOT standing_vote.is_final
JOIN person ON person.person_id = standing_vote.person_id
WHERE known_gold.study_id = $study_id
    AND standing_vote.action <> 'skip'
    AND standing_vote.person_id <> known_gold.person_id
GROUP BY person.name
ORDER BY person.name;

-- name: votes_of_study
-- Every standing vote of a study on the tasks that two or more people decided.
SELECT task_id AS item, person.name AS person, action AS label, reason
FROM standing_vote
JOIN person USING (person_id)
WHERE study_id = $study_id AND NOT is_final AND action <> 'skip'
    AND task_id IN (
        SELECT task_id
        FROM standing_vote
        WHERE study_id = $study_id AND NOT is_final AND action <> 'skip'
        GROUP BY task_id
        HAVING count(*) > 1
    )
ORDER BY item, person;
