-- compliance: how often the prompt's request was followed, over all requested outcomes together.
-- Grain: one row a benchmark, scene and model that was asked for outcomes.
-- requests: counts videos with a requested outcome that were read; valid: those with an outcome;
-- complied: those whose outcome is the requested one. share: complied / valid; null without valid videos.
with asked as (
    select
        benchmark,
        scene,
        model,
        count(source) as requests,
        count(outcome) as valid,
        count(case when outcome = requested then 1 end) as complied
    from rollouts
    where requested is not null
    group by benchmark, scene, model
),

final as (
    select
        benchmark,
        scene,
        model,
        requests,
        valid,
        complied,
        complied / nullif(valid, 0) as share
    from asked
)

select * from final
