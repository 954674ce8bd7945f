-- majorities: what the votes of one reader on one video come to.
-- Grain: one row a video and reader that has votes; where readers differ, each has its own majority.
-- answered: counts votes that are an outcome or null; errors: votes that gave no answer.
-- status: incomplete with fewer answers than the protocol asks (an error is no answer, and no null either);
--   else outcome or null.
-- outcome: the answer, null being one, that more votes gave than any other; a tie of the most frequent is null.
with answers as (
    select
        video,
        reader,
        outcome,
        count(*) as n
    from votes
    where status <> 'error'
    group by video, reader, outcome
),

highest as (
    select
        video,
        reader,
        max(n) as n
    from answers
    group by video, reader
),

winners as (
    select
        answers.video,
        answers.reader,
        case when count(*) = 1 then max(answers.outcome) end as outcome
    from answers
    inner join highest
        on highest.video = answers.video
        and highest.reader = answers.reader
        and highest.n = answers.n
    group by answers.video, answers.reader
),

totals as (
    select
        video,
        reader,
        count(case when status <> 'error' then 1 end) as answered,
        count(case when status = 'error' then 1 end) as errors
    from votes
    group by video, reader
),

final as (
    select
        totals.video,
        totals.reader,
        videos.benchmark,
        videos.condition,
        videos.scene,
        videos.model,
        videos.seed,
        totals.answered,
        totals.errors,
        case
            when totals.answered < protocols.attempts then 'incomplete'
            when winners.outcome is null then 'null'
            else 'outcome'
        end as status,
        case when totals.answered >= protocols.attempts then winners.outcome end as outcome
    from totals
    inner join videos
        on videos.video = totals.video
    inner join protocols
        on protocols.benchmark = videos.benchmark
    left join winners
        on winners.video = totals.video
        and winners.reader = totals.reader
)

select * from final
