-- condition_pairs: cells of a varied condition beside the cells of the same scene and model in condition main.
-- Grain: one row a benchmark, condition (never main), scene and model that has cells in both.
-- main_*: of the cell in condition main; the others: of the varied one. rollouts and valid count as in cells.
with final as (
    select
        varied.benchmark,
        varied.condition,
        varied.scene,
        varied.model,
        varied.rollouts,
        varied.valid,
        varied.counts,
        varied.tv,
        main.rollouts as main_rollouts,
        main.valid as main_valid,
        main.counts as main_counts,
        main.tv as main_tv
    from cells as varied
    inner join cells as main
        on main.benchmark = varied.benchmark
        and main.scene = varied.scene
        and main.model = varied.model
        and main.condition = 'main'
    where varied.condition <> 'main'
)

select * from final
