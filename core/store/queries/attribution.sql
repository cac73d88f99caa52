-- name: judges_of_studies
-- The judges of answers in some studies: a model with a version of its prompt each, and how many
-- valid verdicts it gave.
SELECT
    judged_answer.study_id,
    judged_answer.judge,
    judged_answer.model,
    prompt.version,
    count(*) FILTER (WHERE judged_answer.verdict <> 'invalid') AS n_verdicts
FROM judged_answer
JOIN prompt ON prompt.prompt_hash = judged_answer.prompt_hash
WHERE list_contains($study_ids, judged_answer.study_id)
GROUP BY ALL
ORDER BY ALL;

-- name: answered_questions
-- The attempted questions of some studies, filtered; one page of them. The verdict is that of the
-- judge that stands at the study's place in $judges. verdict asks for one of its labels, for
-- `invalid`, or for `open`: an answer of an answerable question that has no verdict yet.
WITH judge AS (
    SELECT unnest($study_ids) AS study_id, unnest($judges) AS judge
),
attempted AS (
    SELECT
        study.name AS study,
        study.subject,
        attempt.model,
        attempt.position,
        attempt.item_id,
        task_state.task_id,
        task_state.text,
        task_state.intent,
        task_state.type,
        task_state.group_name,
        task_state.state,
        attempt.label,
        attempt.answer,
        judge.judge,
        judged_answer.verdict,
        CASE
            WHEN attempt.label <> 'ANSWERED' THEN attempt.label
            WHEN task_state.intent <> 'answerable' THEN 'answered'
            WHEN judged_answer.verdict = 'yes' THEN 'answered right'
            WHEN judged_answer.verdict = 'no' THEN 'answered wrong'
            ELSE 'unjudged'
        END AS outcome
    FROM answered_now AS attempt
    JOIN study ON study.study_id = attempt.study_id
    JOIN judge ON judge.study_id = attempt.study_id
    JOIN task_state ON task_state.task_id = attempt.task_id
    LEFT JOIN judged_answer
        ON judged_answer.study_id = attempt.study_id
        AND judged_answer.judge = judge.judge
        AND judged_answer.answer_item = attempt.item_id
    WHERE attempt.step = 'attempt' AND task_state.state <> 'removed'
)
SELECT study, model, task_id, item_id, left(text, $longest) AS text, intent, type,
    group_name AS "group", NULL AS reason, state, outcome AS label, NULL AS label_reason,
    left(answer, $longest) AS answer, verdict, judge, count(*) OVER () AS n_matching
FROM attempted
WHERE ($of_study = '' OR study = $of_study)
    AND ($subject = '' OR subject = $subject)
    AND (len($models) = 0 OR list_contains($models, model))
    AND ($intent = '' OR intent = $intent)
    AND ($type = '' OR type = $type)
    AND ($group = '' OR group_name = $group)
    AND (len($outcomes) = 0 OR list_contains($outcomes, outcome))
    AND (
        $verdict = ''
        OR verdict = $verdict
        OR ($verdict = 'open' AND outcome = 'unjudged' AND verdict IS NULL)
    )
ORDER BY study, model, position, item_id
LIMIT $n OFFSET $first;

-- name: verdicts_on_task
-- Every verdict of every judge on the answers to one task, oldest first.
SELECT planned.model AS judge, prompt.version, planned.draw_number, answer.model, call.outcome,
    label.label AS verdict, call.text AS reply, label.labelled_at
FROM planned
JOIN prompt ON prompt.prompt_hash = planned.prompt_hash
JOIN planned AS answer
    ON answer.study_id = planned.study_id
    AND answer.item_id = json_extract_string(planned.context_json, '$.answer_of')
JOIN call
    ON call.study_id = planned.study_id
    AND call.step = planned.step
    AND call.item_id = planned.item_id
    AND call.final
LEFT JOIN label ON label.call_id = call.call_id
WHERE planned.study_id = $study_id AND planned.step = $step AND planned.task_id = $task_id
ORDER BY call.seq;

-- name: member_attribution_counts
-- What became of the questions of each of the (study, model) members, numbered from 1: over the
-- questions that nobody removed, by the verdicts of the judge at the member's place. part is the
-- group, or the file where there is none; outcome is missing for an answer without a verdict.
WITH member AS (
    SELECT
        unnest($study_ids) AS study_id,
        unnest($models) AS model,
        unnest($judges) AS judge,
        generate_subscripts($study_ids, 1) AS number
)
SELECT
    member.number AS member,
    coalesce(task_state.group_name, task_state.type) AS part,
    task_state.intent,
    CASE
        WHEN attempt.label <> 'ANSWERED' OR task_state.intent <> 'answerable' THEN attempt.label
        WHEN judged_answer.verdict = 'yes' THEN 'correct'
        WHEN judged_answer.verdict = 'no' THEN 'wrong'
    END AS outcome,
    count(*) AS n
FROM member
JOIN answered_now AS attempt
    ON attempt.study_id = member.study_id AND attempt.model = member.model
