-- name: stored_prompts
-- Every prompt with the hash it is stored under.
SELECT prompt_hash, name, version, text FROM prompt ORDER BY name, version;

-- name: planned_keys
-- What the ids of planned items are derived from; imported items (without a prompt) have no call.
-- Those of people and of sandboxes have no prompt either, and ids that follow from them all the same.
SELECT
    item_id, study_id, step, task_id, draw_number, model, prompt_hash, parameters_json, context_json
FROM planned
WHERE prompt_hash <> '' OR starts_with(model, 'person/') OR starts_with(model, 'sandbox/');

-- name: planned_counts
-- How many different items each step has to account for.
SELECT study_id, step, count(DISTINCT item_id) AS planned
FROM current_item
GROUP BY study_id, step
ORDER BY study_id, step;

-- name: fault_task_without_study
-- Tasks of no study.
SELECT 'tasks of no study' AS fault, count(*) AS n, min(task_id) AS example
FROM task
WHERE study_id NOT IN (SELECT study_id FROM study)
HAVING count(*) > 0;

-- name: fault_draw_without_study
-- Draws of no study.
SELECT 'draws of no study' AS fault, count(*) AS n, min(draw_id) AS example
FROM draw
WHERE study_id NOT IN (SELECT study_id FROM study)
HAVING count(*) > 0;

-- name: fault_drawn_task_without_draw
-- Drawn tasks of no draw.
SELECT 'drawn tasks of no draw' AS fault, count(*) AS n, min(draw_id) AS example
FROM drawn_task
WHERE draw_id NOT IN (SELECT draw_id FROM draw)
HAVING count(*) > 0;

-- name: fault_drawn_task_without_task
-- Drawn tasks that are not there.
SELECT 'drawn tasks that are not there' AS fault, count(*) AS n, min(task_id) AS example
FROM drawn_task
WHERE task_id NOT IN (SELECT task_id FROM task)
HAVING count(*) > 0;

-- name: fault_planned_without_study
-- Planned items of no study.
SELECT 'planned items of no study' AS fault, count(*) AS n, min(item_id) AS example
FROM planned
WHERE study_id NOT IN (SELECT study_id FROM study)
HAVING count(*) > 0;

-- name: fault_planned_without_task
-- Planned items of no task.
SELECT 'planned items of no task' AS fault, count(*) AS n, min(item_id) AS example
FROM planned
WHERE task_id IS NOT NULL AND task_id NOT IN (SELECT task_id FROM task)
HAVING count(*) > 0;

-- name: fault_planned_without_draw
-- Planned items of no draw.
SELECT 'planned items of no draw' AS fault, count(*) AS n, min(item_id) AS example
FROM planned
WHERE draw_id IS NOT NULL AND draw_id NOT IN (SELECT draw_id FROM draw)
HAVING count(*) > 0;

-- name: fault_planned_without_prompt
-- Planned items whose prompt is not stored.
SELECT 'planned items whose prompt is not stored' AS fault, count(*) AS n, min(item_id) AS example
FROM planned
WHERE prompt_hash <> '' AND prompt_hash NOT IN (SELECT prompt_hash FROM prompt)
HAVING count(*) > 0;

-- name: fault_run_without_study
-- Runs of no study.
SELECT 'runs of no study' AS fault, count(*) AS n, min(run_id) AS example
FROM run
WHERE study_id NOT IN (SELECT study_id FROM study)
HAVING count(*) > 0;

-- name: fault_run_event_without_run
-- Events of no run.
SELECT 'events of no run' AS fault, count(*) AS n, min(run_id) AS example
FROM run_event
WHERE run_id NOT IN (SELECT run_id FROM run)
HAVING count(*) > 0;

-- name: fault_call_without_run
-- Calls of no run.
SELECT 'calls of no run' AS fault, count(*) AS n, min(call_id) AS example
FROM call
WHERE run_id NOT IN (SELECT run_id FROM run)
HAVING count(*) > 0;

-- name: fault_call_without_planned
-- Calls of no planned item.
SELECT 'calls of no planned item' AS fault, count(*) AS n, min(call_id) AS example
FROM call
WHERE item_id NOT IN (SELECT item_id FROM planned)
HAVING count(*) > 0;

