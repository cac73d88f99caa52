-- name: funnel_tasks
-- How the tasks of some studies stand: one row per combination of cell, source, state, removal
-- reason, flags and whether it is drawn. codes is NULL where no check has seen the tasks.
SELECT
    task_state.study_id,
    task_state.type,
    task_state.intent,
    task_state.source,
    task_state.state,
    CASE task_state.state WHEN 'removed' THEN task_state.removal_reason END AS removal_reason,
    task_state.review_id IS NOT NULL AS is_begun,
    newest_check.codes,
    drawn.task_id IS NOT NULL AS is_drawn,
    count(*) AS n
FROM task_state
LEFT JOIN (
    -- While tasks are checked again, what the earlier version found stands beside the new.
    SELECT task_id, arg_max(codes, checks_version) AS codes
    FROM task_check
    WHERE list_contains($study_ids, study_id)
    GROUP BY task_id
) AS newest_check ON newest_check.task_id = task_state.task_id
LEFT JOIN (
    SELECT drawn_task.task_id
    FROM current_draw
    JOIN drawn_task ON drawn_task.draw_id = current_draw.draw_id
    WHERE list_contains($study_ids, current_draw.study_id)
) AS drawn ON drawn.task_id = task_state.task_id
WHERE list_contains($study_ids, task_state.study_id)
GROUP BY ALL
ORDER BY ALL;

-- name: funnel_readings
-- How many tasks of some studies have a usable reply in a measured step, by model and cell.
SELECT
    item.study_id,
    item.model,
    task_state.type,
    task_state.intent,
    task_state.state = 'removed' AS is_removed,
    count(DISTINCT item.task_id) AS n
FROM item_now AS item
JOIN task_state ON task_state.task_id = item.task_id
WHERE list_contains($study_ids, item.study_id)
    AND list_contains($steps, item.step)
    AND item.outcome = 'ok'
GROUP BY ALL
ORDER BY ALL;

-- name: funnel_verdicts
-- How many tasks of some studies have an answer with a valid verdict, by judge and cell.
SELECT
    answer.study_id,
    judged_answer.judge AS model,
    task_state.type,
    task_state.intent,
    task_state.state = 'removed' AS is_removed,
    count(DISTINCT answer.task_id) AS n
FROM judged_answer
JOIN answered_now AS answer
    ON answer.study_id = judged_answer.study_id AND answer.item_id = judged_answer.answer_item
JOIN task_state ON task_state.task_id = answer.task_id
WHERE list_contains($study_ids, judged_answer.study_id) AND judged_answer.verdict <> 'invalid'
GROUP BY ALL
ORDER BY ALL;

-- name: drawable_with_removed
-- The tasks of a draw that takes removed ones too: all there are.
SELECT task_id, type, intent, state
FROM task_state
WHERE study_id = $study_id
ORDER BY task_id;
