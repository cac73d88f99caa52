-- name: planned_per_cell
-- How many items of a step are planned in each cell.
SELECT
    json_extract_string(context_json, '$.type') AS type,
    json_extract_string(context_json, '$.intent') AS intent,
    count(*) AS n
FROM planned
WHERE study_id = $study_id AND step = $step
GROUP BY ALL
ORDER BY ALL;

-- name: unplanned_drawn_tasks
-- Tasks of the current draw that a model has not been planned to see, in the draw's order.
SELECT drawn_task.draw_id, drawn_task.task_id, drawn_task.position,
    task.intent, task.type, task.reason
FROM current_draw
JOIN drawn_task ON drawn_task.draw_id = current_draw.draw_id
JOIN task ON task.task_id = drawn_task.task_id
WHERE current_draw.study_id = $study_id
    AND NOT EXISTS (
        SELECT 1 FROM planned
        WHERE planned.study_id = $study_id
            AND planned.step = $step
            AND planned.draw_id = drawn_task.draw_id
            AND planned.task_id = drawn_task.task_id
            AND planned.model = $model
    )
ORDER BY drawn_task.position;

-- name: unplanned_tasks
-- Tasks that nobody removed and that a model has not been planned to see, whichever are drawn.
SELECT NULL AS draw_id, task_id, position, intent, type, reason
FROM task_state
WHERE study_id = $study_id
    AND state <> 'removed'
    AND task_id NOT IN (
        SELECT task_id FROM planned
        WHERE study_id = $study_id AND step = $step AND model = $model AND task_id IS NOT NULL
    )
ORDER BY position, task_id;

-- name: unplanned_count
-- How many calls the tasks of `unplanned_tasks` will owe.
SELECT count(*) AS n
FROM task_state
WHERE study_id = $study_id
    AND state <> 'removed'
    AND task_id NOT IN (
        SELECT task_id FROM planned
        WHERE study_id = $study_id AND step = $step AND model = $model AND task_id IS NOT NULL
    );

-- name: unplanned_owed_count
-- How many calls the tasks of `unplanned_drawn_tasks` will owe: a task that the model answered in
-- an earlier draw owes none.
SELECT count(*) AS n
FROM current_draw
JOIN drawn_task ON drawn_task.draw_id = current_draw.draw_id
WHERE current_draw.study_id = $study_id
    AND NOT EXISTS (
        SELECT 1 FROM planned
        LEFT JOIN item_outcome
            ON item_outcome.study_id = planned.study_id
            AND item_outcome.step = planned.step
            AND item_outcome.item_id = planned.item_id
        WHERE planned.study_id = $study_id
            AND planned.step = $step
            AND planned.task_id = drawn_task.task_id
            AND planned.model = $model
            AND (
                planned.draw_id = drawn_task.draw_id
                OR item_outcome.outcome IN ('ok', 'refused', 'truncated', 'empty', 'unparsable')
            )
    );

-- name: unplanned_answers
-- The answers to tasks that nobody removed, by models and people, about which a judge's prompt has
-- not been planned to be asked; where a sandbox takes the place of a judge, programs to run.
SELECT label_now.item_id AS answer_of, label_now.task_id, label_now.model, label_now.label,
    label_now.answer, task_state.position, task_state.intent, task_state.type, task_state.reason,
    task_state.references_json
FROM label_now
JOIN task_state ON task_state.task_id = label_now.task_id
WHERE label_now.study_id = $study_id
    AND label_now.step = $answers_of
    AND task_state.state <> 'removed'
    AND label_now.item_id NOT IN (
        SELECT json_extract_string(context_json, '$.answer_of')
        FROM planned
        WHERE study_id = $study_id
            AND step = $step
            AND model = $model
            AND prompt_hash = $prompt_hash
    )
ORDER BY task_state.position, label_now.item_id;

-- name: items_without_verdict
-- The newest item of each task or answer that a judge was asked about and left without a valid
-- verdict, when no call about it is owed; whole, with the number of the next try.
SELECT item.study_id, item.step, item.draw_id, item.position, item.task_id, item.model,
    item.prompt_hash, item.parameters_json, item.context_json,
    judgement.draw_number + 1 AS draw_number
