-- Agents that worked on tasks step by step, and what they said of their chances.

-- One agent's work on one task, as a log brought it. log_task: the evaluation it was part of, the
-- same where that was tried again. outcome: solved or failed; NULL where nothing decided, and why
-- says what happened. budget: the tool calls it could make; NULL where the log does not say.
CREATE TABLE IF NOT EXISTS agent_run (
    agent_run_id VARCHAR NOT NULL,
    study_id VARCHAR NOT NULL,
    seq BIGINT NOT NULL,
    model VARCHAR NOT NULL,
    evaluation VARCHAR NOT NULL,
    log_task VARCHAR NOT NULL,
    sample VARCHAR NOT NULL,
    epoch INTEGER NOT NULL,
    text VARCHAR NOT NULL,
    outcome VARCHAR,
    why VARCHAR NOT NULL,
    n_calls BIGINT NOT NULL,
    budget BIGINT,
    source_ref VARCHAR NOT NULL,
    about_json VARCHAR NOT NULL,
    imported_at TIMESTAMP NOT NULL
);

-- What an agent said at one point of its work. step: from 1; NULL after submission. n_calls: tool
-- calls made so far. estimate: in [0, 1]; NULL where the reply could not be read, as outcome says.
CREATE TABLE IF NOT EXISTS agent_estimate (
    agent_run_id VARCHAR NOT NULL,
    study_id VARCHAR NOT NULL,
    step INTEGER,
    n_calls BIGINT NOT NULL,
    estimate DOUBLE,
    outcome VARCHAR NOT NULL,
    note VARCHAR NOT NULL,
    reply VARCHAR NOT NULL
);

-- Of an evaluation that was tried again, each task counts once: as it was decided, or else the
-- newest.
CREATE OR REPLACE VIEW agent_run_now AS
SELECT *
FROM agent_run
QUALIFY row_number() OVER (
    PARTITION BY study_id, model, log_task, sample, epoch
    ORDER BY outcome IS NOT NULL DESC, seq DESC
) = 1;
