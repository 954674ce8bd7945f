-- scene_outcomes: the outcome sets, in order, with the reference where it is known.
-- Grain: one row an outcome of a scene.
-- position: place in the scene's outcome set, from 1.
-- probability: of the reference; null where it is not known.
with listed as (
    select
        benchmark,
        scene,
        unnest(outcomes) as outcome,
        generate_subscripts(outcomes, 1) as position
    from scenes
),

final as (
    select
        listed.benchmark,
        listed.scene,
        listed.outcome,
        listed.position,
        distributions.probability
    from listed
    left join distributions
        on distributions.benchmark = listed.benchmark
        and distributions.scene = listed.scene
        and distributions.outcome = listed.outcome
)

select * from final