FROM judgement_now AS judgement
JOIN item_now AS item
    ON item.study_id = judgement.study_id
    AND item.step = judgement.step
    AND item.item_id = judgement.item_id
WHERE judgement.study_id = $study_id
    AND judgement.step = $step
    AND judgement.judge = $model
    AND judgement.outcome IN ('refused', 'truncated', 'empty', 'unparsable')
    AND judgement.n_owed = 0
ORDER BY item.position, judgement.answer_item;

-- name: n_without_verdict
-- How many tasks or answers a judge was asked about and left without a valid verdict, by any of
-- its prompts.
SELECT count(*) AS n
FROM judgement_now
WHERE study_id = $study_id
    AND step = $step
    AND judge = $model
    AND outcome IN ('refused', 'truncated', 'empty', 'unparsable')
    AND n_owed = 0;

-- name: owed_items
-- The calls still owed: planned, and not yet answered by the model. Failed ones are owed anew. A
-- call about an answer comes with it.
SELECT item_now.item_id, item_now.position, item_now.task_id, item_now.model,
    item_now.prompt_hash, item_now.parameters_json, item_now.context_json,
    task.text AS task_text, task.references_json, task.checks_json, answer.answer
FROM item_now
LEFT JOIN task ON task.task_id = item_now.task_id
LEFT JOIN (
    SELECT item_id, answer FROM label_now WHERE study_id = $study_id
) AS answer ON answer.item_id = json_extract_string(item_now.context_json, '$.answer_of')
WHERE item_now.study_id = $study_id
    AND item_now.step = $step
    AND item_now.model = $model
    AND NOT item_now.is_answered
ORDER BY item_now.position;

-- name: owed_count
-- How many calls are still owed.
SELECT count(*) AS n
FROM item_now
WHERE study_id = $study_id AND step = $step AND model = $model AND NOT is_answered;

-- name: step_models
-- The models a step has been planned for with the tasks of the draw.
SELECT model, count(*) AS n
FROM current_item
WHERE study_id = $study_id AND step = $step AND draw_id IS NOT NULL
GROUP BY model
ORDER BY min(planned_at), model;

-- name: step_spent
-- What a step has cost so far.
SELECT coalesce(sum(cost_usd), 0) AS cost_usd
FROM call
WHERE study_id = $study_id AND step = $step;

-- name: last_runs
-- The last run of every step and model of a study, with how it stands.
SELECT run.run_id, run.step, run.model, run.n_owed, run.started_at,
    last_event.event, last_event.detail, last_event.happened_at
FROM run
JOIN (
    SELECT run_id, arg_max(event, seq) AS event, arg_max(detail, seq) AS detail,
        max(happened_at) AS happened_at
    FROM run_event
    GROUP BY run_id
) AS last_event USING (run_id)
WHERE run.study_id = $study_id
QUALIFY row_number() OVER (PARTITION BY run.step, run.model ORDER BY run.started_at DESC) = 1
ORDER BY run.started_at;

-- name: step_cells
-- For each cell of a step: calls planned, and those that have ended. People make no calls.
SELECT
    json_extract_string(context_json, '$.type') AS type,
    json_extract_string(context_json, '$.intent') AS intent,
    count(*) AS planned,
    count(outcome) AS ended
FROM item_now
WHERE study_id = $study_id AND step = $step AND NOT starts_with(model, 'person/')
GROUP BY ALL
ORDER BY ALL;

-- name: newest_replies
-- The newest final calls of a step with what was read from them; a call about an answer comes with
-- that answer.
SELECT call.call_id, call.item_id, call.outcome, call.latency_s, call.model_asked,
    call.model_answered, call.honoured_json, call.text, call.error, label.label, label.reason,
    label.answer, label.value, task.text AS task_text, task.intent, task.type,
    task.reason AS task_reason, judged.answer AS judged_answer
