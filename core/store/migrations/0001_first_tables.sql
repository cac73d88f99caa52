-- The first tables. Event tables (run_event, call, label, review) only ever grow; what is current
-- is a view over them. Times are UTC. `seq` orders events and rises across restarts.
-- Text columns that hold JSON say so in their name: *_json, canonical and ASCII.

CREATE TABLE IF NOT EXISTS study (
    study_id VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    protocol VARCHAR NOT NULL,
    subject VARCHAR NOT NULL,
    prompt_set VARCHAR NOT NULL,
    judge VARCHAR,
    settings_json VARCHAR NOT NULL,
    source VARCHAR NOT NULL,
    is_demo BOOLEAN NOT NULL,
    created_at TIMESTAMP NOT NULL
);

CREATE TABLE IF NOT EXISTS person (
    person_id VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    created_at TIMESTAMP NOT NULL
);

CREATE TABLE IF NOT EXISTS prompt (
    prompt_hash VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    version INTEGER NOT NULL,
    text VARCHAR NOT NULL,
    stored_at TIMESTAMP NOT NULL
);

CREATE TABLE IF NOT EXISTS task (
    task_id VARCHAR NOT NULL,
    study_id VARCHAR NOT NULL,
    position BIGINT NOT NULL,
    text VARCHAR NOT NULL,
    intent VARCHAR,
    type VARCHAR,
    reason VARCHAR,
    source VARCHAR NOT NULL,
    source_ref VARCHAR NOT NULL,
    note VARCHAR NOT NULL,
    created_at TIMESTAMP NOT NULL
);

-- One draw is one frozen choice of tasks to put before models: balanced, all kept, or imported.
CREATE TABLE IF NOT EXISTS draw (
    draw_id VARCHAR NOT NULL,
    study_id VARCHAR NOT NULL,
    seq BIGINT NOT NULL,
    kind VARCHAR NOT NULL,
    seed BIGINT,
    per_cell INTEGER,
    shortfalls_json VARCHAR NOT NULL,
    drawn_at TIMESTAMP NOT NULL
);

CREATE TABLE IF NOT EXISTS drawn_task (
    draw_id VARCHAR NOT NULL,
    study_id VARCHAR NOT NULL,
    task_id VARCHAR NOT NULL,
    position BIGINT NOT NULL
);

-- One planned item is one call that is wanted. Steps that work on drawn tasks name their draw;
-- the same task drawn twice is the same item, so its answer is never paid for again.
CREATE TABLE IF NOT EXISTS planned (
    study_id VARCHAR NOT NULL,
    step VARCHAR NOT NULL,
    item_id VARCHAR NOT NULL,
    draw_id VARCHAR,
    position BIGINT NOT NULL,
    task_id VARCHAR,
    draw_number INTEGER NOT NULL,
    model VARCHAR NOT NULL,
    prompt_hash VARCHAR NOT NULL,
    parameters_json VARCHAR NOT NULL,
    context_json VARCHAR NOT NULL,
    planned_at TIMESTAMP NOT NULL
);

CREATE TABLE IF NOT EXISTS run (
    run_id VARCHAR NOT NULL,
    study_id VARCHAR NOT NULL,
    step VARCHAR NOT NULL,
    model VARCHAR NOT NULL,
    n_owed BIGINT NOT NULL,
    settings_json VARCHAR NOT NULL,
    started_at TIMESTAMP NOT NULL
);

-- event: started, paused, resumed, ended; detail of ended: completed, stopped, budget or failed.
CREATE TABLE IF NOT EXISTS run_event (
    run_id VARCHAR NOT NULL,
    seq BIGINT NOT NULL,
    event VARCHAR NOT NULL,
    detail VARCHAR NOT NULL,
    happened_at TIMESTAMP NOT NULL
);

CREATE TABLE IF NOT EXISTS call (
    call_id VARCHAR NOT NULL,
    run_id VARCHAR NOT NULL,
    study_id VARCHAR NOT NULL,
    step VARCHAR NOT NULL,
    item_id VARCHAR NOT NULL,
    seq BIGINT NOT NULL,
    attempt INTEGER NOT NULL,
    final BOOLEAN NOT NULL,
    outcome VARCHAR NOT NULL,
    sent_at TIMESTAMP NOT NULL,
    latency_s DOUBLE NOT NULL,
    model_asked VARCHAR NOT NULL,
    model_answered VARCHAR,
    asked_json VARCHAR NOT NULL,
    honoured_json VARCHAR NOT NULL,
    prompt_tokens BIGINT,
    cached_tokens BIGINT,
    completion_tokens BIGINT,
    cost_usd DOUBLE,
    finish_reason VARCHAR,
    text VARCHAR,
    raw_json VARCHAR NOT NULL,
    error VARCHAR NOT NULL
);

-- What was read from a reply, or came with an imported file (call_id is then NULL). `type` is only
-- set where a file names the type of a classification itself.
CREATE TABLE IF NOT EXISTS label (
    study_id VARCHAR NOT NULL,
    step VARCHAR NOT NULL,
    item_id VARCHAR NOT NULL,
    call_id VARCHAR,
    task_id VARCHAR,
    model VARCHAR NOT NULL,
    seq BIGINT NOT NULL,
    label VARCHAR,
    reason VARCHAR,
    type VARCHAR,
    answer VARCHAR,
    value DOUBLE,
    note VARCHAR NOT NULL,
    labelled_at TIMESTAMP NOT NULL
);

-- action: keep, remove, skip, note, undo. An undo names the review it takes back.
CREATE TABLE IF NOT EXISTS review (
    review_id VARCHAR NOT NULL,
    study_id VARCHAR NOT NULL,
    task_id VARCHAR NOT NULL,
    person_id VARCHAR NOT NULL,
    seq BIGINT NOT NULL,
    action VARCHAR NOT NULL,
    reason VARCHAR,
    note VARCHAR NOT NULL,
    undoes VARCHAR,
    seconds_active DOUBLE,
    decided_at TIMESTAMP NOT NULL
);
