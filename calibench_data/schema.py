"""Every table and view, declared once.

From these declarations come the Arrow schema, the `datasets` features, the DuckDB tables (see `relation`), the
validator and the column tables of the dataset card.
"""

from __future__ import annotations

from .relation import DUCKDB_TYPES, Column, ForeignKey, Kind, Relation, arrow_schema, ddl, features

__all__ = [
    "DUCKDB_TYPES",
    "SCHEMA_VERSION",
    "TABLES",
    "VIEWS",
    "Column",
    "ForeignKey",
    "Kind",
    "Relation",
    "arrow_schema",
    "ddl",
    "features",
]

SCHEMA_VERSION = 1

_BENCHMARK = Column("benchmark", "string", "`calibench` or `pawbench`", allowed=("calibench", "pawbench"))
_CONDITION = Column("condition", "string", "the generation settings varied: `main`, `720p`, `cfg-1.0`, ...")
_SCENE = Column("scene", "string", "one stochastic set-up")
_MODEL = Column("model", "string", "the video generator")
_SEED = Column("seed", "integer", "seed passed to the generator", minimum=0)
_REQUESTED = Column("requested", "string", "outcome that the prompt asked for; null where it asked for none", True)
_VIDEO = Column("video", "string", "`benchmark/condition/scene/model/seed`")
_CELL = (_BENCHMARK, _CONDITION, _SCENE, _MODEL)
_ROLLOUT = (*_CELL, _SEED, _REQUESTED)
_POSITION = Column(
    "position", "integer", "place in the paper's tables, from 1; null for what came later", True, minimum=1
)
_SHA256 = Column("sha256", "string", "SHA-256 of the bytes, 64 hexadecimal digits", True)
_TO_SCENE = ForeignKey(("benchmark", "scene"), "scenes")
_TO_MODEL = ForeignKey(("benchmark", "model"), "models")
_TO_CONDITION = ForeignKey(("benchmark", "condition"), "conditions")
_TO_VIDEO = ForeignKey(("video",), "videos")

