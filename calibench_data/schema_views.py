"""The views: what `queries/` makes of the tables, one relation a `.sql` file."""

from __future__ import annotations

from .relation import Column, Relation
from .schema_tables import BENCHMARK, CELL, CONDITION, MODEL, ROLLOUT, SCENE, SEED, VIDEO

VIEWS: dict[str, Relation] = {
    view.name: view
    for view in (
        Relation(
            "protocols",
            "benchmark, with how its videos are read",
            (
                BENCHMARK,
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
                BENCHMARK,
                SCENE,
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
                VIDEO,
                Column("reader", "string", "what read it"),
                *CELL,
                SEED,
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
                VIDEO,
                *ROLLOUT,
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
                *CELL,
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
                *CELL,
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
                BENCHMARK,
                CONDITION,
                SCENE,
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
                *CELL,
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
                BENCHMARK,
                SCENE,
                MODEL,
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
                BENCHMARK,
                SCENE,
                MODEL,
                Column("requested", "string", "outcome that the prompt asked for"),
                Column("outcome", "string", "outcome got; null: unscoreable", True),
                Column("position", "integer", "place of the outcome got in the scene's set; null: unscoreable", True),
                Column("n", "integer", "videos"),
            ),
            ("benchmark", "scene", "model", "requested", "outcome"),
        ),
    )
}
