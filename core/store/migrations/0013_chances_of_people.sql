-- People state the chance that they would solve a task: a label with a value, as models give it.

-- The newest thing each person did with each item, as before, with the chance they stated.
CREATE OR REPLACE VIEW attempt_now AS
SELECT study_id, step, item_id, task_id, model, person_id, seq, action, label, reason, answer,
    seconds_active, labelled_at, value
FROM label
WHERE action IS NOT NULL
QUALIFY row_number() OVER (
    PARTITION BY study_id, step, person_id, item_id ORDER BY seq DESC
) = 1;

-- The labels that count, as before, with the value of what people gave. Its columns are the same,
-- so that the views on it need not be made anew.
CREATE OR REPLACE VIEW label_now AS
SELECT study_id, step, item_id, call_id, task_id, model, seq, label, reason, type, answer, value,
    note, labelled_at, person_id, seconds_active
FROM label
WHERE action IS NULL
UNION ALL
SELECT study_id, step, item_id, NULL AS call_id, task_id, model, seq, label, reason, NULL AS type,
    answer, value, '' AS note, labelled_at, person_id, seconds_active
FROM attempt_now
WHERE action = 'answer';
