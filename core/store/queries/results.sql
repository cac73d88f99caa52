-- name: label_counts
-- How often each combination of what was intended and what was answered occurs, per study and
-- model: over the current draw, without the tasks that people removed unless they are asked for.
SELECT
    study.name AS study,
    study.subject,
    item.model,
    study.prompt_set,
    task_state.intent,
    task_state.type,
    task_state.reason,
    label.label,
    label.reason AS label_reason,
    label.type AS label_type,
    count(*) AS n
FROM current_item AS item
JOIN study ON study.study_id = item.study_id
JOIN task_state ON task_state.task_id = item.task_id
JOIN label_now AS label
    ON label.study_id = item.study_id
    AND label.step = item.step
    AND label.item_id = item.item_id
WHERE list_contains($study_ids, item.study_id)
    AND item.draw_id IS NOT NULL
    AND ($with_removed OR task_state.state <> 'removed')
GROUP BY ALL
ORDER BY ALL;

-- name: attribution_counts
-- How often each outcome of an answering step occurs, per study, model and judge: over the
-- questions that nobody removed, unless those are asked for. A judge is a model with a version of
-- its prompt, and a study has a row of counts for each; without any the judge is empty. label is
-- that of the reply, `unparsable` where it could not be used, or missing where none came; a model
-- without any reply has no rows. verdict is what the judge said of an answer: its label, `invalid`
-- where it said nothing that can be read, missing where it was not asked or still owes it; match
-- how the answer matches a reference without the judge.
WITH judge AS (
    SELECT DISTINCT study_id, judge FROM judged_answer WHERE list_contains($study_ids, study_id)
),
counted AS (
    SELECT
        study.name AS study,
        study.subject,
        attempt.model,
        study.prompt_set,
        coalesce(judge.judge, '') AS judge,
        task_state.group_name AS "group",
        task_state.type,
        task_state.intent,
        CASE
            WHEN attempt.outcome = 'ok' THEN label_now.label
            WHEN attempt.is_answered THEN 'unparsable'
        END AS label,
        judged_answer.verdict,
        judged_answer.match,
        count(*) AS n
    FROM item_now AS attempt
    LEFT JOIN label_now
        ON label_now.study_id = attempt.study_id
        AND label_now.step = attempt.step
        AND label_now.item_id = attempt.item_id
    JOIN study ON study.study_id = attempt.study_id
    JOIN task_state ON task_state.task_id = attempt.task_id
    LEFT JOIN judge ON judge.study_id = attempt.study_id
    LEFT JOIN judged_answer
        ON judged_answer.study_id = attempt.study_id
        AND judged_answer.judge = judge.judge
        AND judged_answer.answer_item = attempt.item_id
    WHERE attempt.step = 'attempt'
        AND list_contains($study_ids, attempt.study_id)
        AND (task_state.state <> 'removed' OR ($with_removed AND attempt.is_answered))
    GROUP BY ALL
)
SELECT * FROM counted
QUALIFY count(label) OVER (PARTITION BY study, model) > 0
ORDER BY ALL;

-- name: label_coverage
-- For each study and model: items of a measured step, those whose task is removed, and how the
-- rest ended.
SELECT
    study.name AS study,
    item.model,
    count(*) AS planned,
    count(*) FILTER (WHERE task_state.state = 'removed') AS removed_since,
    count(*) FILTER (WHERE task_state.state <> 'removed' AND item.outcome = 'ok') AS read,
    count(*) FILTER (WHERE task_state.state <> 'removed' AND item.outcome <> 'ok') AS unread,
    count(*) FILTER (WHERE task_state.state <> 'removed' AND item.outcome IS NULL) AS open
FROM item_now AS item
JOIN study ON study.study_id = item.study_id
JOIN task_state ON task_state.task_id = item.task_id
WHERE list_contains($study_ids, item.study_id) AND list_contains($steps, item.step)
GROUP BY ALL
ORDER BY ALL;

-- name: label_coverage_parts
-- The same for each group and type, without the tasks that are removed: those asked, those that
-- brought a reply, and those whose reply was read.
SELECT
    study.name AS study,
    item.model,
    task_state.group_name AS "group",
    task_state.type,
    count(*) AS asked,
    count(*) FILTER (WHERE item.is_answered) AS answered,
    count(*) FILTER (WHERE item.outcome = 'ok') AS read
FROM item_now AS item
JOIN study ON study.study_id = item.study_id
JOIN task_state ON task_state.task_id = item.task_id
WHERE list_contains($study_ids, item.study_id)
    AND list_contains($steps, item.step)
    AND task_state.state <> 'removed'
GROUP BY ALL
ORDER BY ALL;

-- name: studies_with_answers
-- The studies with at least one answered item of a measured step, usable or not, or with runs of
-- agents, newest first.
SELECT study.name
FROM study
WHERE study.study_id IN (
    SELECT study_id FROM item_now WHERE is_answered AND list_contains($steps, step)
    UNION
    SELECT study_id FROM agent_run
)
ORDER BY study.created_at DESC, study.name;

-- name: labels_of_step
-- How many labels of a step a study has.
SELECT count(*) AS n
FROM label_now AS label
JOIN current_item AS item
    ON item.study_id = label.study_id AND item.step = label.step AND item.item_id = label.item_id
WHERE label.study_id = $study_id AND label.step = $step;
