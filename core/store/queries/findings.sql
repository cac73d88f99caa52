-- name: unchecked_tasks
-- The tasks of a study that the checks of this version have not seen.
SELECT task.task_id, task.text, task.intent, task.type, task.reason
FROM task
LEFT JOIN task_check
    ON task_check.task_id = task.task_id AND task_check.checks_version = $checks_version
WHERE task.study_id = $study_id AND task_check.task_id IS NULL
ORDER BY task.position, task.task_id;

-- name: task_lengths
-- The number of characters of every task of a study, with its cell.
SELECT type, intent, list(length(text)) AS lengths
FROM task
WHERE study_id = $study_id
GROUP BY ALL;

-- name: flags_of_task
-- What the checks of this version found in one task.
SELECT flags_json
FROM task_check
WHERE study_id = $study_id AND task_id = $task_id AND checks_version = $checks_version;

-- name: drop_task_checks
-- Forget what was found in a study's tasks, so that they are checked again.
DELETE FROM task_check WHERE study_id = $study_id;

-- name: drop_old_task_checks
-- Forget what other versions of the checks found.
DELETE FROM task_check WHERE study_id = $study_id AND checks_version <> $checks_version;

-- name: n_checked
-- How many tasks of a study the checks of this version have seen.
SELECT count(*) AS n
FROM task_check
WHERE study_id = $study_id AND checks_version = $checks_version;

-- name: texts_to_compare
-- The text of every task of a study, in the queue's order.
SELECT task_id, text FROM task WHERE study_id = $study_id ORDER BY position, task_id;

-- name: similar_run_of_study
-- How many tasks a study had when its look-alikes were last looked for.
SELECT n_tasks, made_at FROM similar_run WHERE study_id = $study_id ORDER BY made_at DESC LIMIT 1;

-- name: similar_pairs_of_study
-- The pairs of tasks of a study that say nearly the same, the most alike first.
SELECT task_id, other_id, similarity
FROM similar_pair
WHERE study_id = $study_id
ORDER BY similarity DESC, task_id, other_id;

-- name: drop_similar_pairs
-- Forget the pairs of a study.
DELETE FROM similar_pair WHERE study_id = $study_id;

-- name: drop_similar_run
-- Forget that a study's pairs were looked for.
DELETE FROM similar_run WHERE study_id = $study_id;
