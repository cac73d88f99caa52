-- Several people at one desk: who holds which task, how many must decide it, and what was found
-- out about tasks beside their text. lease, task_check, similar_pair and similar_run are no
-- events: a lease is replaced as it moves on, the others are made anew from the tasks.

-- Decisions taken together (a bulk action, a cluster) share a batch and are undone together. A
-- final decision settles a task on which people disagree.
ALTER TABLE review ADD COLUMN IF NOT EXISTS batch_id VARCHAR;

ALTER TABLE review ADD COLUMN IF NOT EXISTS is_final BOOLEAN DEFAULT false;

-- The rules of a study's desk as they were set, the newest of each study in force.
CREATE TABLE IF NOT EXISTS desk_rules (
    study_id VARCHAR NOT NULL,
    seq BIGINT NOT NULL,
    person_id VARCHAR NOT NULL,
    overlap INTEGER NOT NULL,
    rules_json VARCHAR NOT NULL,
    set_at TIMESTAMP NOT NULL
);

-- The task a person has before them, one row a person and study, with what they began to enter.
CREATE TABLE IF NOT EXISTS lease (
    study_id VARCHAR NOT NULL,
    person_id VARCHAR NOT NULL,
    task_id VARCHAR NOT NULL,
    taken_at TIMESTAMP NOT NULL,
    expires_at TIMESTAMP NOT NULL,
    seconds_active DOUBLE NOT NULL,
    reason VARCHAR,
    note VARCHAR NOT NULL
);

-- Tasks whose right decision is known; action is NULL where a task is gold no longer.
CREATE TABLE IF NOT EXISTS gold (
    study_id VARCHAR NOT NULL,
    task_id VARCHAR NOT NULL,
    seq BIGINT NOT NULL,
    person_id VARCHAR NOT NULL,
    action VARCHAR,
    reason VARCHAR,
    marked_at TIMESTAMP NOT NULL
);

-- What the automatic checks of one version found in a task; codes is their names with commas.
CREATE TABLE IF NOT EXISTS task_check (
    study_id VARCHAR NOT NULL,
    task_id VARCHAR NOT NULL,
    checks_version INTEGER NOT NULL,
    codes VARCHAR NOT NULL,
    flags_json VARCHAR NOT NULL
);

-- Tasks that say nearly the same: enough pairs to join every cluster at every threshold.
CREATE TABLE IF NOT EXISTS similar_pair (
    study_id VARCHAR NOT NULL,
    task_id VARCHAR NOT NULL,
    other_id VARCHAR NOT NULL,
    similarity DOUBLE NOT NULL
);

-- How many tasks a study had when its pairs were looked for.
CREATE TABLE IF NOT EXISTS similar_run (
    study_id VARCHAR NOT NULL,
    n_tasks BIGINT NOT NULL,
    made_at TIMESTAMP NOT NULL
);

-- How many people decide each task of a study; 1 where nothing was set.
CREATE OR REPLACE VIEW study_overlap AS
SELECT study.study_id, coalesce(arg_max(desk_rules.overlap, desk_rules.seq), 1) AS overlap
FROM study
LEFT JOIN desk_rules USING (study_id)
GROUP BY study.study_id;

-- The decisions nobody took back, the newest of each person on a task; final ones stand apart.
CREATE OR REPLACE VIEW standing_vote AS
SELECT task_id, study_id, person_id, review_id, seq, action, reason, note, is_final, decided_at,
    seconds_active, batch_id
FROM review
WHERE action IN ('keep', 'remove', 'skip')
    AND review_id NOT IN (SELECT undoes FROM review WHERE undoes IS NOT NULL)
QUALIFY row_number() OVER (
    PARTITION BY task_id, is_final, CASE WHEN is_final THEN '' ELSE person_id END ORDER BY seq DESC
) = 1;

-- The one decision that speaks for a task: the final one if there is one, else the newest keep or
-- remove; a skip only where nobody decided.
CREATE OR REPLACE VIEW standing_review AS
SELECT task_id, study_id, review_id, action, reason, note, person_id, decided_at, seq, is_final
FROM standing_vote
QUALIFY row_number() OVER (
    PARTITION BY task_id ORDER BY is_final DESC, action <> 'skip' DESC, seq DESC
) = 1;

-- How the people who decided each task voted.
CREATE OR REPLACE VIEW vote_count AS
SELECT
    task_id,
    count(*) FILTER (WHERE action <> 'skip') AS n_votes,
    count(*) FILTER (WHERE action = 'keep') AS n_keep,
    count(*) FILTER (WHERE action = 'remove') AS n_remove
FROM standing_vote
WHERE NOT is_final
GROUP BY task_id;

-- Each task with its state. A final decision settles it. Where one person decides, the newest
-- decision counts; where several do, all have to agree, or the task is disputed.
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
