-- name: label_counts
-- How often each combination of what was intended and what was answered occurs, per study and
-- model: over the current draw, without the tasks that people removed unless they are asked for.
SELECT
    study.name AS study,
    study.subject,
    item.model,
    study.prompt_set,
    task_state.intent,
    task_state.type,
    task_state.reason,
    label.label,
    label.reason AS label_reason,
    label.type AS label_type,
    count(*) AS n
FROM current_item AS item
JOIN study ON study.study_id = item.study_id
JOIN task_state ON task_state.task_id = item.task_id
JOIN label_now AS label
    ON label.study_id = item.study_id
    AND label.step = item.step
    AND label.item_id = item.item_id
WHERE list_contains($study_ids, item.study_id)
    AND item.draw_id IS NOT NULL
    AND ($with_removed OR task_state.state <> 'removed')
GROUP BY ALL
ORDER BY ALL;

-- name: label_coverage
-- For each study and model: drawn tasks planned, those that are removed, and how the rest ended.
SELECT
    study.name AS study,
    item.model,
    count(*) AS planned,
    count(*) FILTER (WHERE task_state.state = 'removed') AS removed_since,
    count(*) FILTER (WHERE task_state.state <> 'removed' AND item.outcome = 'ok') AS read,
    count(*) FILTER (WHERE task_state.state <> 'removed' AND item.outcome <> 'ok') AS unread,
    count(*) FILTER (WHERE task_state.state <> 'removed' AND item.outcome IS NULL) AS open
FROM item_now AS item
JOIN study ON study.study_id = item.study_id
JOIN task_state ON task_state.task_id = item.task_id
WHERE list_contains($study_ids, item.study_id) AND item.draw_id IS NOT NULL
GROUP BY ALL
ORDER BY ALL;

-- name: studies_with_labels
-- The studies that have at least one label on a drawn task, newest first.
SELECT study.name
FROM study
WHERE study.study_id IN (
    SELECT label.study_id
    FROM label_now AS label
    JOIN current_item AS item
        ON item.study_id = label.study_id
        AND item.step = label.step
        AND item.item_id = label.item_id
    WHERE item.draw_id IS NOT NULL
)
ORDER BY study.created_at DESC, study.name;

-- name: labels_of_study
-- How many labels on drawn tasks a study has.
SELECT count(*) AS n
FROM label_now AS label
JOIN current_item AS item
    ON item.study_id = label.study_id AND item.step = label.step AND item.item_id = label.item_id
WHERE label.study_id = $study_id AND item.draw_id IS NOT NULL;
