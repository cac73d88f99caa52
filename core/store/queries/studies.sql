-- name: studies_all
-- Every study, newest first.
SELECT study_id, name, protocol, subject, prompt_set, judge, settings_json, source, is_demo,
    created_at
FROM study
ORDER BY created_at DESC, name;

-- name: study_by_name
-- The study of that name; names differ by more than case.
SELECT study_id, name, protocol, subject, prompt_set, judge, settings_json, source, is_demo,
    created_at
FROM study
WHERE lower(name) = lower($name);

-- name: study_task_counts
-- Tasks of every study by their state.
SELECT
    study_id,
    count(*) AS n_tasks,
    count(*) FILTER (WHERE state = 'kept') AS kept,
    count(*) FILTER (WHERE state = 'removed') AS removed,
    count(*) FILTER (WHERE state = 'disputed') AS disputed,
    count(*) FILTER (WHERE state = 'skipped') AS skipped,
    count(*) FILTER (WHERE state = 'pending') AS pending
FROM task_state
GROUP BY study_id;

-- name: study_costs
-- What every study has cost so far, and how many calls have no known price.
SELECT
    study_id,
    coalesce(sum(cost_usd), 0) AS cost_usd,
    count(*) AS n_calls,
    count(*) FILTER (WHERE cost_usd IS NULL AND raw_json <> '{}') AS n_unpriced
FROM call
GROUP BY study_id;

-- name: study_item_counts
-- Planned items of every study and step, those that have ended, and those that are ok. What is put
-- before people is left out: it would make steps look unfinished that models have done.
SELECT study_id, step, count(*) AS planned, count(outcome) AS ended,
    count(*) FILTER (WHERE outcome = 'ok') AS ok
FROM item_now
WHERE NOT starts_with(model, 'person/')
GROUP BY study_id, step;

-- name: study_draws
-- How many tasks each study's current draw holds.
SELECT current_draw.study_id, count(*) AS n_drawn
FROM current_draw
JOIN drawn_task ON drawn_task.draw_id = current_draw.draw_id
GROUP BY current_draw.study_id;

-- name: person_by_name
-- The person of that name.
SELECT person_id, name FROM person WHERE name = $name;

-- name: prompt_known
-- The stored hashes of one prompt file, whatever its content was.
SELECT prompt_hash FROM prompt WHERE name = $name AND version = $version;

-- name: people_all
-- Everybody who has been at the desk, in alphabetical order.
SELECT person_id, name FROM person ORDER BY lower(name);
