-- name: code_tasks_to_match
-- The tasks of a study as far as an import compares them; name is the one that a code task has in
-- its file.
SELECT task_id, position, type, json_extract_string(checks_json, '$.task_id') AS name
FROM task
WHERE study_id = $study_id
ORDER BY position, task_id;

-- name: asks_due_again
-- The newest item of each task that a model was asked about, when its reply could not be read, none
-- before could, and it may be asked once more.
SELECT task_id, position, draw_number, context_json
FROM item_now
JOIN task_state USING (study_id, task_id, position)
WHERE study_id = $study_id
    AND step = $step
    AND model = $model
    AND state <> 'removed'
QUALIFY row_number() OVER (PARTITION BY task_id ORDER BY draw_number DESC) = 1
    AND is_answered
    AND outcome <> 'ok'
    AND draw_number + 1 < $most_asks
ORDER BY position, task_id;

-- name: confidence_counts
-- How often each chance that a model stated goes with each result of its attempt, over the tasks
-- that nobody removed, unless those are asked for. estimate is missing where it stated none;
-- result where nothing has come of an attempt yet, and no_program where the reply held none.
SELECT
    study.name AS study,
    study.subject,
    coalesce(chance.model, attempt.model) AS model,
    study.prompt_set,
    task_state.type,
    chance.estimate,
    chance.task_id IS NOT NULL AS is_predicted,
    attempt.task_id IS NOT NULL AS is_attempted,
    attempt.result,
    attempt.ended,
    attempt.sandbox,
    count(*) AS n
FROM (SELECT * FROM stated_chance WHERE list_contains($study_ids, study_id)) AS chance
FULL JOIN (SELECT * FROM attempt_result WHERE list_contains($study_ids, study_id)) AS attempt
    ON attempt.study_id = chance.study_id
    AND attempt.task_id = chance.task_id
    AND attempt.model = chance.model
JOIN study ON study.study_id = coalesce(chance.study_id, attempt.study_id)
JOIN task_state ON task_state.task_id = coalesce(chance.task_id, attempt.task_id)
WHERE $with_removed OR task_state.state <> 'removed'
GROUP BY ALL
ORDER BY ALL;

-- name: confidence_tasks
-- The tasks of some studies with a chance stated or an attempt made, filtered; one page of them.
-- label says what came of the attempt, label_reason how its program ended.
WITH asked AS (
    SELECT
        study.name AS study,
        coalesce(chance.model, attempt.model) AS model,
        task_state.task_id,
        task_state.position,
        attempt.item_id,
        left(task_state.text, $longest) AS text,
        task_state.intent,
        task_state.type,
        task_state.reason,
        task_state.state,
        coalesce(attempt.result, 'open') AS label,
        attempt.ended,
        chance.estimate
    FROM (SELECT * FROM stated_chance WHERE list_contains($study_ids, study_id)) AS chance
    FULL JOIN (SELECT * FROM attempt_result WHERE list_contains($study_ids, study_id)) AS attempt
        ON attempt.study_id = chance.study_id
        AND attempt.task_id = chance.task_id
        AND attempt.model = chance.model
    JOIN study ON study.study_id = coalesce(chance.study_id, attempt.study_id)
    JOIN task_state ON task_state.task_id = coalesce(chance.task_id, attempt.task_id)
    WHERE task_state.state <> 'removed'
)
SELECT study, model, task_id, item_id, text, intent, type, reason, state, label,
    CASE WHEN label = 'failed' THEN ended END AS label_reason,
    printf('%.0f %%', 100 * estimate) AS answer,
    count(*) OVER () AS n_matching
FROM asked
WHERE ($of_study = '' OR study = $of_study)
    AND (len($models) = 0 OR list_contains($models, model))
    AND ($type = '' OR type = $type)
    AND (len($outcomes) = 0 OR list_contains($outcomes, label))
    AND ($least = '' OR estimate >= $least::DOUBLE - 1e-9)
    AND ($most = '' OR estimate < $most::DOUBLE - 1e-9 OR ($most = '1.0' AND estimate <= 1))
ORDER BY study, model, position, task_id
LIMIT $n OFFSET $first;
