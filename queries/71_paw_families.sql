-- paw_families: the mean metric of each mechanism group over its passing scenes.
-- Grain: one row a condition, model and mechanism group of PAWBench.
-- status: blocked where any scene of the model's track is; no-reference where a scene passes whose reference is not
--   known; fail where no scene passes; else pass, and only then there is a metric.
-- passing: counts scenes that pass the gate, those without reference included. Summed in order, as in cells.
with marked as (
    select
        *,
        max(case when status = 'blocked' then 1 else 0 end) over (partition by condition, model, track) as withheld
    from paw_scenes
),

counted as (
    select
        condition,
        model,
        track,
        family,
        max(withheld) as withheld,
        count(*) as scenes,
        count(case when status in ('pass', 'no-reference') then 1 end) as passing,
        count(case when status = 'no-reference' then 1 end) as unknown,
        cast(sum(asked) as bigint) as asked,
        cast(sum(readable) as bigint) as readable,
        cast(sum(nulls) as bigint) as nulls,
        cast(sum(errors) as bigint) as errors,
        sum(metric order by position nulls last, scene) / count(metric) as metric
    from marked
    group by condition, model, track, family
),

judged as (
    select
        *,
        case
            when withheld = 1 then 'blocked'
            when unknown > 0 then 'no-reference'
            when passing = 0 then 'fail'
            else 'pass'
        end as status
    from counted
),

final as (
    select
        condition,
        model,
        track,
        family,
        status,
        scenes,
        passing,
        asked,
        readable,
        nulls,
        errors,
        case when status = 'pass' then metric end as metric
    from judged
)

select * from final
