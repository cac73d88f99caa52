-- name: judges_of_study
-- Each judge of a study, the first one asked first: a model with a version of its prompt, and how
-- often its verdicts came out how. Tasks that people removed count only where the judge judged the
-- tasks themselves: what a screening judge says of them is what people removed them for.
SELECT
    judgement.step,
    judgement.judge,
    judgement.prompt_hash,
    prompt.version,
    CASE WHEN judgement.outcome = 'ok' THEN label.label END AS label,
    judgement.outcome IS NULL OR judgement.outcome IN (
        'provider_error', 'timed_out', 'budget_stopped', 'cancelled'
    ) AS is_owed,
    count(*) AS n
FROM judgement_now AS judgement
JOIN prompt ON prompt.prompt_hash = judgement.prompt_hash
JOIN task_state ON task_state.task_id = judgement.task_id
LEFT JOIN label
    ON label.study_id = judgement.study_id
    AND label.step = judgement.step
    AND label.item_id = judgement.item_id
WHERE judgement.study_id = $study_id
    AND list_contains($steps, judgement.step)
    AND (judgement.answer_item = '' OR task_state.state <> 'removed')
GROUP BY ALL
ORDER BY judgement.step, judgement.judge, prompt.version, judgement.prompt_hash, label, is_owed;

-- name: verdicts_to_audit
-- The verdicts of a step that could be read, with what each is about: subject is who gave the
-- answer, empty where a task itself was judged.
SELECT
    judgement.judge,
    judgement.prompt_hash,
    judgement.item_id,
    judgement.answer_item,
    judgement.task_id,
    label.label,
    coalesce(answer.model, '') AS subject,
    coalesce(task_state.type, '') AS type,
    coalesce(task_state.group_name, '') AS "group"
FROM judgement_now AS judgement
JOIN label
    ON label.study_id = judgement.study_id
    AND label.step = judgement.step
    AND label.item_id = judgement.item_id
JOIN task_state ON task_state.task_id = judgement.task_id
LEFT JOIN (
    SELECT item_id, any_value(model) AS model
    FROM planned
    WHERE study_id = $study_id
    GROUP BY item_id
) AS answer ON answer.item_id = judgement.answer_item
WHERE judgement.study_id = $study_id
    AND judgement.step = $step
    AND judgement.outcome = 'ok'
    AND (judgement.answer_item = '' OR task_state.state <> 'removed')
ORDER BY judgement.item_id;

-- name: audited_truths
-- What auditors said so far of the answers or tasks of a step, where they agree or it is settled.
SELECT audited_now.answer_item, audited_now.task_id, audited_now.truth
FROM audited_now
JOIN audit ON audit.audit_id = audited_now.audit_id
WHERE audit.study_id = $study_id AND audit.step = $step AND audited_now.truth IN ('yes', 'no')
ORDER BY audited_now.audit_id, audited_now.position;

-- name: audits_of_study
-- The samples of a study, the newest first, with how far its auditors came together.
SELECT
    audit.audit_id,
    audit.name,
    audit.step,
    audit.judge,
    audit.prompt_hash,
    prompt.version,
    audit.method,
    audit.seed,
    audit.settings_json,
    person.name AS made_by,
    audit.made_at,
    counted.* EXCLUDE (audit_id)
FROM audit
JOIN (
    SELECT
        audit_id,
        count(*) AS n_items,
        count(*) FILTER (WHERE truth IN ('yes', 'no')) AS n_decided,
        count(*) FILTER (WHERE truth = 'unsure') AS n_unsure,
        count(*) FILTER (WHERE truth = 'disputed') AS n_disputed,
        count(*) FILTER (WHERE truth = 'open') AS n_open
    FROM audited_now
    WHERE study_id = $study_id
    GROUP BY audit_id
) AS counted ON counted.audit_id = audit.audit_id
LEFT JOIN prompt ON prompt.prompt_hash = audit.prompt_hash
LEFT JOIN person ON person.person_id = audit.person_id
WHERE audit.study_id = $study_id
ORDER BY audit.seq DESC;

