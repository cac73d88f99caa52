-- name: step_outcomes
-- How the planned items of a study stand, per step and model. Outcomes and pending add up to
-- planned; an item counts once, by its last final call.
SELECT
    item.step,
    item.model,
    count(*) AS planned,
    count(*) FILTER (WHERE item_outcome.outcome = 'ok') AS ok,
    count(*) FILTER (WHERE item_outcome.outcome = 'refused') AS refused,
    count(*) FILTER (WHERE item_outcome.outcome = 'truncated') AS truncated,
    count(*) FILTER (WHERE item_outcome.outcome = 'empty') AS empty,
    count(*) FILTER (WHERE item_outcome.outcome = 'unparsable') AS unparsable,
    count(*) FILTER (WHERE item_outcome.outcome = 'provider_error') AS provider_error,
    count(*) FILTER (WHERE item_outcome.outcome = 'timed_out') AS timed_out,
    count(*) FILTER (WHERE item_outcome.outcome = 'budget_stopped') AS budget_stopped,
    count(*) FILTER (WHERE item_outcome.outcome = 'cancelled') AS cancelled,
    count(*) FILTER (WHERE item_outcome.outcome IS NULL) AS pending
FROM (
    SELECT DISTINCT step, model, item_id FROM current_item WHERE study_id = $study_id
) AS item
LEFT JOIN (
    SELECT step, item_id, outcome FROM item_outcome WHERE study_id = $study_id
) AS item_outcome USING (step, item_id)
GROUP BY item.step, item.model
ORDER BY item.step, item.model;
