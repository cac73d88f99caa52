-- name: report_models
-- Which models were asked in some studies, and which say they answered; answers without a call are
-- those of people, and those that came with an imported file.
SELECT study.name AS study, asked.step, asked.model, asked.model_answered, asked.is_without_call,
    count(*) AS n
FROM (
    SELECT study_id, step, model_asked AS model, model_answered, false AS is_without_call
    FROM call
    WHERE final AND outcome IN ('ok', 'refused', 'truncated', 'empty', 'unparsable')
    UNION ALL
    SELECT study_id, step, model, NULL AS model_answered, true AS is_without_call
    FROM label_now
    WHERE call_id IS NULL
) AS asked
JOIN study ON study.study_id = asked.study_id
WHERE list_contains($study_ids, asked.study_id)
GROUP BY ALL
ORDER BY ALL;

-- name: report_prompts
-- The prompts that the items which count were planned with; a conversation has several.
SELECT study.name AS study, item.step, prompt.name AS prompt, prompt.version, prompt.prompt_hash,
    count(DISTINCT item.item_id) AS n
FROM (
    SELECT study_id, step, item_id, prompt_hash FROM current_item
    UNION ALL
    SELECT study_id, step, item_id,
        unnest(string_split(json_extract_string(context_json, '$.wording'), ','))
    FROM current_item
    WHERE list_contains($study_ids, study_id)
        AND json_extract_string(context_json, '$.wording') IS NOT NULL
) AS item
JOIN study ON study.study_id = item.study_id
JOIN prompt ON prompt.prompt_hash = item.prompt_hash
WHERE list_contains($study_ids, item.study_id)
GROUP BY ALL
ORDER BY ALL;

-- name: report_parameters
-- Each parameter of the answered calls, as asked and as sent; addresses stay away, and seeds, of
-- which every call has its own, are one. What was dropped, and what is not told, is said in words.
WITH answered AS (
    SELECT study.name AS study, call.step, call.model_asked AS model,
        CAST(call.asked_json AS JSON) AS asked, CAST(call.honoured_json AS JSON) AS honoured
    FROM call
    JOIN study ON study.study_id = call.study_id
    WHERE list_contains($study_ids, call.study_id)
        AND call.final
        AND call.outcome IN ('ok', 'refused', 'truncated', 'empty', 'unparsable')
),
named AS (
    SELECT *, unnest(list_distinct(list_concat(json_keys(asked), json_keys(honoured)))) AS parameter
    FROM answered
)
SELECT
    study,
    step,
    model,
    parameter,
    CASE
        WHEN NOT list_contains(json_keys(asked), parameter) THEN 'not asked'
        WHEN parameter = 'seed' THEN 'one for each call'
        ELSE json_extract_string(asked, '$."' || parameter || '"')
    END AS asked,
    CASE
        WHEN len(json_keys(honoured)) = 0 THEN 'not told'
        WHEN list_contains(CAST(json_extract(honoured, '$.dropped') AS VARCHAR[]), parameter)
            THEN 'dropped'
        WHEN NOT list_contains(json_keys(honoured), parameter) THEN 'not sent'
        WHEN parameter = 'seed' THEN 'as asked'
        ELSE json_extract_string(honoured, '$."' || parameter || '"')
    END AS sent,
    count(*) AS n
FROM named
WHERE parameter NOT IN ('api_base', 'dropped')
GROUP BY ALL
ORDER BY ALL;

-- name: report_unread
-- Tasks of a measured step that nobody removed and that have no usable reply, by how their calls
-- ended.
SELECT study.name AS study, item.model, coalesce(item.outcome, 'pending') AS outcome, count(*) AS n
FROM item_now AS item
JOIN study ON study.study_id = item.study_id
JOIN task_state ON task_state.task_id = item.task_id
WHERE list_contains($study_ids, item.study_id)
    AND list_contains($steps, item.step)
    AND task_state.state <> 'removed'
    AND item.outcome IS DISTINCT FROM 'ok'
GROUP BY ALL
ORDER BY ALL;

-- name: report_deciders
-- How many people decided the tasks of some studies, and what automatic checks decided for them.
SELECT
    standing_vote.study_id,
    count(DISTINCT person.name) FILTER (WHERE person.name <> $stand_in) AS n_people,
    count(DISTINCT standing_vote.task_id) AS n_decided,
    count(DISTINCT standing_vote.task_id) FILTER (WHERE person.name = $stand_in) AS n_stood_in
FROM standing_vote
JOIN person ON person.person_id = standing_vote.person_id
WHERE list_contains($study_ids, standing_vote.study_id) AND standing_vote.action <> 'skip'
GROUP BY standing_vote.study_id
ORDER BY standing_vote.study_id;

-- name: results_data
-- One row for each drawn task and model of some studies, however its call ended.
SELECT
    study.name AS study,
    study.subject,
    item.model,
    study.prompt_set,
    item.task_id,
    task_state.intent,
    task_state.type,
    task_state.reason,
    label.label,
    label.reason AS label_reason,
    coalesce(item.outcome, 'pending') AS outcome,
    task_state.state = 'removed' AS removed,
    item.draw_id AS draw,
    item.draw_number
FROM item_now AS item
JOIN study ON study.study_id = item.study_id
JOIN task_state ON task_state.task_id = item.task_id
LEFT JOIN label_now AS label
    ON label.study_id = item.study_id
    AND label.step = item.step
    AND label.item_id = item.item_id
WHERE list_contains($study_ids, item.study_id) AND item.draw_id IS NOT NULL
ORDER BY study.name, item.model, item.step, item.position, item.task_id;
