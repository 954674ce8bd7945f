"""What a model's own repository on the Hub says of its scores."""

from __future__ import annotations

import re
from pathlib import Path

from calibench_data.cards.hub_benchmark import eval_results_yaml
from calibench_data.cards.results import Results
from calibench_data.cards.standings import standings
from calibench_data.errors import CalibenchError, Problem, Problems
from calibench_data.queries.connection import open_connection
from calibench_data.release.opening import open_release

_NAME = re.compile(r"[\w.-]+/[\w.-]+")
_COMMIT = re.compile(r"[0-9a-f]{40}")
_DATE = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d))?")


def eval_results(
    model: str,
    dataset: str,
    repo: str | Path | None = None,
    revision: str | None = None,
    *,
    dataset_revision: str | None = None,
    date: str | None = None,
    source: str | None = None,
) -> str:
    """The text of `.eval_results/calibench.yaml`, to be put into the model's repository on the Hub.

    dataset: the benchmark's name on the Hub, `org/name`. dataset_revision: its commit, 40 hexadecimal digits; date: ISO
    8601; both are left out where not given (the Hub then takes the date of the commit). source: address of the
    evidence, by default the dataset's page. Raises CalibenchError for a model that lacks a scene or has another
    protocol, whose scores do not compare, and for what is not of these forms.
    """
    problems = Problems()
    for place, value, form, allowed in (
        ("dataset", dataset, _NAME, "org/name"),
        ("dataset revision", dataset_revision, _COMMIT, "a commit, 40 hexadecimal digits"),
        ("date", date, _DATE, "2026-01-31 or 2026-01-31T10:30:00Z"),
    ):
        if value is not None and not form.fullmatch(value):
            problems.add(Problem(place, f"is {value!r}", allowed))
    problems.raise_if_any()
    release = open_release(repo, revision)
    with open_connection(release.parts()) as connection:
        results = Results(connection)
        if model not in results.models:
            raise CalibenchError([Problem(model, "is no model of these data", ", ".join(results.models))])
        if model not in results.complete:
            lacking = ", ".join(scene for scene in results.scenes if (scene, model) not in results.cells)
            raise CalibenchError([Problem(model, f"has no mnTV: it lacks {lacking}")])
        if model in results.unlike:
            found = f"has another protocol, whose scores do not compare: {results.unlike[model]}"
            raise CalibenchError([Problem(model, found)])
        (one,) = (one for one in standings(results) if one.model == model)
    return eval_results_yaml(one, dataset, release.dataset_version, dataset_revision, date, source)
