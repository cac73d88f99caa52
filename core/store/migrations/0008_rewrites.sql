-- Rewrites of tasks, and what came of them.

-- Every attempt to rewrite a task, in the order of its draw_number, and its one result:
--   waiting           not written, or not verified yet
--   unreadable        the reply was refused, cut off, empty or no rewrite
--   unchanged         it is the original, but for case and white space
--   judged_otherwise  a judge says that it can be solved and it should not, or the reverse
--   no_verdict        judges were asked, and none gave a valid verdict
--   removed           people removed it, before or after it was verified
--   verified          every judge with a valid verdict says what should be
CREATE OR REPLACE VIEW rewrite_attempt AS
WITH verdicts AS (
    SELECT
        judgement_now.study_id,
        judgement_now.task_id,
        count(*) FILTER (WHERE label_now.label = 'yes') AS n_yes,
        count(*) FILTER (WHERE label_now.label = 'no') AS n_no,
        sum(judgement_now.n_owed) AS n_owed
    FROM judgement_now
    LEFT JOIN label_now USING (study_id, step, item_id)
    WHERE judgement_now.step = 'verify-rewrites'
    GROUP BY judgement_now.study_id, judgement_now.task_id
),
attempt AS (
    SELECT
        item_now.study_id,
        item_now.task_id AS original_id,
        item_now.draw_number,
        item_now.item_id,
        item_now.context_json,
        json_extract_string(item_now.context_json, '$.type') AS part,
        item_now.is_answered,
        item_now.outcome,
        rewrite.task_id AS rewrite_id,
        rewrite.state,
        regexp_replace(lower(trim(rewrite.text)), '\s+', ' ', 'g')
            = regexp_replace(lower(trim(original.text)), '\s+', ' ', 'g') AS is_unchanged,
        coalesce(CASE rewrite.intent WHEN 'answerable' THEN n_yes ELSE n_no END, 0) AS n_so,
        coalesce(CASE rewrite.intent WHEN 'answerable' THEN n_no ELSE n_yes END, 0) AS n_otherwise,
        n_owed
    FROM item_now
    JOIN task AS original ON original.task_id = item_now.task_id
    LEFT JOIN task_state AS rewrite
        ON rewrite.study_id = item_now.study_id
        AND rewrite.made_from = item_now.task_id
        AND rewrite.source_ref = item_now.item_id
    LEFT JOIN verdicts
        ON verdicts.study_id = item_now.study_id AND verdicts.task_id = rewrite.task_id
    WHERE item_now.step = 'rewrite'
)
SELECT
    study_id,
    original_id,
    draw_number,
    item_id,
    context_json,
    part,
    rewrite_id,
    CASE
        WHEN NOT is_answered THEN 'waiting'
        WHEN outcome <> 'ok' THEN 'unreadable'
        WHEN is_unchanged THEN 'unchanged'
        WHEN n_otherwise > 0 THEN 'judged_otherwise'
        WHEN n_so = 0 AND n_owed = 0 THEN 'no_verdict'
        WHEN state = 'removed' THEN 'removed'
        WHEN n_so > 0 THEN 'verified'
        ELSE 'waiting'
    END AS result
FROM attempt;

-- Every task that can be rewritten (people brought it with reference answers), and what became of
-- it. part: what its planned rewrite is to be, or original where none is planned. state:
--   left_out  people removed it
--   kept      no rewrite of it is planned, so it stays as it is
--   accepted  a rewrite of it is verified: rewrite_id, the first such one
--   removed   people removed its rewrite
--   open      its newest rewrite waits to be written or verified
--   due       its rewrites failed, and there may be another
--   dropped   five rewrites of it failed
-- n_attempts: rewrites planned. result: of the last of them, NULL without any.
CREATE OR REPLACE VIEW original_now AS
SELECT
    task_state.study_id,
    task_state.task_id,
    task_state.position,
    task_state.text,
    task_state.type,
    task_state.group_name,
    task_state.references_json,
    coalesce(attempts.part, 'original') AS part,
    CASE
        WHEN task_state.state = 'removed' THEN 'left_out'
        WHEN attempts.n_attempts IS NULL THEN 'kept'
        WHEN attempts.rewrite_id IS NOT NULL THEN 'accepted'
        WHEN attempts.n_removed > 0 THEN 'removed'
        WHEN attempts.n_waiting > 0 THEN 'open'
        WHEN attempts.n_attempts < 5 THEN 'due'
        ELSE 'dropped'
    END AS state,
    coalesce(attempts.n_attempts, 0) AS n_attempts,
    attempts.rewrite_id,
    attempts.result,
    attempts.context_json
FROM task_state
LEFT JOIN (
    SELECT
        study_id,
        original_id,
        any_value(part) AS part,
        count(*) AS n_attempts,
        count(*) FILTER (WHERE result = 'waiting') AS n_waiting,
        count(*) FILTER (WHERE result = 'removed') AS n_removed,
        arg_min(rewrite_id, draw_number) FILTER (WHERE result = 'verified') AS rewrite_id,
        arg_max(result, draw_number) AS result,
        arg_max(context_json, draw_number) AS context_json
    FROM rewrite_attempt
    GROUP BY study_id, original_id
) AS attempts
    ON attempts.study_id = task_state.study_id AND attempts.original_id = task_state.task_id
WHERE task_state.made_from IS NULL
    AND task_state.intent = 'answerable'
    AND task_state.references_json IS NOT NULL
    AND task_state.references_json <> '[]';
