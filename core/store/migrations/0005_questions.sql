-- Questions beside generated tasks, and judges of answers beside judges of tasks.

-- The answers that count as right, as a JSON list; NULL for what is no question.
ALTER TABLE task ADD COLUMN IF NOT EXISTS references_json VARCHAR;

-- What questions of several files have in common, such as knowledge-intensive; NULL for none.
ALTER TABLE task ADD COLUMN IF NOT EXISTS group_name VARCHAR;

-- The task that this one was rewritten from; NULL for what is no rewrite.
ALTER TABLE task ADD COLUMN IF NOT EXISTS made_from VARCHAR;

-- Each task with its state, as before; made anew, for a view keeps the columns it was made with.
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

-- What a judging call is about: the item of the answer it judges, empty where it judges a task
-- itself. A judge is a model with a prompt; asked again, it has another item with a higher
-- draw_number. Of all that one judge said of one answer the newest valid verdict stands.
CREATE OR REPLACE VIEW judgement_now AS
SELECT
    study_id,
    step,
    task_id,
    model AS judge,
    prompt_hash,
    coalesce(json_extract_string(context_json, '$.answer_of'), '') AS answer_item,
    max(draw_number) AS draw_number,
    count(*) FILTER (WHERE NOT is_answered) AS n_owed,
    arg_max(item_id, (outcome IS NOT DISTINCT FROM 'ok', draw_number)) AS item_id,
    arg_max(outcome, (outcome IS NOT DISTINCT FROM 'ok', draw_number)) AS outcome
FROM item_now
GROUP BY study_id, step, task_id, judge, prompt_hash, answer_item;
