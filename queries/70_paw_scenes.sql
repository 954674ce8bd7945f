-- paw_scenes: PAWBench's gate and metric of each scene, in the authors' order: blocked, fail, pass.
-- Grain: one row a condition and model with any cell of the roster's scenes, and scene of the roster, with a cell or not.
-- readable, nulls: counts rollouts with an outcome, and with a null one; errors: videos without an outcome row. Such is
--   an infrastructure failure: its votes are errors, which make no outcome. A missing rollout is in none of the three.
-- status: blocked unless every rollout asked for was read; fail where fewer are readable than the gate asks (20 of 50,
--   in proportion for other numbers); no-reference where a calibration scene passes, and its reference is not known.
-- metric: 100 x total variation (calibration), or the share of the outcome set that was seen in per cent (coverage).
with roster as (
    select *
    from scenes
    where benchmark = 'pawbench' and track in ('calibration', 'coverage')
),

lanes as (
    select distinct cells.condition, cells.model
    from cells
    inner join roster
        on roster.benchmark = cells.benchmark
        and roster.scene = cells.scene
),

known as (
    select distinct scene
    from distributions
    where benchmark = 'pawbench'
),

entries as (
    select
        condition,
        scene,
        model,
        unnest(counts) as n
    from cells
    where benchmark = 'pawbench'
),

support as (
    select condition, scene, model, count(*) as seen
    from entries
    where n > 0
    group by condition, scene, model
),

counted as (
    select
        lanes.condition,
        lanes.model,
        roster.scene,
        roster.track,
        roster.family,
        roster.position,
        roster.rollouts as standard,
        benchmarks.least_readable,
        known.scene is not null as has_reference,
        coalesce(conditions.rollouts, roster.rollouts) as asked,
        coalesce(cells.valid, 0) as readable,
        coalesce(cells.nulls, 0) as nulls,
        coalesce(cells.unread, 0) as errors,
        coalesce(support.seen, 0) as seen,
        len(roster.outcomes) as outcomes,
        cells.tv
    from lanes
    cross join roster
    inner join benchmarks
        on benchmarks.benchmark = roster.benchmark
    left join conditions
        on conditions.benchmark = roster.benchmark
        and conditions.condition = lanes.condition
    left join known
        on known.scene = roster.scene
    left join cells
        on cells.benchmark = roster.benchmark
        and cells.condition = lanes.condition
        and cells.scene = roster.scene
        and cells.model = lanes.model
    left join support
        on support.condition = lanes.condition
        and support.scene = roster.scene
        and support.model = lanes.model
),

judged as (
    select
        *,
        case
            when errors > 0 or readable + nulls <> asked then 'blocked'
            when readable * standard < least_readable * asked then 'fail'
            when track = 'calibration' and not has_reference then 'no-reference'
            else 'pass'
        end as status
    from counted
),

final as (
    select
        condition,
        model,
        scene,
        track,
        family,
        position,
        status,
        asked,
        readable,
        nulls,
        errors,
        seen,
        outcomes,
        case
            when status <> 'pass' then null
            when track = 'calibration' then 100 * tv
            else 100 * seen / outcomes
        end as metric
    from judged
)

select * from final