TABLES: dict[str, Relation] = {
    table.name: table
    for table in (
        Relation(
            "scenes",
            "scene of a benchmark",
            (
                _BENCHMARK,
                _SCENE,
                _POSITION,
                Column("title", "string", "name in the paper"),
                Column("track", "string", "what is measured", allowed=("calibration", "coverage")),
                Column("family", "string", "family of the reference (CaliBench) or mechanism group (PAWBench)"),
                Column("readout", "string", "what the reader is shown", allowed=("final-frame", "video")),
                Column("rollouts", "integer", "rollouts that a cell of this scene needs", minimum=1),
                Column("outcomes", "strings", "the outcome set, in order"),
            ),
            ("benchmark", "scene"),
        ),
        Relation(
            "distributions",
            "outcome of a scene whose reference is known",
            (
                _BENCHMARK,
                _SCENE,
                Column("outcome", "string", "one of the scene's outcomes"),
                Column("position", "integer", "place in the scene's outcome set, from 1", minimum=1),
                Column("numerator", "integer", "of the exact reference probability", minimum=0),
                Column("denominator", "integer", "of the exact reference probability", minimum=1),
                Column("probability", "number", "numerator / denominator", minimum=0),
                Column("source", "string", "why it is known", allowed=("published", "symmetry", "combinatorial")),
            ),
            ("benchmark", "scene", "outcome"),
            (_TO_SCENE,),
        ),
        Relation(
            "models",
            "video generator, with the settings it ran at",
            (
                _BENCHMARK,
                _MODEL,
                _POSITION,
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
            "conditions",
            "set of varied generation settings",
            (
                _BENCHMARK,
                _CONDITION,
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
                _BENCHMARK,
                _SCENE,
                Column("edition", "string", "whose picture", allowed=("paper", "open")),
                Column("image", "image", "the picture, PNG"),
                Column("width", "integer", "in pixels", minimum=1),
                Column("height", "integer", "in pixels", minimum=1),
                Column("sha256", "string", "SHA-256 of the picture's bytes"),
            ),
            ("benchmark", "scene", "edition"),
            (_TO_SCENE,),
        ),
        Relation(
            "prompts",
            "prompt in one role and edition",
            (
                _BENCHMARK,
                _SCENE,
                Column("role", "string", "what it is for", allowed=("generation", "reading")),
                Column("edition", "string", "whose wording", allowed=("paper", "open")),
                Column("text", "string", "the prompt"),
                Column("sha256", "string", "SHA-256 of its UTF-8 text"),
            ),
            ("benchmark", "scene", "role", "edition"),
            (_TO_SCENE,),
        ),
        Relation(
            "videos",
            "generated video",
            (
                _VIDEO,
                *_ROLLOUT,
                Column("uri", "string", "where it can be had; null where it was never released", True),
                _SHA256,
                Column("bytes", "integer", "size of the file", True, minimum=1),
                Column("width", "integer", "in pixels", True, minimum=1),
                Column("height", "integer", "in pixels", True, minimum=1),
                Column("frames", "integer", "number of frames", True, minimum=1),
                Column("fps", "number", "frames a second", True, minimum=0),
                Column("duration_s", "number", "length in seconds", True, minimum=0),
            ),
            ("video",),
            (_TO_SCENE, _TO_MODEL, _TO_CONDITION),
        ),
        Relation(
            "votes",
            "reading of a video by a reader",
            (
                _VIDEO,
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
            (_TO_VIDEO,),
        ),
        Relation(
            "outcomes",
            "video with a majority outcome",
            (
                _VIDEO,
                *_ROLLOUT,
                Column("outcome", "string", "the majority of its votes; null: no outcome can be scored", True),
                Column(
                    "source", "string", "where it comes from", allowed=("votes", "published", "inferred", "submitted")
                ),
            ),
            ("video",),
            (_TO_VIDEO,),
        ),
        Relation(
            "labels",
            "reading of a video by a person",
            (
                _VIDEO,
                Column("annotator", "string", "who read it"),
                *_CELL,
                _SEED,
                Column("outcome", "string", "the outcome seen; null: no outcome can be scored", True),
                Column("source", "string", "where it comes from", allowed=("published", "collected")),
            ),
            ("video", "annotator"),
            (_TO_VIDEO,),
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

VIEWS: dict[str, Relation] = {
    view.name: view
    for view in (
        Relation(
            "protocols",
            "benchmark, with how its videos are read",
            (
                _BENCHMARK,
                Column("attempts", "integer", "readings of each video by one reader"),
                Column("reader", "string", "what read the released outcomes; null where it is not known", True),
                Column("edition", "string", "whose prompts it was given"),
            ),
            ("benchmark",),
        ),
        Relation(
            "scene_outcomes",
            "outcome of a scene",
            (
                _BENCHMARK,
                _SCENE,
                Column("outcome", "string", "one of the scene's outcomes"),
                Column("position", "integer", "place in the scene's outcome set, from 1"),
                Column("probability", "number", "of the reference; null where it is not known", True),
            ),
            ("benchmark", "scene", "outcome"),
        ),
        Relation(
            "majorities",
            "video and reader: what its votes come to",
            (
                _VIDEO,
                Column("reader", "string", "what read it"),
                *_CELL,
                _SEED,
                Column("answered", "integer", "votes that are an outcome or null"),
                Column("errors", "integer", "votes that gave no answer"),
                Column(
                    "status",
                    "string",
                    "incomplete: fewer answers than asked",
                    allowed=("outcome", "null", "incomplete"),
                ),
                Column("outcome", "string", "the answer given most often, null being one; a tie is null", True),
            ),
            ("video", "reader"),
        ),
        Relation(
            "rollouts",
            "video, with its outcome and the facts of its scene",
            (
                _VIDEO,
                *_ROLLOUT,
                Column("outcome", "string", "its outcome; null: unscoreable, or not read yet", True),
                Column("source", "string", "where the outcome comes from; null: not read yet", True),
                Column("track", "string", "of the scene"),
                Column("family", "string", "of the scene"),
                Column("readout", "string", "of the scene"),
            ),
            ("video",),
        ),
        Relation(
            "cell_counts",
            "cell and outcome of its scene, zero counts included",
            (
                *_CELL,
                Column("outcome", "string", "one of the scene's outcomes"),
                Column("position", "integer", "place in the scene's outcome set, from 1"),
                Column("n", "integer", "rollouts of the cell with this outcome"),
                Column("probability", "number", "of the reference; null where it is not known", True),
            ),
            ("benchmark", "condition", "scene", "model", "outcome"),
        ),
        Relation(
            "cells",
            "cell: all rollouts of one condition, scene and model",
            (
                *_CELL,
                Column("rollouts", "integer", "videos read, scoreable or not"),
                Column("unread", "integer", "videos without an outcome row: neither valid nor null"),
                Column("valid", "integer", "rollouts with an outcome"),
                Column("nulls", "integer", "rollouts whose outcome is null"),
                Column("scorability", "number", "valid / rollouts; null without rollouts", True),
                Column("counts", "integers", "valid rollouts by outcome, in the scene's order"),
                Column("tv", "number", "total variation from the reference; null without valid rollouts", True),
            ),
            ("benchmark", "condition", "scene", "model"),
        ),
        Relation(
            "agreement",
            "annotator and scene: labels beside the outcomes of the same videos",
            (
                _BENCHMARK,
                _CONDITION,
                _SCENE,
                Column("annotator", "string", "whose labels"),
                Column("labels", "integer", "labelled videos that have an outcome row"),
                Column("unread", "integer", "labelled videos without an outcome row"),
                Column("exact", "integer", "outcome and label the same, null being a value"),
                Column("label_valid", "integer", "labels that name an outcome"),
                Column("label_null", "integer", "labels that are null"),
                Column("false_null", "integer", "outcome null, label an outcome"),
                Column("missed_null", "integer", "label null, outcome not"),
                Column("wrong_label", "integer", "both name an outcome, not the same"),
            ),
            ("benchmark", "condition", "scene", "annotator"),
        ),
        Relation(
            "condition_pairs",
            "cell of a varied condition, beside the cell of the same scene and model in `main`",
            (
                *_CELL,
                Column("rollouts", "integer", "videos read"),
                Column("valid", "integer", "rollouts with an outcome"),
                Column("counts", "integers", "valid rollouts by outcome"),
                Column("tv", "number", "total variation from the reference", True),
                Column("main_rollouts", "integer", "the same of the cell in `main`"),
                Column("main_valid", "integer", "the same of the cell in `main`"),
                Column("main_counts", "integers", "the same of the cell in `main`"),
                Column("main_tv", "number", "the same of the cell in `main`", True),
            ),
            ("benchmark", "condition", "scene", "model"),
        ),
        Relation(
            "compliance",
            "scene and model that was asked for outcomes",
            (
                _BENCHMARK,
                _SCENE,
                _MODEL,
                Column("requests", "integer", "videos read whose prompt asked for an outcome"),
                Column("valid", "integer", "those with an outcome"),
                Column("complied", "integer", "those whose outcome is the requested one"),
                Column("share", "number", "complied / valid; null without valid videos", True),
            ),
            ("benchmark", "scene", "model"),
        ),
        Relation(
            "confusion",
            "scene, model, requested outcome and outcome got",
            (
                _BENCHMARK,
                _SCENE,
                _MODEL,
                Column("requested", "string", "outcome that the prompt asked for"),
                Column("outcome", "string", "outcome got; null: unscoreable", True),
                Column("position", "integer", "place of the outcome got in the scene's set; null: unscoreable", True),
                Column("n", "integer", "videos"),
            ),
            ("benchmark", "scene", "model", "requested", "outcome"),
        ),
    )
}
