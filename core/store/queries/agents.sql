-- name: agent_runs_known
-- The runs of agents that a study has already.
SELECT agent_run_id FROM agent_run WHERE study_id = $study_id ORDER BY seq;

-- name: study_agent_runs
-- How many runs of agents each study has.
SELECT study_id, count(*) AS n_runs FROM agent_run_now GROUP BY study_id ORDER BY study_id;

-- name: export_agent_runs
-- Every run of agents in a study, with those that a later try replaces.
SELECT run.agent_run_id, run.model, run.evaluation, run.sample, run.epoch, run.text, run.outcome,
    run.why, run.n_calls, run.budget AS call_budget, now.agent_run_id IS NOT NULL AS counts, run.source_ref,
    run.about_json, run.imported_at
FROM agent_run AS run
LEFT JOIN agent_run_now AS now ON now.agent_run_id = run.agent_run_id
WHERE run.study_id = $study_id
ORDER BY run.seq;

-- name: export_agent_estimates
-- Everything that agents of a study said of their chances.
SELECT estimate.agent_run_id, estimate.step AS at_step, estimate.n_calls, estimate.estimate,
    estimate.outcome, estimate.note, estimate.reply
FROM agent_estimate AS estimate
JOIN agent_run AS run ON run.agent_run_id = estimate.agent_run_id
WHERE estimate.study_id = $study_id
ORDER BY run.seq, estimate.step NULLS LAST;

-- name: fault_agent_run_without_study
-- Runs of agents of no study.
SELECT 'runs of agents of no study' AS fault, count(*) AS n, min(agent_run_id) AS example
FROM agent_run
WHERE study_id NOT IN (SELECT study_id FROM study)
HAVING count(*) > 0;

-- name: fault_agent_run_twice
-- Runs of agents with one id.
SELECT 'runs of agents stored more than once' AS fault, count(*) AS n,
    min(agent_run_id) AS example
FROM (SELECT agent_run_id FROM agent_run GROUP BY agent_run_id HAVING count(*) > 1)
HAVING count(*) > 0;

-- name: fault_agent_estimate_without_run
-- Estimates of no agent, or of one in another study.
SELECT 'estimates of no agent of their study' AS fault, count(*) AS n,
    min(agent_run_id) AS example
FROM agent_estimate
WHERE (agent_run_id, study_id) NOT IN (SELECT (agent_run_id, study_id) FROM agent_run)
HAVING count(*) > 0;

-- name: fault_agent_estimate_misread
-- Estimates that are no chance, or stand where there is none, or twice at one step.
SELECT 'estimates of agents that are no chance or stand twice' AS fault, count(*) AS n,
    min(agent_run_id) AS example
FROM (
    SELECT agent_run_id
    FROM agent_estimate
    WHERE (estimate IS NULL) = (outcome = 'ok') OR NOT estimate BETWEEN 0 AND 1 OR step < 1
    UNION ALL
    SELECT agent_run_id FROM agent_estimate GROUP BY agent_run_id, step HAVING count(*) > 1
)
HAVING count(*) > 0;
