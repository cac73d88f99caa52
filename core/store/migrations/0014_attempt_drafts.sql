-- What people began to write at the attempt desk.

-- The text a person began to write to a task in a step. Like the draft of a note it is no event: it
-- is replaced as they write on, and goes with what they give.
CREATE TABLE IF NOT EXISTS attempt_draft (
    study_id VARCHAR NOT NULL,
    step VARCHAR NOT NULL,
    task_id VARCHAR NOT NULL,
    person_id VARCHAR NOT NULL,
    text VARCHAR NOT NULL
);
