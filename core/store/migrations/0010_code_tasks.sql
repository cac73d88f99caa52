-- Tasks that are decided by running what a model writes together with their checks.

-- What the checks of a code task need, as JSON: a row of `core.exchange.code_tasks` without what a
-- subject must not see; NULL for what is no code task.
ALTER TABLE task ADD COLUMN IF NOT EXISTS checks_json VARCHAR;

-- Each task with its state, as before; made anew, for a view keeps the columns it was made with.
CREATE OR REPLACE VIEW task_state AS
SELECT
    task.*,
    CASE
        WHEN standing_review.action IS NULL THEN 'pending'
        WHEN standing_review.is_final OR coalesce(study_overlap.overlap, 1) = 1 THEN
            CASE standing_review.action
                WHEN 'keep' THEN 'kept' WHEN 'remove' THEN 'removed' ELSE 'skipped'
            END
        WHEN vote_count.n_votes < study_overlap.overlap THEN
            CASE standing_review.action WHEN 'skip' THEN 'skipped' ELSE 'pending' END
        WHEN vote_count.n_remove = 0 THEN 'kept'
        WHEN vote_count.n_keep = 0 THEN 'removed'
        ELSE 'disputed'
    END AS state,
    standing_review.reason AS removal_reason,
    standing_review.note AS review_note,
    standing_review.review_id,
    standing_review.person_id,
    standing_review.decided_at
FROM task
LEFT JOIN study_overlap USING (study_id)
LEFT JOIN standing_review USING (task_id)
LEFT JOIN vote_count USING (task_id);

-- What became of each attempt at a code task. result: passed or failed, as the newest run of its
-- program says; no_program where the reply held none; NULL while no run has ended. ended: how the
-- run ended. sandbox: where it ran.
CREATE OR REPLACE VIEW attempt_result AS
SELECT
    attempt.study_id,
    attempt.task_id,
    attempt.model,
    attempt.item_id,
    CASE WHEN attempt.outcome = 'ok' THEN score.label ELSE 'no_program' END AS result,
    score.ended,
    score.sandbox
FROM item_now AS attempt
LEFT JOIN (
    SELECT
        label_now.study_id,
        json_extract_string(planned.context_json, '$.answer_of') AS answer_item,
        arg_max(label_now.label, label_now.seq) AS label,
        arg_max(label_now.reason, label_now.seq) AS ended,
        arg_max(label_now.model, label_now.seq) AS sandbox
    FROM label_now
    JOIN planned
        ON planned.study_id = label_now.study_id
        AND planned.step = label_now.step
        AND planned.item_id = label_now.item_id
    WHERE label_now.step = 'score'
    GROUP BY label_now.study_id, answer_item
) AS score ON score.study_id = attempt.study_id AND score.answer_item = attempt.item_id
WHERE attempt.step = 'attempt' AND attempt.is_answered;

-- The chance of success that a model stated of each task: NULL where no reply to any ask stated
-- one, and no further ask is owed. n_asks: how often it was asked.
CREATE OR REPLACE VIEW stated_chance AS
SELECT
    item_now.study_id,
    item_now.task_id,
    item_now.model,
    max(label_now.value) AS estimate,
    count(*) AS n_asks
FROM item_now
LEFT JOIN label_now
    ON label_now.study_id = item_now.study_id
    AND label_now.step = item_now.step
    AND label_now.item_id = item_now.item_id
WHERE item_now.step = 'predict' AND item_now.is_answered
GROUP BY item_now.study_id, item_now.task_id, item_now.model;

-- Contracts offered in a row: each trial of a study and model is a sequence of tasks whose result
-- the model's own attempt has settled before. origin: drawn, or published, which was read from a
-- file of sequences; is_replaced: whether the task took the place of one that the file names.
CREATE TABLE IF NOT EXISTS contract (
    study_id VARCHAR NOT NULL,
    model VARCHAR NOT NULL,
    trial INTEGER NOT NULL,
    number INTEGER NOT NULL,
    task_id VARCHAR NOT NULL,
    is_solvable BOOLEAN NOT NULL,
    origin VARCHAR NOT NULL,
    is_replaced BOOLEAN NOT NULL,
    seed BIGINT NOT NULL,
    drawn_at TIMESTAMP NOT NULL
);

-- Every contract with what was answered to it: n_asks, how often it was asked about (again after a
-- reply that could not be read); outcome of the newest ask; item_id of the
-- newest ask; estimate and is_accepted, NULL unless it could be read. An outcome is empty while its
-- call is owed.
CREATE OR REPLACE VIEW contract_now AS
SELECT
    contract.*,
    coalesce(asked.n_asks, 0) AS n_asks,
    asked.outcome,
    asked.item_id,
    label_now.value AS estimate,
    label_now.label = 'yes' AS is_accepted
FROM contract
LEFT JOIN (
    SELECT
        study_id,
        model,
        json_extract_string(context_json, '$.trial')::INTEGER AS trial,
        json_extract_string(context_json, '$.contract')::INTEGER AS number,
        count(*) AS n_asks,
        -- A call that failed is owed anew: its outcome does not stand.
        max_by(CASE WHEN is_answered THEN outcome ELSE '' END, draw_number) AS outcome,
        max_by(item_id, draw_number) AS item_id
    FROM item_now
    WHERE step = 'contract'
    GROUP BY ALL
) AS asked
    ON asked.study_id = contract.study_id
    AND asked.model = contract.model
    AND asked.trial = contract.trial
    AND asked.number = contract.number
LEFT JOIN label_now
    ON label_now.study_id = asked.study_id
    AND label_now.step = 'contract'
    AND label_now.item_id = asked.item_id;
