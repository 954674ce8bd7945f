-- benchmarks: the one place that says how many readings a video needs, and from where on a cell has a metric.
-- Grain: one row a benchmark.
-- attempts: readings of one video by one reader; with fewer answers its outcome is not known.
-- least_readable: valid rollouts, of as many as a scene asks, below which a cell has no metric; null: no such gate.
with final as (
    select 'calibench' as benchmark, cast(3 as bigint) as attempts, cast(null as bigint) as least_readable
    union all
    select 'pawbench' as benchmark, cast(1 as bigint) as attempts, cast(20 as bigint) as least_readable
)

select * from final
