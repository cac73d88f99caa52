-- name: export_study
-- The study itself.
SELECT study_id, name, protocol, subject, prompt_set, judge, settings_json, source, is_demo,
    created_at
FROM study
WHERE study_id = $study_id;

-- name: export_tasks
-- Every task with its state.
SELECT task_state.task_id, task_state.position, task_state.text, task_state.intent,
    task_state.type, task_state.reason, task_state.references_json, task_state.group_name,
    task_state.made_from, task_state.checks_json, task_state.source, task_state.source_ref,
    task_state.note, task_state.state, task_state.removal_reason, task_state.review_note,
    person.name AS decided_by, task_state.decided_at, task_state.created_at
FROM task_state
LEFT JOIN person USING (person_id)
WHERE task_state.study_id = $study_id
ORDER BY task_state.position, task_state.task_id;

-- name: export_reviews
-- Every decision, undos included, oldest first.
SELECT review.review_id, review.task_id, person.name AS person, review.action, review.reason,
    review.note, review.undoes, coalesce(review.is_final, false) AS is_final, review.batch_id,
    review.seconds_active, review.decided_at
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
-- Every attempt at every call, with the reply as it came. error says why a call brought none, or
-- one that could not be read; older stores hold notes on replies that were read there, which are
-- left out.
SELECT call.call_id, call.run_id, call.step, call.item_id, call.attempt, call.final, call.outcome,
    call.sent_at, call.latency_s, call.model_asked, call.model_answered, call.asked_json,
    call.honoured_json, call.prompt_tokens, call.cached_tokens, call.completion_tokens,
    call.cost_usd, call.finish_reason, call.text, call.raw_json,
    CASE WHEN call.outcome = 'ok' THEN '' ELSE call.error END AS error
FROM call
WHERE call.study_id = $study_id
ORDER BY call.seq;

-- name: export_items
-- Every planned item with how it stands and what was read from its reply; where it is about an
-- answer, answer_item is the item that gave that answer.
SELECT planned.step, planned.item_id, planned.draw_id, planned.position, planned.task_id,
    json_extract_string(planned.context_json, '$.answer_of') AS answer_item,
    planned.draw_number, planned.model, planned.prompt_hash, planned.parameters_json,
    planned.context_json, coalesce(item_outcome.outcome, 'pending') AS outcome,
    label.label, label.reason, label.type, label.answer, label.value, label.note, label.call_id
FROM planned
LEFT JOIN item_outcome
    ON item_outcome.study_id = planned.study_id
    AND item_outcome.step = planned.step
    AND item_outcome.item_id = planned.item_id
LEFT JOIN label_now AS label
    ON label.study_id = planned.study_id
    AND label.step = planned.step
    AND label.item_id = planned.item_id
WHERE planned.study_id = $study_id
ORDER BY planned.step, planned.planned_at, planned.position, planned.item_id;

-- name: export_prompts
-- Every prompt that a planned item of the study uses; a conversation uses several.
SELECT prompt_hash, name, version, text
FROM prompt
WHERE prompt_hash IN (
    SELECT prompt_hash FROM planned WHERE study_id = $study_id
    UNION ALL
    SELECT unnest(string_split(json_extract_string(context_json, '$.wording'), ','))
    FROM planned
    WHERE study_id = $study_id AND json_extract_string(context_json, '$.wording') IS NOT NULL
)
ORDER BY name, version;

-- name: export_gold
-- Every time a task was marked as gold, or as gold no longer (without an action), oldest first.
SELECT gold.task_id, gold.action, gold.reason, person.name AS marked_by, gold.marked_at
FROM gold
LEFT JOIN person USING (person_id)
WHERE gold.study_id = $study_id
ORDER BY gold.seq;

-- name: export_flags
-- What the newest automatic checks found, for every task they have reached.
SELECT task_check.task_id, task_check.codes, task_check.flags_json, task_check.checks_version
FROM task_check
JOIN task USING (task_id)
WHERE task_check.study_id = $study_id
QUALIFY checks_version = max(checks_version) OVER ()
ORDER BY task.position, task_check.task_id;

-- name: export_audits
-- Every verdict of every sample, with how the sample was drawn and what auditors say together.
SELECT audit.audit_id, audit.name, audit.step, audit.judge, audit.prompt_hash, audit.method,
    audit.seed, audit.settings_json, person.name AS drawn_by, audit.made_at, audited_now.position,
    audited_now.item_id, audited_now.answer_item, audited_now.task_id, audited_now.stratum,
    audited_now.weight, audited_now.verdict, audited_now.truth, audited_now.n_yes,
    audited_now.n_no, audited_now.n_unsure, audited_now.is_blind
