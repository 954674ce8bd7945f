-- protocols: how the videos of a benchmark are read. The one place that says how many readings a video needs.
-- Grain: one row a benchmark.
-- attempts: readings of one video by one reader; with fewer answers its outcome is not known.
-- reader, edition: what read the released outcomes, and whose prompts it was given.
with final as (
    select 'calibench' as benchmark, cast(3 as bigint) as attempts, 'gemini-3.1-pro-preview' as reader, 'paper' as edition
    union all
    select 'pawbench' as benchmark, cast(1 as bigint) as attempts, null as reader, 'paper' as edition
)

select * from final