JOIN task_state ON task_state.task_id = attempt.task_id
LEFT JOIN judged_answer
    ON judged_answer.study_id = attempt.study_id
    AND judged_answer.judge = member.judge
    AND judged_answer.answer_item = attempt.item_id
WHERE attempt.step = 'attempt'
    AND list_contains($study_ids, attempt.study_id)
    AND task_state.state <> 'removed'
GROUP BY ALL
ORDER BY ALL;

-- name: joint_attribution_counts
-- How often each combination of two outcomes occurs over the questions that two members share, for
-- every two of them; members, parts and outcomes as in member_attribution_counts. In one study the
-- questions are the same; across studies those with the same text, intent, file and reference
-- answers are, the n-th copy with the n-th. Copies are numbered on a digest, for sorting whole
-- texts is slow.
WITH member AS (
    SELECT
        unnest($study_ids) AS study_id,
        unnest($models) AS model,
        unnest($judges) AS judge,
        generate_subscripts($study_ids, 1) AS number
),
attempted AS (
    SELECT
        member.number AS member,
        attempt.study_id,
        attempt.task_id,
        attempt.position,
        coalesce(task_state.group_name, task_state.type) AS part,
        task_state.intent,
        CASE
            WHEN attempt.label <> 'ANSWERED' OR task_state.intent <> 'answerable' THEN attempt.label
            WHEN judged_answer.verdict = 'yes' THEN 'correct'
            WHEN judged_answer.verdict = 'no' THEN 'wrong'
        END AS outcome,
        md5_number(concat_ws(
            chr(31), task_state.intent, coalesce(task_state.type, ''),
            coalesce(task_state.references_json, ''), task_state.text
        )) AS same
    FROM member
    JOIN answered_now AS attempt
        ON attempt.study_id = member.study_id AND attempt.model = member.model
    JOIN task_state ON task_state.task_id = attempt.task_id
    LEFT JOIN judged_answer
        ON judged_answer.study_id = attempt.study_id
        AND judged_answer.judge = member.judge
        AND judged_answer.answer_item = attempt.item_id
    WHERE attempt.step = 'attempt'
        AND list_contains($study_ids, attempt.study_id)
        AND task_state.state <> 'removed'
),
copies AS (
    SELECT
        *,
        row_number() OVER (
            PARTITION BY member, same ORDER BY outcome IS NULL, position, task_id
        ) AS copy
    FROM attempted
),
shared AS (
    SELECT one.member AS member_a, other.member AS member_b, one.part, one.intent,
        one.outcome AS outcome_a, other.outcome AS outcome_b
    FROM attempted AS one
    JOIN attempted AS other
        ON other.study_id = one.study_id
        AND other.task_id = one.task_id
        AND other.member > one.member
    UNION ALL
    SELECT one.member AS member_a, other.member AS member_b, one.part, one.intent,
        one.outcome AS outcome_a, other.outcome AS outcome_b
    FROM copies AS one
    JOIN copies AS other
        ON other.study_id <> one.study_id
        AND other.member > one.member
        AND other.same = one.same
        AND other.copy = one.copy
)
SELECT member_a, member_b, part, intent, outcome_a, outcome_b, count(*) AS n
FROM shared
GROUP BY ALL
ORDER BY ALL;

-- name: attribution_data
-- One row for each question, model and judge of some studies, however the attempt ended; one row
-- without a judge where the answer was put to none.
SELECT
    study.name AS study,
    study.subject,
    item.model,
    study.prompt_set,
    item.task_id,
    task_state.group_name AS "group",
    task_state.type,
    task_state.intent,
    coalesce(item.outcome, 'pending') AS outcome,
    label.label,
    judged_answer.judge,
    judged_answer.verdict,
    judged_answer.match,
    task_state.state = 'removed' AS removed
FROM item_now AS item
JOIN study ON study.study_id = item.study_id
JOIN task_state ON task_state.task_id = item.task_id
LEFT JOIN label_now AS label
    ON label.study_id = item.study_id
    AND label.step = item.step
    AND label.item_id = item.item_id
LEFT JOIN judged_answer
    ON judged_answer.study_id = item.study_id AND judged_answer.answer_item = item.item_id
WHERE list_contains($study_ids, item.study_id) AND item.step = 'attempt'
ORDER BY study.name, item.model, item.position, item.task_id, judged_answer.judge;

-- name: report_judges
-- Each judge of answers in some studies, its prompt, and what it said.
SELECT
    study.name AS study,
    judged_answer.step,
    judged_answer.model,
    prompt.name AS prompt,
    prompt.version,
    judged_answer.prompt_hash,
    count(*) FILTER (WHERE judged_answer.verdict = 'yes') AS n_yes,
    count(*) FILTER (WHERE judged_answer.verdict = 'no') AS n_no,
    count(*) FILTER (WHERE judged_answer.verdict = 'invalid') AS n_invalid,
    count(*) FILTER (WHERE judged_answer.verdict IS NULL) AS n_open
FROM judged_answer
JOIN study ON study.study_id = judged_answer.study_id
JOIN prompt ON prompt.prompt_hash = judged_answer.prompt_hash
WHERE list_contains($study_ids, judged_answer.study_id)
GROUP BY ALL
ORDER BY ALL;
