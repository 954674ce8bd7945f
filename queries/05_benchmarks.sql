-- benchmarks: the one place that says how many readings a video needs.
-- Grain: one row a benchmark.
-- attempts: readings of one video by one reader; with fewer answers its outcome is not known.
with final as (
    select 'calibench' as benchmark, cast(3 as bigint) as attempts
    union all
    select 'pawbench' as benchmark, cast(1 as bigint) as attempts
)

select * from final
