"""The tables that are released, and the columns that they share with the views."""

from __future__ import annotations

from .relation import Column, ForeignKey, Relation

BENCHMARK = Column("benchmark", "string", "`calibench` or `pawbench`", allowed=("calibench", "pawbench"))
CONDITION = Column("condition", "string", "the generation settings varied: `main`, `720p`, `cfg-1.0`, ...")
SCENE = Column("scene", "string", "one stochastic set-up")
MODEL = Column("model", "string", "the video generator")
SEED = Column("seed", "integer", "seed passed to the generator", minimum=0)
REQUESTED = Column("requested", "string", "outcome that the prompt asked for; null where it asked for none", True)
VIDEO = Column("video", "string", "`benchmark/condition/scene/model/seed`")
CELL = (BENCHMARK, CONDITION, SCENE, MODEL)
ROLLOUT = (*CELL, SEED, REQUESTED)
POSITION = Column(
    "position", "integer", "place in the paper's tables, from 1; null for what came later", True, minimum=1
)
SHA256 = Column("sha256", "string", "SHA-256 of the bytes, 64 hexadecimal digits", True)
TO_SCENE = ForeignKey(("benchmark", "scene"), "scenes")
TO_MODEL = ForeignKey(("benchmark", "model"), "models")
TO_CONDITION = ForeignKey(("benchmark", "condition"), "conditions")
TO_VIDEO = ForeignKey(("video",), "videos")

