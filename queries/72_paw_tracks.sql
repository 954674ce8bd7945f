-- paw_tracks: the mean metric of each track over its passing scenes, and the scene pass rate.
-- Grain: one row a condition, model and track of PAWBench.
-- metric: mean over the passing scenes, not over the groups; status as in paw_families.
-- spr: passing / scenes, over the whole roster of the track; a blocked scene withholds it, an unknown reference does not.
with counted as (
    select
        condition,
        model,
        track,
        count(case when status = 'blocked' then 1 end) as blocked,
        count(*) as scenes,
        count(case when status in ('pass', 'no-reference') then 1 end) as passing,
        count(case when status = 'no-reference' then 1 end) as unknown,
        cast(sum(asked) as bigint) as asked,
        cast(sum(readable) as bigint) as readable,
        cast(sum(nulls) as bigint) as nulls,
        cast(sum(errors) as bigint) as errors,
        sum(metric order by position nulls last, scene) / count(metric) as metric
    from paw_scenes
    group by condition, model, track
),

judged as (
    select
        *,
        case
            when blocked > 0 then 'blocked'
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
        status,
        scenes,
        passing,
        asked,
        readable,
        nulls,
        errors,
        case when status = 'pass' then metric end as metric,
        case when status <> 'blocked' then passing / scenes end as spr
    from judged
)

select * from final
