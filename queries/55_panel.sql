-- panel: what several people saw in a video, beside its outcome. A label that is null is the answer "cannot tell".
-- Grain: one row a video that has labels.
-- votes: counts labels; mode: labels that agree on the most frequent answer.
-- verdict: cannot tell where that answer is null, tie where several are most frequent, else decisive.
-- label: the decisive answer. comparable: 1 where the verdict is decisive and the video's outcome is in the scene's set.
-- stratum: of consensus among seven people, by mode: low (3-4), moderate (5), high (6-7); null for other sizes.
-- agrees: 1 where label and outcome are the same, 0 where not; null unless comparable.
with answers as (
    select video, outcome, count(*) as n
    from labels
    group by video, outcome
),

totals as (
    select video, cast(sum(n) as bigint) as votes, max(n) as mode
    from answers
    group by video
),

winners as (
    select
        answers.video,
        count(*) as winners,
        max(answers.outcome) as label,
        count(answers.outcome) as named
    from answers
    inner join totals
        on totals.video = answers.video
        and totals.mode = answers.n
    group by answers.video
),

judged as (
    select
        totals.video,
        totals.votes,
        totals.mode,
        rollouts.benchmark,
        rollouts.condition,
        rollouts.scene,
        rollouts.model,
        rollouts.seed,
        rollouts.outcome,
        case
            when winners.winners > 1 then 'tie'
            when winners.named = 0 then 'cannot tell'
            else 'decisive'
        end as verdict,
        winners.label
    from totals
    inner join winners
        on winners.video = totals.video
    inner join rollouts
        on rollouts.video = totals.video
),

final as (
    select
        video,
        benchmark,
        condition,
        scene,
        model,
        seed,
        votes,
        mode,
        verdict,
        case when verdict = 'decisive' then label end as label,
        outcome,
        cast(case when verdict = 'decisive' and outcome is not null then 1 else 0 end as bigint) as comparable,
        case
            when votes <> 7 or mode < 3 then null
            when mode <= 4 then 'low'
            when mode = 5 then 'moderate'
            else 'high'
        end as stratum,
        cast(
            case when verdict = 'decisive' and outcome is not null then case when label = outcome then 1 else 0 end end
            as bigint
        ) as agrees
    from judged
)

select * from final