-- name: audit_names
-- The ids and names of the samples of a study.
SELECT audit_id, name FROM audit WHERE study_id = $study_id ORDER BY seq;

-- name: audit_queue
-- Every verdict of a sample with what one person said of it, the vote that stands, and when they
-- last took one back.
SELECT
    audited.item_id,
    own.action,
    own.seq,
    own.seconds_active,
    undone.seq AS undone_seq
FROM audited
LEFT JOIN audit_vote_now AS own
    ON own.audit_id = audited.audit_id
    AND own.item_id = audited.item_id
    AND own.person_id = $person_id
    AND NOT own.is_final
LEFT JOIN (
    SELECT item_id, max(seq) AS seq
    FROM audit_vote
    WHERE audit_id = $audit_id AND person_id = $person_id AND action = 'undo' AND NOT is_final
    GROUP BY item_id
) AS undone ON undone.item_id = audited.item_id
WHERE audited.audit_id = $audit_id
ORDER BY audited.position;

-- name: audited_material
-- What a verdict of a sample is about: the task, and the answer that was judged. Nothing of what
-- the judge said, and nothing of how the task was meant.
SELECT audited.item_id, task.text AS task, task.references_json, answer.answer
FROM audited
JOIN task ON task.task_id = audited.task_id
LEFT JOIN (
    SELECT item_id, arg_max(answer, seq) AS answer
    FROM label_now
    WHERE study_id = $study_id
    GROUP BY item_id
) AS answer ON answer.item_id = audited.answer_item
WHERE audited.audit_id = $audit_id AND audited.item_id = $item_id;

-- name: audited_verdict
-- What the judge said of one verdict of a sample, in its own words.
SELECT audited.verdict, label.reason, label.answer AS why, call.text AS reply
FROM audited
LEFT JOIN label
    ON label.study_id = audited.study_id
    AND label.item_id = audited.item_id
LEFT JOIN call ON call.call_id = label.call_id
WHERE audited.audit_id = $audit_id AND audited.item_id = $item_id;

-- name: votes_on_item
-- All that people did with one verdict of a sample, oldest first; stands tells which votes count.
SELECT
    vote.vote_id,
    vote.seq,
    vote.person_id,
    person.name AS person,
    vote.action,
    vote.note,
    vote.undoes,
    vote.is_final,
    vote.is_blind,
    vote.seconds_active,
    vote.voted_at,
    standing.vote_id IS NOT NULL AS stands
FROM audit_vote AS vote
LEFT JOIN person ON person.person_id = vote.person_id
LEFT JOIN (
    SELECT vote_id FROM audit_vote_now WHERE audit_id = $audit_id AND item_id = $item_id
) AS standing ON standing.vote_id = vote.vote_id
WHERE vote.audit_id = $audit_id AND vote.item_id = $item_id
ORDER BY vote.seq;

-- name: votes_on_verdict
-- How often a person has voted on a verdict, in any sample, whether or not they took it back: each
-- time they were told afterwards what the judge had said.
SELECT count(*) AS n
FROM audit_vote
WHERE study_id = $study_id AND item_id = $item_id AND person_id = $person_id AND action <> 'undo';

-- name: reviews_of_task_by
-- How often a person has decided on a task at the curation desk.
SELECT count(*) AS n
FROM review
WHERE task_id = $task_id AND person_id = $person_id;

-- name: audited_task
-- The task of one verdict of a sample.
SELECT task_id FROM audited WHERE audit_id = $audit_id AND item_id = $item_id;

-- name: last_audit_vote
-- A person's newest vote in a sample that they did not take back.
SELECT vote_id, item_id
FROM audit_vote_now
WHERE audit_id = $audit_id AND person_id = $person_id AND is_final = $is_final
ORDER BY seq DESC
LIMIT 1;

