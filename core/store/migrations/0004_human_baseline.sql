-- People attempt drawn tasks beside the models. What a person does with a task is a label of the
-- same step, of their own item, and without a call.

-- Who did it; NULL for models and imported files, as are the next two.
ALTER TABLE label ADD COLUMN IF NOT EXISTS person_id VARCHAR;

-- action: answer, skip or undo. An undo takes back what its person did with the item before; only
-- an answer has a label.
ALTER TABLE label ADD COLUMN IF NOT EXISTS action VARCHAR;

-- How long the person had the task before them.
ALTER TABLE label ADD COLUMN IF NOT EXISTS seconds_active DOUBLE;

-- The newest thing each person did with each item.
CREATE OR REPLACE VIEW attempt_now AS
SELECT study_id, step, item_id, task_id, model, person_id, seq, action, label, reason, answer,
    seconds_active, labelled_at
FROM label
WHERE action IS NOT NULL
QUALIFY row_number() OVER (
    PARTITION BY study_id, step, person_id, item_id ORDER BY seq DESC
) = 1;

-- The labels that count: all that models gave, and of people those that stand.
CREATE OR REPLACE VIEW label_now AS
SELECT study_id, step, item_id, call_id, task_id, model, seq, label, reason, type, answer, value,
    note, labelled_at, person_id, seconds_active
FROM label
WHERE action IS NULL
UNION ALL
SELECT study_id, step, item_id, NULL AS call_id, task_id, model, seq, label, reason, NULL AS type,
    answer, NULL AS value, '' AS note, labelled_at, person_id, seconds_active
FROM attempt_now
WHERE action = 'answer';

-- How each item stands: the outcome of its last final call; imported labels and those of people
-- count as ok.
CREATE OR REPLACE VIEW item_outcome AS
SELECT study_id, step, item_id, arg_max(outcome, seq) AS outcome
FROM (
    SELECT study_id, step, item_id, seq, outcome FROM call WHERE final
    UNION ALL
    SELECT study_id, step, item_id, seq, 'ok' AS outcome FROM label_now WHERE call_id IS NULL
)
GROUP BY study_id, step, item_id;