-- name: fault_label_without_planned
-- Labels of no planned item.
SELECT 'labels of no planned item' AS fault, count(*) AS n, min(item_id) AS example
FROM label
WHERE item_id NOT IN (SELECT item_id FROM planned)
HAVING count(*) > 0;

-- name: fault_label_without_call
-- Labels of no call.
SELECT 'labels of no call' AS fault, count(*) AS n, min(item_id) AS example
FROM label
WHERE call_id IS NOT NULL AND call_id NOT IN (SELECT call_id FROM call)
HAVING count(*) > 0;

-- name: fault_label_without_person
-- Answers by no known person.
SELECT 'answers by no known person' AS fault, count(*) AS n, min(item_id) AS example
FROM label
WHERE person_id IS NOT NULL AND person_id NOT IN (SELECT person_id FROM person)
HAVING count(*) > 0;

-- name: fault_label_under_another_name
-- Answers of people that stand under a model's or another person's name, and the reverse.
SELECT 'answers under another name than that of who gave them' AS fault, count(*) AS n,
    min(label.item_id) AS example
FROM label
LEFT JOIN person USING (person_id)
WHERE label.model IS DISTINCT FROM 'person/' || person.name
    AND (person.name IS NOT NULL OR starts_with(label.model, 'person/'))
HAVING count(*) > 0;

-- name: fault_attempt_misread
-- What people did with tasks: an answer has a label, a chance or else a program, a skip and an undo
-- have none, and nothing has a call.
SELECT 'answers of people that say nothing, or skips that say something' AS fault, count(*) AS n,
    min(item_id) AS example
FROM label
WHERE (person_id IS NULL) <> (action IS NULL)
    OR (action IS NOT NULL AND call_id IS NOT NULL)
    OR (action = 'answer' AND label IS NOT NULL AND value IS NOT NULL)
    OR (action = 'answer' AND coalesce(label, value::VARCHAR, answer) IS NULL)
    OR (action <> 'answer' AND coalesce(label, value::VARCHAR, answer) IS NOT NULL)
    OR (action = 'answer' AND value IS NOT NULL AND value NOT BETWEEN 0 AND 1)
HAVING count(*) > 0;

-- name: fault_review_without_task
-- Reviews of no task.
SELECT 'reviews of no task' AS fault, count(*) AS n, min(review_id) AS example
FROM review
WHERE task_id NOT IN (SELECT task_id FROM task)
HAVING count(*) > 0;

-- name: fault_review_without_person
-- Reviews by no known person.
SELECT 'reviews by no known person' AS fault, count(*) AS n, min(review_id) AS example
FROM review
WHERE person_id NOT IN (SELECT person_id FROM person)
HAVING count(*) > 0;

-- name: fault_review_without_undone
-- Reviews that take back no review.
SELECT 'reviews that take back no review' AS fault, count(*) AS n, min(review_id) AS example
FROM review
WHERE undoes IS NOT NULL AND undoes NOT IN (SELECT review_id FROM review)
HAVING count(*) > 0;

-- name: fault_review_undone_twice
-- Decisions that were taken back more than once.
SELECT 'decisions taken back more than once' AS fault, count(*) AS n, min(undoes) AS example
FROM (
    SELECT undoes FROM review WHERE undoes IS NOT NULL GROUP BY undoes HAVING count(*) > 1
)
HAVING count(*) > 0;

-- name: fault_review_undone_by_another
-- Decisions that were taken back by somebody else, or as another task's.
SELECT 'decisions taken back by another person or on another task' AS fault, count(*) AS n,
    min(undo.review_id) AS example
FROM review AS undo
JOIN review AS undone ON undone.review_id = undo.undoes
WHERE undo.person_id <> undone.person_id OR undo.task_id <> undone.task_id
HAVING count(*) > 0;

-- name: fault_rewrite_without_original
-- Rewrites of a task that their study does not have.
SELECT 'rewrites of no task of their study' AS fault, count(*) AS n, min(rewrite.task_id) AS example
FROM task AS rewrite
LEFT JOIN task AS original
    ON original.study_id = rewrite.study_id AND original.task_id = rewrite.made_from
WHERE rewrite.made_from IS NOT NULL AND original.task_id IS NULL
HAVING count(*) > 0;

