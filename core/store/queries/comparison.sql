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
no_reply AS (
    SELECT study_id, step, item_id
    FROM call
    WHERE final
        AND outcome IN ('refused', 'truncated', 'empty', 'unparsable')
        AND list_contains($study_ids, study_id)
),
classified AS (
    SELECT
        member.number AS member,
        item.study_id,
        item.task_id,
        task_state.position,
        task_state.type,
        task_state.intent,
        CASE WHEN task_state.intent = 'infeasible' THEN task_state.reason END AS reason,
        label.label,
        CASE WHEN label.label = 'infeasible' THEN label.reason END AS label_reason
    FROM member
    JOIN current_item AS item ON item.study_id = member.study_id AND item.model = member.model
    JOIN task_state ON task_state.task_id = item.task_id
    LEFT JOIN label_now AS label
        ON label.study_id = item.study_id
        AND label.step = item.step
        AND label.item_id = item.item_id
    LEFT JOIN no_reply
        ON no_reply.study_id = item.study_id
        AND no_reply.step = item.step
        AND no_reply.item_id = item.item_id
    WHERE item.draw_id IS NOT NULL
        AND task_state.state <> 'removed'
        AND (label.label IS NOT NULL OR no_reply.item_id IS NOT NULL)
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
),
no_reply AS (
    SELECT study_id, step, item_id
    FROM call
    WHERE final
        AND outcome IN ('refused', 'truncated', 'empty', 'unparsable')
        AND list_contains($study_ids, study_id)
)
SELECT
    member.number AS member,
    study.name AS study,
    study.subject,
    item.model,
    study.prompt_set,
    task_state.intent,
    task_state.type,
    task_state.reason,
    label.label,
    label.reason AS label_reason,
    count(*) AS n
FROM member
JOIN current_item AS item ON item.study_id = member.study_id AND item.model = member.model
JOIN study ON study.study_id = item.study_id
JOIN task_state ON task_state.task_id = item.task_id
LEFT JOIN label_now AS label
    ON label.study_id = item.study_id
    AND label.step = item.step
    AND label.item_id = item.item_id
LEFT JOIN no_reply
    ON no_reply.study_id = item.study_id
    AND no_reply.step = item.step
    AND no_reply.item_id = item.item_id
WHERE item.draw_id IS NOT NULL
    AND task_state.state <> 'removed'
    AND (label.label IS NOT NULL OR no_reply.item_id IS NOT NULL)
GROUP BY ALL
ORDER BY ALL;
