-- cells: the counts of each cell, its scorability and its distance from the reference.
-- Grain: one row a cell (benchmark, condition, scene, model).
-- rollouts: counts videos with an outcome row, scoreable or not; unread: videos without one.
-- valid: counts rollouts whose outcome is not null; nulls: rollouts whose outcome is null.
-- counts: valid rollouts by outcome, in the scene's order, zeros included.
-- tv: half the sum of |counts / valid - reference|; null without valid rollouts or without a reference
-- (a scene has the reference of all its outcomes or of none). Summed in order, so that no thread moves a last digit.
with totals as (
    select
        benchmark,
        condition,
        scene,
        model,
        count(source) as rollouts,
        count(*) - count(source) as unread,
        count(outcome) as valid,
        count(source) - count(outcome) as nulls
    from rollouts
    group by benchmark, condition, scene, model
),

distances as (
    select
        cell_counts.benchmark,
        cell_counts.condition,
        cell_counts.scene,
        cell_counts.model,
        array_agg(cell_counts.n order by cell_counts.position) as counts,
        0.5 * sum(
            abs(cell_counts.n / nullif(totals.valid, 0) - cell_counts.probability) order by cell_counts.position
        ) as tv
    from cell_counts
    inner join totals
        on totals.benchmark = cell_counts.benchmark
        and totals.condition = cell_counts.condition
        and totals.scene = cell_counts.scene
        and totals.model = cell_counts.model
    group by cell_counts.benchmark, cell_counts.condition, cell_counts.scene, cell_counts.model
),

final as (
    select
        totals.benchmark,
        totals.condition,
        totals.scene,
        totals.model,
        totals.rollouts,
        totals.unread,
        totals.valid,
        totals.nulls,
        totals.valid / nullif(totals.rollouts, 0) as scorability,
        distances.counts,
        distances.tv
    from totals
    left join distances
        on distances.benchmark = totals.benchmark
        and distances.condition = totals.condition
        and distances.scene = totals.scene
        and distances.model = totals.model
)

select * from final