FROM audit
JOIN audited_now ON audited_now.audit_id = audit.audit_id
LEFT JOIN person ON person.person_id = audit.person_id
WHERE audit.study_id = $study_id
ORDER BY audit.seq, audited_now.position;

-- name: export_audit_votes
-- Every vote on a sampled verdict, undos included, oldest first.
SELECT audit_vote.vote_id, audit_vote.audit_id, audit_vote.item_id, person.name AS person,
    audit_vote.action, audit_vote.note, audit_vote.undoes, audit_vote.is_final,
    audit_vote.is_blind, audit_vote.seconds_active, audit_vote.voted_at
FROM audit_vote
LEFT JOIN person ON person.person_id = audit_vote.person_id
WHERE audit_vote.study_id = $study_id
ORDER BY audit_vote.seq;

-- name: export_judge_acceptances
-- Every time a judge was accepted for the study, or no longer, oldest first, with the bar it met.
SELECT acceptance.step, acceptance.judge, acceptance.prompt_hash, person.name AS decided_by,
    acceptance.is_accepted, acceptance.bar, acceptance.sensitivity_low,
    acceptance.specificity_low, acceptance.decided_at
FROM judge_acceptance AS acceptance
LEFT JOIN person USING (person_id)
WHERE acceptance.study_id = $study_id
ORDER BY acceptance.seq;

-- name: export_decided
-- Every task beside each thing people did with it, oldest first, as one person may see it; a task
-- nobody touched has one row. While the study is blind, its intent and reason and what others did
-- with it stay away until the person has decided it, as in desk_table.
WITH mine AS (
    SELECT task_id, action, note
    FROM standing_vote
    WHERE study_id = $study_id AND person_id = $person_id AND NOT is_final
),
seen AS (
    SELECT
        task_state.*,
        NOT $is_blind OR coalesce(mine.action IN ('keep', 'remove'), false) AS is_seen,
        mine.action AS own_action,
        mine.note AS own_note
    FROM task_state
    LEFT JOIN mine USING (task_id)
    WHERE task_state.study_id = $study_id
),
done AS (
    SELECT review.*, person.name AS person, coalesce(undone.is_final, review.is_final) AS of_final
    FROM review
    LEFT JOIN person USING (person_id)
    LEFT JOIN review AS undone ON undone.review_id = review.undoes
    WHERE review.study_id = $study_id
)
SELECT
    seen.task_id,
    seen.text,
    CASE WHEN is_seen THEN seen.intent END AS intent,
    seen.type,
    CASE WHEN is_seen THEN seen.reason END AS reason,
    CASE
        WHEN is_seen THEN seen.state
        WHEN seen.state IN ('pending', 'skipped') THEN
            CASE own_action WHEN 'skip' THEN 'skipped' ELSE 'pending' END
        ELSE 'decided by others'
    END AS state,
    CASE WHEN is_seen THEN seen.removal_reason END AS removal_reason,
    CASE WHEN is_seen THEN seen.review_note ELSE own_note END AS review_note,
    done.review_id,
    done.person,
    done.action,
    done.reason AS because,
    done.note AS said,
    done.decided_at,
    done.seconds_active,
    done.undoes,
    done.is_final
FROM seen
LEFT JOIN done
    ON done.task_id = seen.task_id
    AND (is_seen OR (done.person_id = $person_id AND NOT coalesce(done.of_final, false)))
ORDER BY seen.position, seen.task_id, done.seq;

-- name: tasks_to_match
-- Every task of a study as it is stored, for an import to find out which are new.
SELECT task_id, position, text, intent, type, reason, references_json, group_name
FROM task
WHERE study_id = $study_id;

-- name: stored_decisions
-- What every decision of a study says, by its id.
SELECT review.review_id, review.task_id, person.name AS person, review.action, review.reason,
    review.note, coalesce(review.is_final, false) AS is_final
FROM review
LEFT JOIN person USING (person_id)
WHERE review.study_id = $study_id;

-- name: ids_elsewhere
-- Which of some decisions are those of another study.
SELECT review_id
FROM review
WHERE study_id <> $study_id AND review_id IN (SELECT unnest($ids));

-- name: export_contracts
-- Every contract in the order of its trial, with what was answered to it; item_id is that of the
-- newest offer.
SELECT contract.model, contract.trial, contract.number, contract.task_id, contract.is_solvable,
    contract.origin, contract.is_replaced, contract.seed, contract.drawn_at, contract.n_asks,
    nullif(contract.outcome, '') AS outcome, contract.item_id, contract.estimate,
    contract.is_accepted
FROM contract_now AS contract
WHERE contract.study_id = $study_id
ORDER BY contract.model, contract.trial, contract.number;
