-- confusion: requested outcomes against outcomes got.
-- Grain: one row a benchmark, scene, model, requested outcome and outcome got; got is null for unscoreable videos.
-- position: of the outcome got in the scene's set, from 1; null for unscoreable. n: counts videos; zeros included.
with asked as (
    select distinct benchmark, scene, model, requested
    from rollouts
    where requested is not null
),

got as (
    select benchmark, scene, outcome, position from scene_outcomes
    union all
    select benchmark, scene, null as outcome, null as position from scenes
),

seen as (
    select benchmark, scene, model, requested, outcome, count(*) as n
    from rollouts
    where requested is not null and source is not null
    group by benchmark, scene, model, requested, outcome
),

final as (
    select
        asked.benchmark,
        asked.scene,
        asked.model,
        asked.requested,
        got.outcome,
        got.position,
        coalesce(seen.n, 0) as n
    from asked
    inner join got
        on got.benchmark = asked.benchmark
        and got.scene = asked.scene
    left join seen
        on seen.benchmark = asked.benchmark
        and seen.scene = asked.scene
        and seen.model = asked.model
        and seen.requested = asked.requested
        and (seen.outcome = got.outcome or (seen.outcome is null and got.outcome is null))
)

select * from final
