-- name: unassigned_originals
-- The tasks that can be rewritten, were not removed, and have no rewrite planned.
SELECT task_id, position, text, references_json, coalesce(group_name, '') AS group_name
FROM original_now
WHERE study_id = $study_id AND state = 'kept'
ORDER BY position, task_id;

-- name: originals_by_part
-- How many tasks that can be rewritten, and were not removed, are planned to be which part.
SELECT part, count(*) AS n
FROM original_now
WHERE study_id = $study_id AND state <> 'left_out'
GROUP BY part
ORDER BY part;

-- name: newest_rewrite_context
-- What the first rewrite of a task knows, the one planned last in a study.
SELECT context_json
FROM planned
WHERE study_id = $study_id AND step = 'rewrite' AND draw_number = 0
ORDER BY planned_at DESC, position
LIMIT 1;

-- name: originals_due_again
-- The tasks whose rewrites all failed, when there may be another attempt.
SELECT task_id, position, text, references_json, context_json, n_attempts
FROM original_now
WHERE study_id = $study_id AND state = 'due'
ORDER BY position, task_id;

-- name: owed_rewrite_samples
-- Some rewrites still owed, for estimating the size of calls.
SELECT task.text, task.references_json, rewrite_attempt.context_json
FROM rewrite_attempt
JOIN task ON task.task_id = rewrite_attempt.original_id
WHERE rewrite_attempt.study_id = $study_id
    AND rewrite_attempt.result = 'waiting'
    AND rewrite_attempt.rewrite_id IS NULL
ORDER BY task.position
LIMIT $n;

-- name: unplanned_rewrites
-- Rewrites that nobody removed, that differ from their original, and about which a judge's prompt
-- has not been planned to be asked.
SELECT NULL AS draw_id, task_state.task_id, task_state.position, task_state.intent,
    task_state.type, task_state.reason
FROM task_state
JOIN rewrite_attempt ON rewrite_attempt.rewrite_id = task_state.task_id
WHERE task_state.study_id = $study_id
    AND rewrite_attempt.study_id = $study_id
    AND task_state.state <> 'removed'
    AND rewrite_attempt.result <> 'unchanged'
    AND task_state.task_id NOT IN (
        SELECT task_id FROM planned
        WHERE study_id = $study_id AND step = $step AND model = $model AND task_id IS NOT NULL
            AND prompt_hash = $prompt_hash
    )
ORDER BY task_state.position, task_state.task_id;

-- name: n_rewrites
-- How many rewrites a study has.
SELECT count(*) AS n FROM task WHERE study_id = $study_id AND made_from IS NOT NULL;

-- name: originals_now
-- How many tasks there are of each part, by what became of them; why: of those that were dropped,
-- the result of the last attempt.
SELECT part, state, CASE state WHEN 'dropped' THEN result END AS why, count(*) AS n
FROM original_now
WHERE study_id = $study_id
GROUP BY ALL
ORDER BY ALL;

-- name: attempts_now
-- How many attempts to rewrite there are of each part, by their result.
SELECT part, result, count(*) AS n
FROM rewrite_attempt
WHERE study_id = $study_id
GROUP BY ALL
ORDER BY ALL;

-- name: n_not_rewritable
-- How many tasks that people brought can be no part of training data: they have no answer.
SELECT count(*) AS n
FROM task
WHERE study_id = $study_id
    AND made_from IS NULL
    AND task_id NOT IN (SELECT task_id FROM original_now WHERE study_id = $study_id);

-- name: training_rows
-- The problems that make training data: those kept as they are, and the accepted rewrites of
-- others; nothing that people removed.
SELECT
    original.task_id AS original_id,
    original.text AS original_text,
    original.part,
    original.type AS file,
    original.group_name,
    coalesce(rewrite.task_id, original.task_id) AS task_id,
    coalesce(rewrite.text, original.text) AS text,
    rewrite.made_from,
    CASE WHEN rewrite.task_id IS NULL THEN original.references_json END AS references_json
FROM original_now AS original
LEFT JOIN task AS rewrite ON rewrite.task_id = original.rewrite_id
WHERE original.study_id = $study_id AND original.state IN ('kept', 'accepted')
ORDER BY original.position, original.task_id;

-- name: synthesis_counts
-- What became of the problems of studies, per part: as in `originals_now`, with the study's names.
SELECT
    study.name AS study,
    study.subject,
    study.subject AS model,
    study.prompt_set,
    original.part AS type,
    CASE original.part WHEN 'insufficient' THEN 'unanswerable' ELSE 'answerable' END AS intent,
    original.state AS label,
    CASE original.state WHEN 'dropped' THEN original.result END AS why,
    count(*) AS n
FROM original_now AS original
JOIN study ON study.study_id = original.study_id
WHERE list_contains($study_ids, original.study_id)
    AND ($with_removed OR original.state NOT IN ('left_out', 'removed'))
GROUP BY ALL
ORDER BY ALL;

-- name: n_board_rewrites
-- How many rewrites people look at: those that were verified, and those that people removed.
SELECT count(*) AS n
FROM rewrite_attempt
WHERE study_id = $study_id AND result IN ('verified', 'removed');

-- name: board_rewrites
-- Every rewrite that people look at with its cell, in the queue's order.
SELECT task.task_id, task.type, task.intent
FROM rewrite_attempt
JOIN task ON task.task_id = rewrite_attempt.rewrite_id
WHERE rewrite_attempt.study_id = $study_id
    AND rewrite_attempt.result IN ('verified', 'removed')
ORDER BY task.position, task.task_id;

-- name: rewrite_counts
-- The rewrites of every study that people look at, by their state.
SELECT
    task_state.study_id,
    count(*) AS n_tasks,
    count(*) FILTER (WHERE task_state.state = 'kept') AS kept,
    count(*) FILTER (WHERE task_state.state = 'removed') AS removed,
    count(*) FILTER (WHERE task_state.state = 'disputed') AS disputed,
    count(*) FILTER (WHERE task_state.state = 'skipped') AS skipped,
    count(*) FILTER (WHERE task_state.state = 'pending') AS pending
FROM rewrite_attempt
JOIN task_state ON task_state.task_id = rewrite_attempt.rewrite_id
WHERE rewrite_attempt.result IN ('verified', 'removed')
GROUP BY task_state.study_id;
