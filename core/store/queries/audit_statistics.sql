-- name: audited_verdicts
-- The verdicts of samples with what auditors say of them together, and what each is about: subject
-- is who gave the answer, empty where a task itself was judged, and match how the answer matches a
-- reference without a judge. is_removed: whether people removed the task since.
SELECT
    audited_now.audit_id,
    audited_now.item_id,
    audited_now.answer_item,
    audited_now.task_id,
    audited_now.weight,
    audited_now.verdict,
    audited_now.truth,
    task_state.state = 'removed' AS is_removed,
    task_state.text AS task,
    task_state.references_json,
    coalesce(task_state.type, '') AS type,
    coalesce(task_state.group_name, '') AS "group",
    coalesce(answer.model, '') AS subject,
    answer.answer,
    coalesce(item.match, '') AS match
FROM audited_now
JOIN audit ON audit.audit_id = audited_now.audit_id
JOIN task_state ON task_state.task_id = audited_now.task_id
LEFT JOIN (
    SELECT item_id, arg_max(model, seq) AS model, arg_max(answer, seq) AS answer
    FROM label_now
    WHERE study_id = $study_id
    GROUP BY item_id
) AS answer ON answer.item_id = audited_now.answer_item
LEFT JOIN (
    SELECT item_id, any_value(json_extract_string(context_json, '$.match')) AS match
    FROM planned
    WHERE study_id = $study_id
    GROUP BY item_id
) AS item ON item.item_id = audited_now.item_id
WHERE audited_now.study_id = $study_id AND list_contains($audit_ids, audited_now.audit_id)
ORDER BY audit.seq, audited_now.position;

-- name: audit_vote_counts
-- How many votes stand in a sample, those that settle a disagreement aside, by how many people, and
-- how many of them were given after the verdict had been shown.
SELECT
    count(*) AS n_votes,
    count(*) FILTER (WHERE NOT is_blind) AS n_not_blind,
    count(DISTINCT person_id) AS n_auditors
FROM audit_vote_now
WHERE audit_id = $audit_id AND NOT is_final;

-- name: judge_acceptance_now
-- The newest that was decided of a judge in a study.
SELECT
    acceptance.is_accepted,
    person.name AS person,
    acceptance.bar,
    acceptance.sensitivity_low,
    acceptance.specificity_low,
    acceptance.decided_at
FROM judge_acceptance AS acceptance
JOIN person ON person.person_id = acceptance.person_id
WHERE acceptance.study_id = $study_id
    AND acceptance.step = $step
    AND acceptance.judge = $judge
    AND acceptance.prompt_hash = $prompt_hash
ORDER BY acceptance.seq DESC
LIMIT 1;

-- name: finished_audits
-- The samples of a study in which everybody who began has voted on all: what the judge said there
-- can be shown to anybody.
SELECT audit_id
FROM (
    SELECT audit_id, count(*) AS n_items FROM audited WHERE study_id = $study_id GROUP BY audit_id
)
JOIN (
    SELECT audit_id, count(*) AS n_votes, count(DISTINCT person_id) AS n_auditors
    FROM audit_vote_now
    WHERE study_id = $study_id AND NOT is_final
    GROUP BY audit_id
) USING (audit_id)
WHERE n_votes = n_items * n_auditors
ORDER BY audit_id;

-- name: verdicts_voted_on
-- The verdicts of a study that a person has voted on, and been told of after.
SELECT DISTINCT item_id
FROM audit_vote
WHERE study_id = $study_id AND person_id = $person_id AND action <> 'undo'
ORDER BY item_id;
