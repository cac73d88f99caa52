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
-- Single tasks, contracts and agents. Of part `task`: how often each chance that a model stated
-- goes with each result of its attempt, over the tasks that nobody removed, unless those are asked
-- for; estimate is missing where it stated none; result where nothing has come of an attempt yet,
-- and no_program where the reply held none. Tasks that were put to a model and brought no reply
-- are neither predicted nor attempted; a model without any reply has no rows. Of part `contract`: each contract of each trial, with
-- estimate and accepted missing where it was not answered, and how its trial stands: complete,
-- unreadable (a second reply could not be read) or open. Of part `agent`: each estimate of each run,
-- with step missing after submission, and result missing where nothing decided; a run
-- without any estimate has a row that is not asked. type is the evaluation, budget the tool calls
-- the agent could make, missing where its log does not say; log_task, sample and epoch are the same
-- wherever the same run stands.
SELECT
    study.name AS study,
    study.subject,
    put.model,
    study.prompt_set,
    'task' AS part,
    task_state.type,
    chance.estimate,
    chance.task_id IS NOT NULL AS is_predicted,
    attempt.task_id IS NOT NULL AS is_attempted,
    attempt.result,
    attempt.ended,
    attempt.sandbox,
    NULL::INTEGER AS trial,
    NULL::INTEGER AS contract,
    NULL::INTEGER AS solvable,
    NULL::INTEGER AS accepted,
    NULL::VARCHAR AS trial_state,
    count(*) AS n
FROM (
    SELECT study_id, task_id, model
    FROM item_now
    WHERE list_contains($study_ids, study_id) AND step IN ('predict', 'attempt')
    GROUP BY study_id, task_id, model
    QUALIFY bool_or(bool_or(is_answered)) OVER (PARTITION BY study_id, model)
) AS put
LEFT JOIN (SELECT * FROM stated_chance WHERE list_contains($study_ids, study_id)) AS chance
    ON chance.study_id = put.study_id
    AND chance.task_id = put.task_id
    AND chance.model = put.model
LEFT JOIN (SELECT * FROM attempt_result WHERE list_contains($study_ids, study_id)) AS attempt
    ON attempt.study_id = put.study_id
    AND attempt.task_id = put.task_id
    AND attempt.model = put.model
JOIN study ON study.study_id = put.study_id
JOIN task_state ON task_state.task_id = put.task_id
WHERE $with_removed OR task_state.state <> 'removed'
GROUP BY ALL
UNION ALL
SELECT
    study.name AS study,
    study.subject,
    contract.model,
    study.prompt_set,
    'contract' AS part,
    task.type,
    CASE WHEN contract.outcome = 'ok' THEN contract.estimate END AS estimate,
    NULL AS is_predicted,
    NULL AS is_attempted,
    NULL AS result,
    NULL AS ended,
    NULL AS sandbox,
    contract.trial,
    contract.number AS contract,
    contract.is_solvable::INTEGER AS solvable,
    CASE WHEN contract.outcome = 'ok' THEN contract.is_accepted::INTEGER END AS accepted,
    CASE
        WHEN bool_and(coalesce(contract.outcome = 'ok', false)) OVER trial THEN 'complete'
        WHEN bool_or(contract.n_asks > 1 AND contract.outcome NOT IN ('ok', '')) OVER trial
            THEN 'unreadable'
        ELSE 'open'
    END AS trial_state,
    1 AS n
FROM contract_now AS contract
JOIN study ON study.study_id = contract.study_id
JOIN task ON task.task_id = contract.task_id
WHERE list_contains($study_ids, contract.study_id)
WINDOW trial AS (PARTITION BY contract.study_id, contract.model, contract.trial)
UNION ALL BY NAME
SELECT
    study.name AS study,
    study.subject,
    agent.model,
    study.prompt_set,
    'agent' AS part,
    agent.evaluation AS type,
    said.estimate,
    agent.outcome AS result,
    json_extract_string(agent.about_json, '$.sandbox') AS sandbox,
    agent.agent_run_id AS run,
    agent.log_task,
    agent.sample,
    agent.epoch,
    agent.budget,
    said.step,
    said.agent_run_id IS NOT NULL AS is_asked,
    1 AS n
FROM agent_run_now AS agent
JOIN study ON study.study_id = agent.study_id
LEFT JOIN agent_estimate AS said ON said.agent_run_id = agent.agent_run_id
WHERE list_contains($study_ids, agent.study_id)
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
    printf('%.0f %%', 100 * estimate) AS chance,
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

