-- People audit judges: a frozen sample of verdicts, and what auditors say of each without having
-- seen it. Votes only ever grow; an undo names the vote it takes back.

-- One sample. method: random, stratified, disagreement or cell. settings_json: what it was drawn
-- from and how large each stratum was.
CREATE TABLE IF NOT EXISTS audit (
    audit_id VARCHAR NOT NULL,
    study_id VARCHAR NOT NULL,
    seq BIGINT NOT NULL,
    name VARCHAR NOT NULL,
    step VARCHAR NOT NULL,
    judge VARCHAR NOT NULL,
    prompt_hash VARCHAR NOT NULL,
    method VARCHAR NOT NULL,
    seed BIGINT NOT NULL,
    settings_json VARCHAR NOT NULL,
    person_id VARCHAR NOT NULL,
    made_at TIMESTAMP NOT NULL
);

-- One verdict in a sample, as it stood when the sample was drawn: item_id is the judge's item,
-- answer_item that of the answer it judged (empty where it judged a task itself), verdict yes or
-- no. weight is the number of verdicts that this one stands for.
CREATE TABLE IF NOT EXISTS audited (
    audit_id VARCHAR NOT NULL,
    study_id VARCHAR NOT NULL,
    item_id VARCHAR NOT NULL,
    answer_item VARCHAR NOT NULL,
    task_id VARCHAR NOT NULL,
    position BIGINT NOT NULL,
    stratum VARCHAR NOT NULL,
    weight DOUBLE NOT NULL,
    verdict VARCHAR NOT NULL
);

-- action: yes, no, unsure or undo. is_blind: whether the auditor had not been shown the verdict
-- before. is_final: whether it settles a disagreement of auditors.
CREATE TABLE IF NOT EXISTS audit_vote (
    vote_id VARCHAR NOT NULL,
    audit_id VARCHAR NOT NULL,
    study_id VARCHAR NOT NULL,
    item_id VARCHAR NOT NULL,
    person_id VARCHAR NOT NULL,
    seq BIGINT NOT NULL,
    action VARCHAR NOT NULL,
    note VARCHAR NOT NULL,
    undoes VARCHAR,
    is_final BOOLEAN NOT NULL,
    is_blind BOOLEAN NOT NULL,
    seconds_active DOUBLE,
    voted_at TIMESTAMP NOT NULL
);

-- A judge that somebody accepted for a study, or no longer: the newest row of a judge stands.
-- bar: what the lower ends of sensitivity and specificity had to reach.
CREATE TABLE IF NOT EXISTS judge_acceptance (
    study_id VARCHAR NOT NULL,
    step VARCHAR NOT NULL,
    judge VARCHAR NOT NULL,
    prompt_hash VARCHAR NOT NULL,
    seq BIGINT NOT NULL,
    person_id VARCHAR NOT NULL,
    is_accepted BOOLEAN NOT NULL,
    bar DOUBLE NOT NULL,
    sensitivity_low DOUBLE,
    specificity_low DOUBLE,
    decided_at TIMESTAMP NOT NULL
);

-- The votes nobody took back, the newest of each person on a verdict; final ones stand apart.
CREATE OR REPLACE VIEW audit_vote_now AS
SELECT audit_id, study_id, item_id, person_id, vote_id, seq, action, note, is_final, is_blind,
    seconds_active, voted_at
FROM audit_vote
WHERE action <> 'undo'
    AND vote_id NOT IN (SELECT undoes FROM audit_vote WHERE undoes IS NOT NULL)
QUALIFY row_number() OVER (
    PARTITION BY audit_id, item_id, is_final, CASE WHEN is_final THEN '' ELSE person_id END
    ORDER BY seq DESC
) = 1;

-- Each verdict of a sample with what its auditors say together: a final vote settles it; else all
-- who said yes or no have to agree, or it is disputed; unsure where nobody said either, open where
-- nobody voted. is_blind: whether all votes that count were given without having seen the verdict.
CREATE OR REPLACE VIEW audited_now AS
SELECT
    audited.*,
    CASE
        WHEN votes.final IS NOT NULL THEN votes.final
        WHEN votes.n_yes > 0 AND votes.n_no > 0 THEN 'disputed'
        WHEN votes.n_yes > 0 THEN 'yes'
        WHEN votes.n_no > 0 THEN 'no'
        WHEN votes.n_unsure > 0 THEN 'unsure'
        ELSE 'open'
    END AS truth,
    coalesce(votes.n_yes, 0) AS n_yes,
    coalesce(votes.n_no, 0) AS n_no,
    coalesce(votes.n_unsure, 0) AS n_unsure,
    coalesce(votes.is_blind, true) AS is_blind
FROM audited
LEFT JOIN (
    SELECT
        audit_id,
        item_id,
        arg_max(action, seq) FILTER (WHERE is_final) AS final,
        count(*) FILTER (WHERE action = 'yes' AND NOT is_final) AS n_yes,
        count(*) FILTER (WHERE action = 'no' AND NOT is_final) AS n_no,
        count(*) FILTER (WHERE action = 'unsure' AND NOT is_final) AS n_unsure,
        bool_and(is_blind) FILTER (WHERE NOT is_final) AS is_blind
    FROM audit_vote_now
    GROUP BY audit_id, item_id
) AS votes USING (audit_id, item_id);
