-- What is known of tasks and of replies, for all that counts or compares them.

-- The tasks whose right decision is known: marked so, not unmarked since, and settled by the very
-- decision that came with the mark.
CREATE OR REPLACE VIEW known_gold AS
SELECT gold.study_id, gold.task_id, gold.action, gold.reason, gold.person_id
FROM gold
JOIN standing_vote
    ON standing_vote.task_id = gold.task_id
    AND standing_vote.seq = gold.seq
    AND standing_vote.is_final
WHERE NOT EXISTS (
    SELECT 1
    FROM gold AS later
    WHERE later.task_id = gold.task_id AND later.action IS NULL AND later.seq > gold.seq
);

-- Each item of the current draw that was answered, with its task, but for tasks that people removed.
-- label is NULL where the reply could not be used.
CREATE OR REPLACE VIEW drawn_reply AS
SELECT
    item.study_id,
    item.step,
    item.item_id,
    item.task_id,
    item.model,
    task_state.position,
    task_state.intent,
    task_state.type,
    task_state.reason,
    label_now.label,
    label_now.reason AS label_reason
FROM current_item AS item
JOIN task_state ON task_state.task_id = item.task_id
LEFT JOIN label_now
    ON label_now.study_id = item.study_id
    AND label_now.step = item.step
    AND label_now.item_id = item.item_id
LEFT JOIN (
    SELECT study_id, step, item_id
    FROM call
    WHERE final AND outcome IN ('refused', 'truncated', 'empty', 'unparsable')
) AS no_reply
    ON no_reply.study_id = item.study_id
    AND no_reply.step = item.step
    AND no_reply.item_id = item.item_id
WHERE item.draw_id IS NOT NULL
    AND task_state.state <> 'removed'
    AND (label_now.label IS NOT NULL OR no_reply.item_id IS NOT NULL);