TABLES: dict[str, Relation] = {
    table.name: table
    for table in (
        Relation(
            "scenes",
            "scene of a benchmark",
            (
                BENCHMARK,
                SCENE,
                POSITION,
                Column("title", "string", "name in the paper"),
                Column(
                    "track",
                    "string",
                    "what is measured; `intervention`: an extra scene of an experiment, in no metric",
                    allowed=("calibration", "coverage", "intervention"),
                ),
                Column("family", "string", "family of the reference (CaliBench) or mechanism group (PAWBench)"),
                Column(
                    "family_source",
                    "string",
                    "whether a mechanism group is stated in the paper, inferred, or from the authors' package",
                    True,
                    allowed=("stated", "inferred", "imported"),
                ),
                Column("readout", "string", "what the reader is shown", allowed=("final-frame", "video")),
                Column("rollouts", "integer", "rollouts that a cell of this scene needs", minimum=1),
                Column("outcomes", "strings", "the outcome set, in order"),
                Column("note", "string", "why it has no reference, or what else to know", True),
            ),
            ("benchmark", "scene"),
        ),
        Relation(
            "distributions",
            "outcome of a scene whose reference is known",
            (
                BENCHMARK,
                SCENE,
                Column("outcome", "string", "one of the scene's outcomes"),
                Column("position", "integer", "place in the scene's outcome set, from 1", minimum=1),
                Column("numerator", "integer", "of the exact reference probability", minimum=0),
                Column("denominator", "integer", "of the exact reference probability", minimum=1),
                Column("probability", "number", "numerator / denominator", minimum=0),
                Column("source", "string", "why it is known", allowed=("published", "symmetry", "combinatorial")),
            ),
            ("benchmark", "scene", "outcome"),
            (TO_SCENE,),
        ),
        Relation(
            "models",
            "video generator, with the settings it ran at",
            (
                BENCHMARK,
                MODEL,
                POSITION,
                Column("title", "string", "name in the paper"),
                Column("provider", "string", "who makes it", True),
                Column("api_id", "string", "identifier at the service or of the weights", True),
                Column("duration_s", "number", "length of a video in seconds", True, minimum=0),
                Column("resolution", "string", "`720p` or width x height in pixels", True),
                Column("prompt_expansion", "string", "whether the service rewrites the prompt", True),
                Column("negative_prompt", "string", "the negative prompt, `set` or `unset`", True),
                Column("audio", "string", "`on` or `off`", True, allowed=("on", "off")),
                Column("steps", "integer", "denoising steps", True, minimum=1),
                Column("guidance", "number", "classifier-free guidance scale", True, minimum=0),
                Column("note", "string", "anything else", True),
            ),
            ("benchmark", "model"),
        ),
        Relation(
            "protocols",
            "model: under what protocol its rollouts in condition `main` were made and read",
            (
                BENCHMARK,
                MODEL,
                Column("protocol", "string", "SHA-256 over the columns after it: only equal ones compare"),
                Column("scenes_sha256", "string", "SHA-256 over each scene's readout, outcomes and reference"),
                Column("seeds", "string", "the seeds of every scene: first and last"),
                Column("attempts", "integer", "readings of each video", minimum=1),
                Column("reader", "string", "what read the videos"),
                Column("evidence", "string", "what the reader was shown", allowed=("protocol", "other")),
                Column("frame_edition", "string", "whose conditioning frames", allowed=("paper", "open", "other")),
                Column("frames_sha256", "string", "SHA-256 over the frames' digests; null but for ours", True),
                Column("prompt_edition", "string", "whose prompts", allowed=("paper", "open", "other")),
                Column("prompts_sha256", "string", "SHA-256 over the prompts' digests; null but for ours", True),
            ),
            ("benchmark", "model"),
            (TO_MODEL,),
        ),
        Relation(
            "conditions",
            "set of varied generation settings",
            (
                BENCHMARK,
                CONDITION,
                Column("title", "string", "short name"),
                Column("change", "string", "what differs from `main`"),
                Column("rollouts", "integer", "rollouts a cell has; null: as many as its scene asks", True, minimum=1),
            ),
            ("benchmark", "condition"),
        ),
        Relation(
            "frames",
            "conditioning frame in one edition",
            (
                BENCHMARK,
                SCENE,
                Column("edition", "string", "whose picture", allowed=("paper", "open")),
                Column("image", "image", "the picture, PNG or JPEG"),
                Column("width", "integer", "in pixels", minimum=1),
                Column("height", "integer", "in pixels", minimum=1),
                Column("sha256", "string", "SHA-256 of the picture's bytes"),
            ),
            ("benchmark", "scene", "edition"),
            (TO_SCENE,),
        ),
        Relation(
            "prompts",
            "prompt in one role and edition",
            (
                BENCHMARK,
                SCENE,
                Column("role", "string", "what it is for", allowed=("generation", "reading")),
                Column("edition", "string", "whose wording", allowed=("paper", "open")),
                Column("text", "string", "the prompt"),
                Column("sha256", "string", "SHA-256 of its UTF-8 text"),
            ),
            ("benchmark", "scene", "role", "edition"),
            (TO_SCENE,),
        ),
        Relation(
            "videos",
            "generated video",
            (
                VIDEO,
                *ROLLOUT,
                Column("uri", "string", "where it can be had; null where it was never released", True),
                SHA256,
                Column("bytes", "integer", "size of the file", True, minimum=1),
                Column("width", "integer", "in pixels", True, minimum=1),
                Column("height", "integer", "in pixels", True, minimum=1),
                Column("frames", "integer", "number of frames", True, minimum=1),
                Column("fps", "number", "frames a second", True, minimum=0),
                Column("duration_s", "number", "length in seconds", True, minimum=0),
            ),
            ("video",),
            (TO_SCENE, TO_MODEL, TO_CONDITION),
        ),
        Relation(
            "votes",
            "reading of a video by a reader",
            (
                VIDEO,
                Column("reader", "string", "what read it: a VLM, a program, a person"),
                Column("attempt", "integer", "number of the reading, from 1", minimum=1),
                Column("status", "string", "how the reading ended", allowed=("outcome", "null", "error")),
                Column("outcome", "string", "the outcome read; null unless status is `outcome`", True),
                Column("reply", "string", "the raw reply", True),
                Column("error", "string", "why no answer was obtained", True),
                Column("prompt_sha256", "string", "SHA-256 of the prompt", True),
                Column("evidence_sha256", "string", "SHA-256 of the frame or video shown", True),
                Column("asked_at", "string", "when, UTC, ISO 8601", True),
            ),
            ("video", "reader", "attempt"),
            (TO_VIDEO,),
        ),
        Relation(
            "outcomes",
            "video with a majority outcome",
            (
                VIDEO,
                *ROLLOUT,
                Column("outcome", "string", "the majority of its votes; null: no outcome can be scored", True),
                Column(
                    "source", "string", "where it comes from", allowed=("votes", "published", "inferred", "submitted")
                ),
            ),
            ("video",),
            (TO_VIDEO,),
        ),
        Relation(
            "labels",
            "reading of a video by a person",
            (
                VIDEO,
                Column("annotator", "string", "who read it"),
                *CELL,
                SEED,
                Column("outcome", "string", "the outcome seen; null: no outcome can be scored", True),
                Column("source", "string", "where it comes from", allowed=("published", "collected")),
            ),
            ("video", "annotator"),
            (TO_VIDEO,),
        ),
        Relation(
            "published",
            "figure printed in a paper",
            (
                Column("paper", "string", "whose", allowed=("calibench", "pawbench")),
                Column("exhibit", "string", "number of the table or figure"),
                Column("item", "string", "its row"),
                Column("measure", "string", "its column"),
                Column("printed", "string", "the figure as printed"),
                Column("value", "number", "its number; shares for % and k/n; null for signs and bounds", True),
            ),
            ("paper", "exhibit", "item", "measure"),
        ),
    )
}
