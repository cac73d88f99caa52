-- name: standing_task_ids
-- The tasks of a study that nobody removed.
SELECT task_id FROM task_state
WHERE study_id = $study_id AND state <> 'removed'
ORDER BY position, task_id;

-- name: attempt_next
-- The task that comes next for a person: what they took back last, then what they have not seen in
-- their own order, then what they skipped, the longest ago first. Where the tasks are not of a draw,
-- those that were removed since do not come; after: the step in which they have to be answered by the
-- person before, or empty.
SELECT task.task_id, task.text
FROM (
    SELECT item.task_id
    FROM current_item AS item
    LEFT JOIN (
        SELECT item_id, action, seq
        FROM attempt_now
        WHERE study_id = $study_id AND step = $step AND person_id = $person_id
    ) AS done ON done.item_id = item.item_id
    WHERE item.study_id = $study_id
        AND item.step = $step
        AND item.model = $model
        AND done.action IS DISTINCT FROM 'answer'
        AND item.task_id NOT IN (
            SELECT task_id FROM task_state
            WHERE NOT $of_draw AND study_id = $study_id AND state = 'removed'
        )
        AND ($after = '' OR item.task_id IN (
            SELECT task_id FROM attempt_now
            WHERE study_id = $study_id AND step = $after AND person_id = $person_id
                AND action = 'answer'
        ))
    ORDER BY
        CASE done.action WHEN 'undo' THEN 0 WHEN 'skip' THEN 2 ELSE 1 END,
        CASE done.action WHEN 'undo' THEN -done.seq WHEN 'skip' THEN done.seq END,
        item.position,
        item.item_id
    LIMIT 1
) AS next
JOIN task ON task.task_id = next.task_id;

-- name: attempt_counts
-- How far a person has come with the draw, or with all tasks that nobody removed and that they have
-- answered in the step `after`, and how long each of their newest answers took.
WITH done AS (
    SELECT item_id, action, seq, seconds_active
    FROM attempt_now
    WHERE study_id = $study_id AND step = $step AND person_id = $person_id
)
SELECT
    CASE WHEN $of_draw THEN (
        SELECT count(*)
        FROM current_draw
        JOIN drawn_task ON drawn_task.draw_id = current_draw.draw_id
        WHERE current_draw.study_id = $study_id
    ) ELSE (
        SELECT count(*) FROM task_state
        WHERE study_id = $study_id
            AND state <> 'removed'
            AND ($after = '' OR task_id IN (
                SELECT task_id FROM attempt_now
                WHERE study_id = $study_id AND step = $after AND person_id = $person_id
                    AND action = 'answer'
            ))
    ) END AS n_drawn,
    count(*) AS n_planned,
    count(*) FILTER (WHERE done.action = 'answer') AS n_answered,
    count(*) FILTER (WHERE done.action = 'skip') AS n_skipped,
    (
        SELECT median(seconds_active)
        FROM (
            SELECT seconds_active
            FROM done
            WHERE action = 'answer' AND seconds_active IS NOT NULL
            ORDER BY seq DESC
            LIMIT $n_newest
        )
    ) AS seconds_each
FROM current_item AS item
LEFT JOIN done ON done.item_id = item.item_id
WHERE item.study_id = $study_id
    AND item.step = $step
    AND item.model = $model
    AND item.task_id NOT IN (
        SELECT task_id FROM task_state
        WHERE NOT $of_draw AND study_id = $study_id AND state = 'removed'
    )
    AND ($after = '' OR item.task_id IN (
        SELECT task_id FROM attempt_now
        WHERE study_id = $study_id AND step = $after AND person_id = $person_id
            AND action = 'answer'
    ));

-- name: attempt_of_task
-- A person's item of one task, with the newest thing they did with it.
SELECT item.item_id, done.action, done.label, done.reason, done.answer, done.value
FROM current_item AS item
LEFT JOIN (
    SELECT item_id, action, label, reason, answer, value
    FROM attempt_now
    WHERE study_id = $study_id AND step = $step AND person_id = $person_id
) AS done ON done.item_id = item.item_id
WHERE item.study_id = $study_id
    AND item.step = $step
    AND item.model = $model
    AND item.task_id = $task_id;

-- name: answered_by_person
-- The tasks that a person has answered in a step.
SELECT task_id FROM attempt_now
WHERE study_id = $study_id AND step = $step AND person_id = $person_id AND action = 'answer'
ORDER BY task_id;

-- name: planned_about_answer
-- What is planned about the answer that an item gave, such as a run of its program.
SELECT item_id FROM planned
WHERE study_id = $study_id AND json_extract_string(context_json, '$.answer_of') = $item_id
ORDER BY item_id;

-- name: last_attempt
-- The newest answer or skip of a person that they did not take back, in the current draw or of a
-- task that nobody removed.
SELECT item.item_id, item.task_id
FROM current_item AS item
JOIN attempt_now AS done
    ON done.study_id = item.study_id
    AND done.step = item.step
    AND done.item_id = item.item_id
WHERE item.study_id = $study_id
    AND item.step = $step
    AND item.model = $model
    AND done.person_id = $person_id
    AND done.action IN ('answer', 'skip')
    AND item.task_id NOT IN (
        SELECT task_id FROM task_state
        WHERE NOT $of_draw AND study_id = $study_id AND state = 'removed'
    )
    AND ($after = '' OR item.task_id IN (
        SELECT task_id FROM attempt_now
        WHERE study_id = $study_id AND step = $after AND person_id = $person_id
            AND action = 'answer'
    ))
ORDER BY done.seq DESC
LIMIT 1;

-- name: program_begun
-- What a person began to write to a task, else the newest program of theirs that they took back.
SELECT coalesce(
    (
        SELECT text FROM attempt_draft
        WHERE study_id = $study_id AND step = $step AND task_id = $task_id
            AND person_id = $person_id
    ),
    (
        SELECT arg_max(answer, seq) FROM label
        WHERE study_id = $study_id AND step = $step AND task_id = $task_id
            AND person_id = $person_id AND action = 'answer' AND reason IS NULL
    ),
    ''
) AS text;

-- name: drop_attempt_draft
-- Take away what a person began to write to a task.
DELETE FROM attempt_draft
WHERE study_id = $study_id AND step = $step AND task_id = $task_id AND person_id = $person_id;

-- name: export_attempts
-- All that people did with the tasks put before them, skips and undos included, oldest first.
SELECT label.item_id, label.task_id, label.step, person.name AS person, label.action,
    label.label, label.reason, label.answer, label.value, label.seconds_active, label.labelled_at
FROM label
LEFT JOIN person USING (person_id)
WHERE label.study_id = $study_id AND label.action IS NOT NULL
ORDER BY label.seq;