-- name: fault_gold_without_task
-- Gold marks on tasks that are not there.
SELECT 'gold marks on tasks that are not there' AS fault, count(*) AS n, min(task_id) AS example
FROM gold
WHERE task_id NOT IN (SELECT task_id FROM task)
HAVING count(*) > 0;

-- name: fault_rules_without_study
-- Rules of a desk of no study.
SELECT 'rules of a desk of no study' AS fault, count(*) AS n, min(study_id) AS example
FROM desk_rules
WHERE study_id NOT IN (SELECT study_id FROM study)
HAVING count(*) > 0;

-- name: fault_audit_without_study
-- Samples of verdicts of no study.
SELECT 'samples of verdicts of no study' AS fault, count(*) AS n, min(audit_id) AS example
FROM audit
WHERE study_id NOT IN (SELECT study_id FROM study)
HAVING count(*) > 0;

-- name: fault_audited_without_audit
-- Sampled verdicts of no sample.
SELECT 'sampled verdicts of no sample' AS fault, count(*) AS n, min(item_id) AS example
FROM audited
WHERE audit_id NOT IN (SELECT audit_id FROM audit)
HAVING count(*) > 0;

-- name: fault_audited_without_item
-- Sampled verdicts that no judge was asked for.
SELECT 'sampled verdicts of no planned item' AS fault, count(*) AS n, min(item_id) AS example
FROM audited
WHERE item_id NOT IN (SELECT item_id FROM planned)
HAVING count(*) > 0;

-- name: fault_audited_misread
-- Sampled verdicts that say neither yes nor no, or stand for less than nothing.
SELECT 'sampled verdicts other than yes or no, or with a weight that is none' AS fault,
    count(*) AS n, min(item_id) AS example
FROM audited
WHERE verdict NOT IN ('yes', 'no') OR NOT weight > 0
HAVING count(*) > 0;

-- name: fault_vote_without_audited
-- Votes on verdicts that their sample does not hold.
SELECT 'votes on no sampled verdict' AS fault, count(*) AS n, min(vote_id) AS example
FROM audit_vote
WHERE (audit_id, item_id) NOT IN (SELECT (audit_id, item_id) FROM audited)
HAVING count(*) > 0;

-- name: fault_vote_without_person
-- Votes by no known person.
SELECT 'votes by no known person' AS fault, count(*) AS n, min(vote_id) AS example
FROM audit_vote
WHERE person_id NOT IN (SELECT person_id FROM person)
HAVING count(*) > 0;

-- name: fault_vote_without_undone
-- Votes that take back no vote, and undos that name none.
SELECT 'undone votes that are not there' AS fault, count(*) AS n, min(vote_id) AS example
FROM audit_vote
WHERE (action = 'undo') <> (undoes IS NOT NULL)
    OR undoes NOT IN (SELECT vote_id FROM audit_vote)
HAVING count(*) > 0;

-- name: fault_vote_undone_twice
-- Votes that were taken back more than once.
SELECT 'votes taken back more than once' AS fault, count(*) AS n, min(undoes) AS example
FROM (
    SELECT undoes FROM audit_vote WHERE undoes IS NOT NULL GROUP BY undoes HAVING count(*) > 1
)
HAVING count(*) > 0;

-- name: fault_vote_undone_by_another
-- Votes that were taken back by somebody else, or as another verdict's.
SELECT 'votes taken back by another person or on another verdict' AS fault, count(*) AS n,
    min(undo.vote_id) AS example
FROM audit_vote AS undo
JOIN audit_vote AS undone ON undone.vote_id = undo.undoes
WHERE undo.person_id <> undone.person_id
    OR undo.item_id <> undone.item_id
    OR undo.audit_id <> undone.audit_id
    OR undone.action = 'undo'
HAVING count(*) > 0;

-- name: fault_vote_not_blind
-- Votes stored as blind although their person had voted on the verdict before, and been told it.
SELECT 'votes stored as blind after the verdict was told' AS fault, count(*) AS n,
    min(vote_id) AS example
