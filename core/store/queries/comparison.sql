-- name: joint_label_counts
-- How often each combination of two labels occurs over the tasks that two classifiers share, for
-- every two of the (study, model) members, numbered from 1: over the current draws, without the
-- tasks that people removed. In one study the tasks are the same; across studies those with the
-- same text, type, intent and reason are, the n-th copy with the n-th. A task that was answered
-- without a usable reply has no label. Copies are numbered on a
-- digest of what makes tasks the same, for sorting whole texts is slow.
WITH member AS (
    SELECT
        unnest($study_ids) AS study_id,
        unnest($models) AS model,
        generate_subscripts($study_ids, 1) AS number
),
classified AS (
    SELECT
        member.number AS member,
        reply.study_id,
        reply.task_id,
        reply.position,
        reply.type,
        reply.intent,
        CASE WHEN reply.intent = 'infeasible' THEN reply.reason END AS reason,
        reply.label,
        CASE WHEN reply.label = 'infeasible' THEN reply.label_reason END AS label_reason
    FROM member
    JOIN drawn_reply AS reply ON reply.study_id = member.study_id AND reply.model = member.model
),
keyed AS (
    SELECT
        classified.*,
        md5_number(concat_ws(
            chr(31), classified.intent, coalesce(classified.type, ''),
            coalesce(classified.reason, ''), task.text
        )) AS same
    FROM classified
    JOIN task ON task.task_id = classified.task_id
    WHERE (SELECT count(DISTINCT study_id) FROM member) > 1
),
copies AS (
    SELECT
        member, study_id, type, intent, reason, label, label_reason, same,
        row_number() OVER (
            PARTITION BY member, same ORDER BY label IS NULL, position, task_id
        ) AS copy
    FROM keyed
),
shared AS (
    SELECT
        one.member AS member_a, other.member AS member_b, one.type, one.intent, one.reason,
        one.label AS label_a, one.label_reason AS label_reason_a,
        other.label AS label_b, other.label_reason AS label_reason_b
    FROM classified AS one
    JOIN classified AS other
        ON other.study_id = one.study_id
        AND other.task_id = one.task_id
        AND other.member > one.member
    UNION ALL
    SELECT
        one.member AS member_a, other.member AS member_b, one.type, one.intent, one.reason,
        one.label AS label_a, one.label_reason AS label_reason_a,
        other.label AS label_b, other.label_reason AS label_reason_b
    FROM copies AS one
    JOIN copies AS other
        ON other.study_id <> one.study_id
        AND other.member > one.member
        AND other.same = one.same
        AND other.copy = one.copy
)
SELECT
    member_a, member_b, type, intent, reason, label_a, label_reason_a, label_b, label_reason_b,
    count(*) AS n
FROM shared
GROUP BY ALL
ORDER BY ALL;

-- name: member_label_counts
-- How often each combination of what was intended and what was answered occurs for each of the
-- (study, model) members, numbered from 1: as label_counts, and the tasks answered without a usable
-- reply beside them, which have no label.
WITH member AS (
    SELECT
        unnest($study_ids) AS study_id,
        unnest($models) AS model,
        generate_subscripts($study_ids, 1) AS number
)
SELECT
    member.number AS member,
    study.name AS study,
    study.subject,
    reply.model,
    study.prompt_set,
    reply.intent,
    reply.type,
    reply.reason,
    reply.label,
    reply.label_reason,
    count(*) AS n
FROM member
JOIN study ON study.study_id = member.study_id
JOIN drawn_reply AS reply ON reply.study_id = member.study_id AND reply.model = member.model
GROUP BY ALL
ORDER BY ALL;