-- name: audit_voters
-- How many verdicts of a sample each person voted on, the most first.
SELECT person.name AS person, count(*) AS n
FROM audit_vote_now
JOIN person USING (person_id)
WHERE audit_vote_now.audit_id = $audit_id AND NOT audit_vote_now.is_final
GROUP BY person.name
ORDER BY n DESC, person.name;

-- name: disputed_verdicts
-- The verdicts of a sample on which auditors disagree, and whether a person voted on them.
SELECT
    audited_now.item_id,
    coalesce(bool_or(vote.person_id = $person_id), false) AS is_own,
    max(vote.seq) AS newest_seq
FROM audited_now
LEFT JOIN audit_vote_now AS vote
    ON vote.audit_id = audited_now.audit_id
    AND vote.item_id = audited_now.item_id
    AND NOT vote.is_final
WHERE audited_now.audit_id = $audit_id AND audited_now.truth = 'disputed'
GROUP BY audited_now.item_id, audited_now.position
ORDER BY audited_now.position;

-- name: settled_verdicts
-- How many verdicts of a sample a final vote settled.
SELECT count(*) AS n FROM audit_vote_now WHERE audit_id = $audit_id AND is_final;

-- name: audit_votes_frame
-- The votes that stand on every verdict of a sample that two or more people voted on: item,
-- person and label, as agreement is measured from.
SELECT vote.item_id AS item, person.name AS person, vote.action AS label
FROM audit_vote_now AS vote
JOIN person ON person.person_id = vote.person_id
WHERE vote.audit_id = $audit_id AND NOT vote.is_final
QUALIFY count(*) OVER (PARTITION BY vote.item_id) > 1
ORDER BY vote.item_id, person.name;

-- name: verdicts_not_shown_yet
-- Which of some verdicts a person was never shown outside the audit desk.
SELECT asked.item_id
FROM (SELECT DISTINCT unnest($item_ids) AS item_id) AS asked
WHERE asked.item_id NOT IN (
    SELECT item_id FROM verdict_shown WHERE study_id = $study_id AND person_id = $person_id
)
ORDER BY asked.item_id;

-- name: times_verdict_was_shown
-- Whether a person was shown a verdict outside the audit desk: 1, or else 0.
SELECT count(*) AS n
FROM verdict_shown
WHERE study_id = $study_id AND item_id = $item_id AND person_id = $person_id;

-- name: verdicts_on_answers
-- The judges' items in which some answers were judged, of one judge, or of all where none is named.
SELECT judgement.item_id
FROM judgement_now AS judgement
JOIN prompt ON prompt.prompt_hash = judgement.prompt_hash
WHERE judgement.study_id = $study_id
    AND list_contains($answer_items, judgement.answer_item)
    AND ($judge = '' OR judgement.judge || ', prompt v' || prompt.version = $judge)
ORDER BY judgement.item_id;

-- name: verdicts_on_answers_to
-- The judges' items in which any answer to a task was judged.
SELECT item_id
FROM judgement_now
WHERE study_id = $study_id AND task_id = $task_id AND answer_item <> ''
ORDER BY item_id;

-- name: verdicts_on_all_answers
-- The judges' items of a study in which an answer was judged and something was said of it.
SELECT item_id
FROM judgement_now
WHERE study_id = $study_id AND answer_item <> '' AND outcome IS NOT NULL
ORDER BY item_id;

-- name: audit_draft
-- The note that a person began to write on a verdict of a sample.
SELECT note
FROM audit_draft
WHERE audit_id = $audit_id AND person_id = $person_id AND item_id = $item_id;

-- name: drop_audit_draft
-- Take the note away that a person began to write on a verdict of a sample.
DELETE FROM audit_draft
WHERE audit_id = $audit_id AND person_id = $person_id AND item_id = $item_id;
