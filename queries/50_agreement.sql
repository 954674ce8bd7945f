-- agreement: human labels beside the outcomes of the same videos. Null is a value: two nulls agree.
-- Grain: one row a benchmark, condition, scene and annotator.
-- labels: counts labelled videos that have an outcome row; unread: labelled videos without one, in no other column.
-- exact: outcome and label the same; label_valid, label_null: labels that name an outcome, that are null.
-- false_null: outcome null, label not; missed_null: label null, outcome not; wrong_label: two different outcomes.
with paired as (
    select
        labels.benchmark,
        labels.condition,
        labels.scene,
        labels.annotator,
        labels.outcome as label,
        outcomes.outcome,
        outcomes.video is not null as has_outcome
    from labels
    left join outcomes
        on outcomes.video = labels.video
),

final as (
    select
        benchmark,
        condition,
        scene,
        annotator,
        count(case when has_outcome then 1 end) as labels,
        count(case when not has_outcome then 1 end) as unread,
        count(case when has_outcome and (label = outcome or (label is null and outcome is null)) then 1 end) as exact,
        count(case when has_outcome and label is not null then 1 end) as label_valid,
        count(case when has_outcome and label is null then 1 end) as label_null,
        count(case when has_outcome and label is not null and outcome is null then 1 end) as false_null,
        count(case when has_outcome and label is null and outcome is not null then 1 end) as missed_null,
        count(case when has_outcome and label <> outcome then 1 end) as wrong_label
    from paired
    group by benchmark, condition, scene, annotator
)

select * from final