FROM (
    SELECT vote_id, is_blind, row_number() OVER (
        PARTITION BY study_id, item_id, person_id ORDER BY seq
    ) AS place
    FROM audit_vote
    WHERE action <> 'undo'
)
WHERE is_blind AND place > 1
HAVING count(*) > 0;

-- name: fault_vote_stands_twice
-- Verdicts on which one person has two votes that nobody took back.
SELECT 'verdicts with two standing votes by one person' AS fault, count(*) AS n,
    min(item_id) AS example
FROM (
    SELECT item_id
    FROM audit_vote
    WHERE action <> 'undo'
        AND NOT is_final
        AND vote_id NOT IN (SELECT undoes FROM audit_vote WHERE undoes IS NOT NULL)
    GROUP BY audit_id, item_id, person_id
    HAVING count(*) > 1
)
HAVING count(*) > 0;

-- name: fault_study_twice
-- Studies with one id.
SELECT 'studies stored more than once' AS fault, count(*) AS n, min(study_id) AS example
FROM (SELECT study_id FROM study GROUP BY study_id HAVING count(*) > 1)
HAVING count(*) > 0;

-- name: fault_person_twice
-- People with one id.
SELECT 'people stored more than once' AS fault, count(*) AS n, min(person_id) AS example
FROM (SELECT person_id FROM person GROUP BY person_id HAVING count(*) > 1)
HAVING count(*) > 0;

-- name: fault_prompt_twice
-- Prompts with one id.
SELECT 'prompts stored more than once' AS fault, count(*) AS n, min(prompt_hash) AS example
FROM (SELECT prompt_hash FROM prompt GROUP BY prompt_hash HAVING count(*) > 1)
HAVING count(*) > 0;

-- name: fault_task_twice
-- Tasks with one id.
SELECT 'tasks stored more than once' AS fault, count(*) AS n, min(task_id) AS example
FROM (SELECT task_id FROM task GROUP BY task_id HAVING count(*) > 1)
HAVING count(*) > 0;

-- name: fault_draw_twice
-- Draws with one id.
SELECT 'draws stored more than once' AS fault, count(*) AS n, min(draw_id) AS example
FROM (SELECT draw_id FROM draw GROUP BY draw_id HAVING count(*) > 1)
HAVING count(*) > 0;

-- name: fault_run_twice
-- Runs with one id.
SELECT 'runs stored more than once' AS fault, count(*) AS n, min(run_id) AS example
FROM (SELECT run_id FROM run GROUP BY run_id HAVING count(*) > 1)
HAVING count(*) > 0;

-- name: fault_call_twice
-- Calls with one id.
SELECT 'calls stored more than once' AS fault, count(*) AS n, min(call_id) AS example
FROM (SELECT call_id FROM call GROUP BY call_id HAVING count(*) > 1)
HAVING count(*) > 0;

-- name: fault_review_twice
-- Reviews with one id.
SELECT 'reviews stored more than once' AS fault, count(*) AS n, min(review_id) AS example
FROM (SELECT review_id FROM review GROUP BY review_id HAVING count(*) > 1)
HAVING count(*) > 0;

-- name: fault_audit_twice
-- Samples with one id.
SELECT 'samples of verdicts stored more than once' AS fault, count(*) AS n, min(audit_id) AS example
FROM (SELECT audit_id FROM audit GROUP BY audit_id HAVING count(*) > 1)
HAVING count(*) > 0;

-- name: fault_audited_twice
-- Verdicts that one sample holds twice.
SELECT 'verdicts sampled more than once in one sample' AS fault, count(*) AS n,
    min(item_id) AS example
FROM (SELECT audit_id, item_id FROM audited GROUP BY audit_id, item_id HAVING count(*) > 1)
HAVING count(*) > 0;

-- name: fault_vote_twice
-- Votes with one id.
SELECT 'votes stored more than once' AS fault, count(*) AS n, min(vote_id) AS example
FROM (SELECT vote_id FROM audit_vote GROUP BY vote_id HAVING count(*) > 1)
HAVING count(*) > 0;

-- name: fault_drawn_twice
-- Tasks that one draw holds twice.
SELECT 'tasks drawn more than once in one draw' AS fault, count(*) AS n, min(task_id) AS example
FROM (SELECT draw_id, task_id FROM drawn_task GROUP BY draw_id, task_id HAVING count(*) > 1)
HAVING count(*) > 0;

