-- name: desk_table
-- The tasks of a study as one person may see them in a table: filtered, sorted, one page of them.
-- While the study is blind, sides, reasons and other people's decisions on tasks that the person
-- has not decided are neither shown nor found by a filter or a sort. only: the tasks there are on
-- the desk, where those are not all of the study.
WITH mine AS (
    SELECT task_id, action
    FROM standing_vote
    WHERE study_id = $study_id AND person_id = $person_id AND NOT is_final
),
deciders AS (
    SELECT task_id, list(person_id) AS ids,
        string_agg(DISTINCT person.name, ', ' ORDER BY person.name) AS names
    FROM standing_vote
    JOIN person USING (person_id)
    WHERE study_id = $study_id AND action <> 'skip'
    GROUP BY task_id
),
seen AS (
    SELECT
        task_state.*,
        NOT $is_blind OR coalesce(mine.action IN ('keep', 'remove'), false) AS is_seen,
        mine.action AS own_action,
        deciders.ids AS decider_ids,
        deciders.names AS decider_names,
        coalesce(task_check.codes, '') AS codes
    FROM task_state
    LEFT JOIN mine USING (task_id)
    LEFT JOIN deciders USING (task_id)
    LEFT JOIN task_check
        ON task_check.task_id = task_state.task_id AND task_check.checks_version = $checks_version
    WHERE task_state.study_id = $study_id
        AND ($only IS NULL OR list_contains($only, task_state.task_id))
),
shown AS (
    SELECT
        task_id,
        position,
        text,
        type,
        CASE WHEN is_seen THEN intent END AS intent,
        CASE WHEN is_seen THEN reason END AS reason,
        CASE
            WHEN is_seen THEN state
            WHEN state IN ('pending', 'skipped') THEN
                CASE own_action WHEN 'skip' THEN 'skipped' ELSE 'pending' END
            ELSE 'decided by others'
        END AS state,
        CASE WHEN is_seen THEN removal_reason END AS removal_reason,
        codes,
        CASE WHEN is_seen THEN decider_ids END AS decider_ids,
        CASE WHEN is_seen THEN decider_names END AS decider_names,
        CASE WHEN is_seen THEN decided_at END AS decided_at
    FROM seen
)
SELECT task_id, position, left(text, $longest) AS text, type, intent, reason, state,
    removal_reason, codes, decider_names, decided_at, count(*) OVER () AS n_matching
FROM shown
WHERE ($type = '' OR type = $type)
    AND ($intent = '' OR intent = $intent)
    AND ($state = '' OR state = $state)
    AND ($flag = '' OR ($flag = 'any' AND codes <> '') OR list_contains(string_split(codes, ','), $flag))
    AND ($decider = '' OR list_contains(decider_ids, $decider))
    AND ($words = '' OR contains(lower(text), lower($words)))
ORDER BY
    CASE WHEN $sort = 'newest decision' THEN decided_at END DESC NULLS LAST,
    CASE WHEN $sort = 'longest' THEN length(text) END DESC,
    CASE WHEN $sort = 'shortest' THEN length(text) END,
    CASE WHEN $sort = 'text' THEN lower(left(text, 200)) END,
    CASE WHEN $sort = 'type' THEN type END,
    CASE WHEN $sort = 'state' THEN state END,
    position,
    task_id
LIMIT $n OFFSET $first;
