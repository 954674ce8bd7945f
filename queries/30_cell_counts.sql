-- cell_counts: how often each outcome was seen in each cell.
-- Grain: one row a cell and outcome of its scene; outcomes never seen have a row with n = 0.
-- n: counts rollouts whose outcome is this one; null outcomes and unread videos are in no row.
with seen as (
    select benchmark, condition, scene, model, outcome, count(*) as n
    from rollouts
    where outcome is not null
    group by benchmark, condition, scene, model, outcome
),

all_cells as (
    select distinct benchmark, condition, scene, model
    from rollouts
),

final as (
    select
        all_cells.benchmark,
        all_cells.condition,
        all_cells.scene,
        all_cells.model,
        scene_outcomes.outcome,
        scene_outcomes.position,
        coalesce(seen.n, 0) as n,
        scene_outcomes.probability
    from all_cells
    inner join scene_outcomes
        on scene_outcomes.benchmark = all_cells.benchmark
        and scene_outcomes.scene = all_cells.scene
    left join seen
        on seen.benchmark = all_cells.benchmark
        and seen.condition = all_cells.condition
        and seen.scene = all_cells.scene
        and seen.model = all_cells.model
        and seen.outcome = scene_outcomes.outcome
)

select * from final
