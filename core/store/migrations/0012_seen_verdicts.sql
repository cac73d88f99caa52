-- What people saw and began to say outside their votes on a judge's verdicts.

-- A verdict that a person was shown elsewhere than at the audit desk, such as among the answers behind
-- a number, the first time. item_id is the judge's item.
CREATE TABLE IF NOT EXISTS verdict_shown (
    study_id VARCHAR NOT NULL,
    item_id VARCHAR NOT NULL,
    person_id VARCHAR NOT NULL,
    shown_at TIMESTAMP NOT NULL
);

-- The note a person began to write on a verdict of a sample. It is no event: it is replaced as they
-- write on, and goes with their vote.
CREATE TABLE IF NOT EXISTS audit_draft (
    audit_id VARCHAR NOT NULL,
    person_id VARCHAR NOT NULL,
    item_id VARCHAR NOT NULL,
    note VARCHAR NOT NULL
);
