-- What is current, as views over the events.

-- The draw a study works with: its latest.
CREATE OR REPLACE VIEW current_draw AS
SELECT study_id, arg_max(draw_id, seq) AS draw_id
FROM draw
GROUP BY study_id;

-- The items that count: those of steps without a draw, and those of the current draw.
CREATE OR REPLACE VIEW current_item AS
SELECT planned.*
FROM planned
LEFT JOIN current_draw USING (study_id)
WHERE planned.draw_id IS NULL OR planned.draw_id = current_draw.draw_id;

-- How each item stands: the outcome of its last final call; imported labels count as ok.
CREATE OR REPLACE VIEW item_outcome AS
SELECT study_id, step, item_id, arg_max(outcome, seq) AS outcome
FROM (
    SELECT study_id, step, item_id, seq, outcome FROM call WHERE final
    UNION ALL
    SELECT study_id, step, item_id, seq, 'ok' AS outcome FROM label WHERE call_id IS NULL
)
GROUP BY study_id, step, item_id;

-- Each item that counts, with its outcome; answered ones were paid for and are never called again.
CREATE OR REPLACE VIEW item_now AS
SELECT
    current_item.*,
    item_outcome.outcome,
    coalesce(
        item_outcome.outcome IN ('ok', 'refused', 'truncated', 'empty', 'unparsable'), false
    ) AS is_answered
FROM current_item
LEFT JOIN item_outcome USING (study_id, step, item_id);

-- The decision that stands on each task: the last keep, remove or skip that nobody took back.
CREATE OR REPLACE VIEW standing_review AS
SELECT task_id, study_id, review_id, action, reason, note, person_id, decided_at
FROM review
WHERE action IN ('keep', 'remove', 'skip')
    AND review_id NOT IN (SELECT undoes FROM review WHERE undoes IS NOT NULL)
QUALIFY row_number() OVER (PARTITION BY task_id ORDER BY seq DESC) = 1;

-- Each task with its state: kept, removed, skipped or pending.
CREATE OR REPLACE VIEW task_state AS
SELECT
    task.*,
    CASE standing_review.action
        WHEN 'keep' THEN 'kept'
        WHEN 'remove' THEN 'removed'
        WHEN 'skip' THEN 'skipped'
        ELSE 'pending'
    END AS state,
    standing_review.reason AS removal_reason,
    standing_review.note AS review_note,
    standing_review.review_id,
    standing_review.person_id,
    standing_review.decided_at
FROM task
LEFT JOIN standing_review USING (task_id);
