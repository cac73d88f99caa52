-- Answers and what judges said of them, for all that counts, compares or lists them.

-- Each item that a model or a person has answered, with the label of the answer; `unparsable` where
-- the reply could not be used.
CREATE OR REPLACE VIEW answered_now AS
SELECT
    item_now.study_id,
    item_now.step,
    item_now.item_id,
    item_now.task_id,
    item_now.model,
    item_now.position,
    CASE item_now.outcome WHEN 'ok' THEN label_now.label ELSE 'unparsable' END AS label,
    label_now.answer
FROM item_now
LEFT JOIN label_now USING (study_id, step, item_id)
WHERE item_now.is_answered AND (item_now.outcome <> 'ok' OR label_now.label IS NOT NULL);

-- What each judge says of each answer that it was asked about. judge: the model with the version of
-- its prompt. verdict: its label; `invalid` where it said nothing that can be read; NULL while it
-- owes it. match: how the answer matches a reference answer without a judge.
CREATE OR REPLACE VIEW judged_answer AS
SELECT
    judgement_now.study_id,
    judgement_now.step,
    judgement_now.answer_item,
    judgement_now.judge AS model,
    judgement_now.prompt_hash,
    judgement_now.judge || ', prompt v' || prompt.version AS judge,
    CASE
        WHEN judgement_now.outcome IN ('ok', 'refused', 'truncated', 'empty', 'unparsable')
            THEN coalesce(label_now.label, 'invalid')
    END AS verdict,
    json_extract_string(planned.context_json, '$.match') AS match
FROM judgement_now
JOIN prompt ON prompt.prompt_hash = judgement_now.prompt_hash
JOIN planned
    ON planned.study_id = judgement_now.study_id
    AND planned.step = judgement_now.step
    AND planned.item_id = judgement_now.item_id
LEFT JOIN label_now
    ON label_now.study_id = judgement_now.study_id
    AND label_now.step = judgement_now.step
    AND label_now.item_id = judgement_now.item_id
WHERE judgement_now.answer_item <> '';