-- name: fault_planned_twice
-- Items planned twice in one draw, or twice in a step without draws.
SELECT 'items planned more than once in one draw' AS fault, count(*) AS n, min(item_id) AS example
FROM (
    SELECT study_id, step, draw_id, item_id
    FROM planned
    GROUP BY study_id, step, draw_id, item_id
    HAVING count(*) > 1
)
HAVING count(*) > 0;

-- name: fault_outcome_unknown
-- Calls that ended in none of the nine ways.
SELECT 'calls with an unknown outcome' AS fault, count(*) AS n, min(call_id) AS example
FROM call
WHERE outcome NOT IN (
    'ok', 'refused', 'truncated', 'empty', 'unparsable',
    'provider_error', 'timed_out', 'budget_stopped', 'cancelled'
)
HAVING count(*) > 0;

-- name: fault_answered_twice
-- Items the model answered twice, each time as the last word: one was paid for in vain.
SELECT 'items with more than one final answer' AS fault, count(*) AS n, min(item_id) AS example
FROM (
    SELECT study_id, step, item_id
    FROM call
    WHERE final AND outcome IN ('ok', 'refused', 'truncated', 'empty', 'unparsable')
    GROUP BY study_id, step, item_id
    HAVING count(*) > 1
)
HAVING count(*) > 0;

-- name: fault_called_after_answer
-- Items called again although their answer was stored before that call was sent.
SELECT 'items called again after their answer' AS fault, count(*) AS n, min(item_id) AS example
FROM (
    SELECT
        item_id,
        seq,
        min(seq) FILTER (
            WHERE final AND outcome IN ('ok', 'refused', 'truncated', 'empty', 'unparsable')
        ) OVER (PARTITION BY study_id, step, item_id) AS answered_seq
    FROM call
)
WHERE seq > answered_seq
HAVING count(*) > 0;

-- name: fault_labelled_twice
-- Calls whose reply was read into two labels.
SELECT 'calls with more than one label' AS fault, count(*) AS n, min(call_id) AS example
FROM (
    SELECT call_id FROM label WHERE call_id IS NOT NULL GROUP BY call_id HAVING count(*) > 1
)
HAVING count(*) > 0;

-- name: fault_answer_without_label
-- Replies that could be read and left neither a label nor a task.
SELECT 'replies read as ok that left neither label nor task' AS fault, count(*) AS n,
    min(call_id) AS example
FROM call
WHERE final AND outcome = 'ok'
    AND call_id NOT IN (SELECT call_id FROM label WHERE call_id IS NOT NULL)
    AND item_id NOT IN (SELECT source_ref FROM task WHERE source = 'generated')
HAVING count(*) > 0;

-- name: fault_contract_without_task
-- Contracts about no task of their study.
SELECT 'contracts of no task of their study' AS fault, count(*) AS n,
    min(contract.task_id) AS example
FROM contract
LEFT JOIN task ON task.task_id = contract.task_id AND task.study_id = contract.study_id
WHERE task.task_id IS NULL
HAVING count(*) > 0;

-- name: fault_contract_twice
-- Places of trials that hold more than one contract, or tasks that a trial has twice.
SELECT 'trials with two contracts at one place, or with one task twice' AS fault, count(*) AS n,
    min(example) AS example
FROM (
    SELECT min(task_id) AS example
    FROM contract
    GROUP BY study_id, model, trial
    HAVING count(DISTINCT number) < count(*) OR count(DISTINCT task_id) < count(*)
)
HAVING count(*) > 0;

-- name: fault_answer_to_no_contract
-- Planned offers of contracts that are not drawn, or about another task.
SELECT 'offers of contracts that are not drawn' AS fault, count(*) AS n,
    min(planned.item_id) AS example
FROM planned
LEFT JOIN contract
    ON contract.study_id = planned.study_id
    AND contract.model = planned.model
    AND contract.trial = json_extract_string(planned.context_json, '$.trial')::INTEGER
    AND contract.number = json_extract_string(planned.context_json, '$.contract')::INTEGER
    AND contract.task_id = planned.task_id
WHERE planned.step = 'contract' AND contract.task_id IS NULL
HAVING count(*) > 0;
