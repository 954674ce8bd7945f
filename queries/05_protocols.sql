-- protocols: how the videos of a benchmark are read. The one place that says how many readings a video needs.
-- Grain: one row a benchmark.
-- attempts: readings of one video by one reader; with fewer answers its outcome is not known.
-- reader, edition: what read the released outcomes, and whose prompts it was given.
-- least_readable: valid rollouts, of as many as a scene asks, below which a cell has no metric; null: no such gate.
with final as (
    select
        'calibench' as benchmark,
        cast(3 as bigint) as attempts,
        'gemini-3.1-pro-preview' as reader,
        'paper' as edition,
        cast(null as bigint) as least_readable
    union all
    select
        'pawbench' as benchmark,
        cast(1 as bigint) as attempts,
        null as reader,
        'paper' as edition,
        cast(20 as bigint) as least_readable
)

select * from final