FROM (
    SELECT call_id, item_id, outcome, latency_s, model_asked, model_answered, honoured_json, text,
        error, seq
    FROM call
    WHERE study_id = $study_id AND step = $step AND final
    ORDER BY seq DESC
    LIMIT $n
) AS call
LEFT JOIN label ON label.call_id = call.call_id
LEFT JOIN (
    SELECT DISTINCT item_id, task_id, json_extract_string(context_json, '$.answer_of') AS answer_of
    FROM planned
    WHERE study_id = $study_id AND step = $step
) AS item ON item.item_id = call.item_id
LEFT JOIN (
    SELECT item_id, answer FROM label_now WHERE study_id = $study_id
) AS judged ON judged.item_id = item.answer_of
LEFT JOIN task AS made ON made.study_id = $study_id AND made.source_ref = call.item_id
LEFT JOIN task ON task.task_id = coalesce(made.task_id, item.task_id)
ORDER BY call.seq DESC;

-- name: call_speed
-- Median seconds and tokens of the answered calls of a model in a step, over all studies.
SELECT
    median(latency_s) AS latency_s,
    avg(prompt_tokens) AS prompt_tokens,
    avg(completion_tokens) AS completion_tokens,
    count(*) AS n
FROM call
WHERE step = $step AND model_asked = $model AND final AND raw_json <> '{}';

-- name: planned_now
-- The planned items of a step that count now, whole.
SELECT study_id, step, item_id, draw_id, position, task_id, draw_number, model, prompt_hash,
    parameters_json, context_json, planned_at
FROM current_item
WHERE study_id = $study_id AND step = $step
ORDER BY position;

-- name: drawn_texts
-- Texts of some tasks of the current draw, for estimating the size of calls.
SELECT task.text, task.intent, task.type, task.reason
FROM current_draw
JOIN drawn_task ON drawn_task.draw_id = current_draw.draw_id
JOIN task ON task.task_id = drawn_task.task_id
WHERE current_draw.study_id = $study_id
ORDER BY drawn_task.position
LIMIT $n;

-- name: some_task_texts
-- Texts of some tasks that nobody removed, for estimating the size of calls.
SELECT text, intent, type, reason
FROM task_state
WHERE study_id = $study_id AND state <> 'removed'
ORDER BY position, task_id
LIMIT $n;

-- name: planned_prompt_versions
-- The versions of a prompt that items of a step were planned with, the first one used first.
SELECT prompt.version, min(planned.planned_at) AS planned_at
FROM planned
JOIN prompt ON prompt.prompt_hash = planned.prompt_hash
WHERE planned.study_id = $study_id AND planned.step = $step AND prompt.name = $name
GROUP BY prompt.version
ORDER BY min(planned.planned_at);

-- name: answered_items
-- The items of drawn tasks that have an answer, whichever draw they were planned for; one row each.
SELECT planned.study_id, planned.step, planned.item_id, planned.task_id, planned.draw_number,
    planned.model, planned.prompt_hash, planned.parameters_json, planned.context_json,
    min(planned.planned_at) AS planned_at
FROM planned
JOIN item_outcome
    ON item_outcome.study_id = planned.study_id
    AND item_outcome.step = planned.step
    AND item_outcome.item_id = planned.item_id
WHERE planned.study_id = $study_id
    AND planned.draw_id IS NOT NULL
    AND item_outcome.outcome IN ('ok', 'refused', 'truncated', 'empty', 'unparsable')
GROUP BY ALL
ORDER BY ALL;

-- name: open_items_since
-- Items of a step and model that were planned after a moment and have no final call yet.
SELECT count(DISTINCT item_id) AS n
FROM item_now
WHERE study_id = $study_id
    AND step = $step
    AND model = $model
    AND planned_at > $since
    AND outcome IS NULL;

-- name: open_per_cell
-- For each cell of a step: items planned that the model has not answered.
SELECT
    json_extract_string(context_json, '$.type') AS type,
    json_extract_string(context_json, '$.intent') AS intent,
    count(*) AS n
FROM item_now
WHERE study_id = $study_id AND step = $step AND NOT is_answered
GROUP BY ALL
ORDER BY ALL;