-- name: own_results
-- The tasks whose program a model wrote and a sandbox ran, with how that ended.
SELECT task_id, result
FROM attempt_result
JOIN task_state USING (study_id, task_id)
WHERE study_id = $study_id
    AND model = $model
    AND result IN ('passed', 'failed')
    AND state <> 'removed'
ORDER BY position, task_id;

-- name: code_tasks_of
-- The code tasks of a study.
SELECT task_id, checks_json
FROM task
WHERE study_id = $study_id AND checks_json IS NOT NULL
ORDER BY position, task_id;

-- name: contracts_of
-- The contracts drawn for a model.
SELECT trial, number, task_id, is_solvable, origin, is_replaced, seed, drawn_at
FROM contract
WHERE study_id = $study_id AND model = $model
ORDER BY trial, number;

-- name: n_contracts
-- How many contracts are drawn for a model.
SELECT count(*) AS n FROM contract WHERE study_id = $study_id AND model = $model;

-- name: contracts_due
-- The contracts to be offered next: the first of each trial, the one after a contract that was
-- answered, and once more one whose reply could not be read.
SELECT due.trial, due.number, due.task_id, due.n_asks, due.n_trials, due.n_contracts,
    task.intent, task.type, task.reason
FROM (
    SELECT
        *,
        lag(outcome) OVER (PARTITION BY trial ORDER BY number) AS outcome_before,
        max(trial) OVER () AS n_trials,
        max(number) OVER () AS n_contracts
    FROM contract_now
    WHERE study_id = $study_id AND model = $model
) AS due
JOIN task ON task.task_id = due.task_id
WHERE (due.n_asks = 0 AND (due.number = 1 OR due.outcome_before = 'ok'))
    OR (due.n_asks BETWEEN 1 AND $most_asks - 1 AND due.outcome NOT IN ('ok', ''))
ORDER BY due.number, due.trial;

-- name: contract_models
-- The models for which contracts are drawn.
SELECT DISTINCT model FROM contract WHERE study_id = $study_id ORDER BY model;

-- name: contract_progress
-- How far a model has come with its contracts: trials, and those that have ended; contracts drawn,
-- answered, and left to be answered in trials that go on: a trial has ended where a second reply
-- could not be read.
SELECT
    count(DISTINCT trial) AS n_trials,
    count(DISTINCT trial) FILTER (WHERE NOT goes_on) AS n_ended,
    count(*) AS n_contracts,
    count(*) FILTER (WHERE outcome = 'ok') AS n_answered,
    count(*) FILTER (WHERE goes_on AND outcome IS DISTINCT FROM 'ok') AS n_left
FROM (
    SELECT
        trial,
        outcome,
        bool_or(outcome IS DISTINCT FROM 'ok') OVER (PARTITION BY trial)
            AND NOT bool_or(coalesce(n_asks > 1 AND outcome NOT IN ('ok', ''), false))
                OVER (PARTITION BY trial) AS goes_on
    FROM contract_now
    WHERE study_id = $study_id AND model = $model
);

-- name: contract_history
-- What a model answered to its contracts, in the order of each trial; submission is the program of
-- its own attempt at the task.
SELECT
    json_extract_string(item.context_json, '$.trial')::INTEGER AS trial,
    json_extract_string(item.context_json, '$.contract')::INTEGER AS number,
    item.draw_number AS ask,
    item.outcome,
    call.text AS reply,
    label.label,
    task.text AS task_text,
    contract.is_solvable,
    submitted.answer AS submission
FROM item_now AS item
JOIN task ON task.task_id = item.task_id
JOIN contract
    ON contract.study_id = item.study_id
    AND contract.model = item.model
    AND contract.trial = json_extract_string(item.context_json, '$.trial')::INTEGER
    AND contract.number = json_extract_string(item.context_json, '$.contract')::INTEGER
LEFT JOIN (
    SELECT item_id, max_by(text, seq) AS text
    FROM call
    WHERE study_id = $study_id AND step = 'contract' AND final
    GROUP BY item_id
) AS call ON call.item_id = item.item_id
LEFT JOIN label_now AS label
    ON label.study_id = item.study_id
    AND label.step = item.step
    AND label.item_id = item.item_id
LEFT JOIN (
    SELECT task_id, any_value(answer) AS answer
    FROM label_now
    WHERE study_id = $study_id AND step = 'attempt' AND model = $model
    GROUP BY task_id
) AS submitted ON submitted.task_id = item.task_id
WHERE item.study_id = $study_id
    AND item.step = 'contract'
    AND item.model = $model
    AND item.is_answered
ORDER BY trial, number, ask;
