-- name: export_study
-- The study itself.
SELECT study_id, name, protocol, subject, prompt_set, judge, settings_json, source, is_demo,
    created_at
FROM study
WHERE study_id = $study_id;

-- name: export_tasks
-- Every task with its state.
SELECT task_state.task_id, task_state.position, task_state.text, task_state.intent,
    task_state.type, task_state.reason, task_state.source, task_state.source_ref, task_state.note,
    task_state.state, task_state.removal_reason, task_state.review_note,
    person.name AS decided_by, task_state.decided_at, task_state.created_at
FROM task_state
LEFT JOIN person USING (person_id)
WHERE task_state.study_id = $study_id
ORDER BY task_state.position, task_state.task_id;

-- name: export_reviews
-- Every decision, undos included, oldest first.
SELECT review.review_id, review.task_id, person.name AS person, review.action, review.reason,
    review.note, review.undoes, review.seconds_active, review.decided_at
FROM review
LEFT JOIN person USING (person_id)
WHERE review.study_id = $study_id
ORDER BY review.seq;

-- name: export_draws
-- Every draw, with the tasks in their order.
SELECT draw.draw_id, draw.kind, draw.seed, draw.per_cell, draw.shortfalls_json, draw.drawn_at,
    drawn_task.position, drawn_task.task_id
FROM draw
JOIN drawn_task ON drawn_task.draw_id = draw.draw_id
WHERE draw.study_id = $study_id
ORDER BY draw.seq, drawn_task.position;

-- name: export_calls
-- Every attempt at every call, with the reply as it came.
SELECT call.call_id, call.run_id, call.step, call.item_id, call.attempt, call.final, call.outcome,
    call.sent_at, call.latency_s, call.model_asked, call.model_answered, call.asked_json,
    call.honoured_json, call.prompt_tokens, call.cached_tokens, call.completion_tokens,
    call.cost_usd, call.finish_reason, call.text, call.raw_json, call.error
FROM call
WHERE call.study_id = $study_id
ORDER BY call.seq;

-- name: export_items
-- Every planned item with how it stands and what was read from its reply.
SELECT planned.step, planned.item_id, planned.draw_id, planned.position, planned.task_id,
    planned.draw_number, planned.model, planned.prompt_hash, planned.parameters_json,
    planned.context_json, coalesce(item_outcome.outcome, 'pending') AS outcome,
    label.label, label.reason, label.type, label.answer, label.value, label.note, label.call_id
FROM planned
LEFT JOIN item_outcome
    ON item_outcome.study_id = planned.study_id
    AND item_outcome.step = planned.step
    AND item_outcome.item_id = planned.item_id
LEFT JOIN label
    ON label.study_id = planned.study_id
    AND label.step = planned.step
    AND label.item_id = planned.item_id
WHERE planned.study_id = $study_id
ORDER BY planned.step, planned.planned_at, planned.position, planned.item_id;

-- name: export_prompts
-- Every prompt that a planned item of the study uses.
SELECT prompt_hash, name, version, text
FROM prompt
WHERE prompt_hash IN (SELECT prompt_hash FROM planned WHERE study_id = $study_id)
ORDER BY name, version;
