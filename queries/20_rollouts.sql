-- rollouts: every video, with its outcome and the facts of its scene.
-- Grain: one row a video; a video without an outcome row stays, with source null (not read yet).
-- outcome: null where the video was read and cannot be scored, and where it was not read.
with final as (
    select
        videos.video,
        videos.benchmark,
        videos.condition,
        videos.scene,
        videos.model,
        videos.seed,
        videos.requested,
        outcomes.outcome,
        outcomes.source,
        scenes.track,
        scenes.family,
        scenes.readout
    from videos
    left join outcomes
        on outcomes.video = videos.video
    left join scenes
        on scenes.benchmark = videos.benchmark
        and scenes.scene = videos.scene
)

select * from final
