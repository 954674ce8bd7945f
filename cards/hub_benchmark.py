"""The Hub's conventions for benchmarks: `eval.yaml` of the dataset, `.eval_results/*.yaml` of a model."""

from __future__ import annotations

import json
from typing import Any

from .about import DESCRIPTION, TITLE
from .printed import decimals
from .standings import Standing

# The name under which a model's results name each score, and what it is.
TASKS = {"mntv": "mnTV as the paper defines it", "corrected-mntv": "mnTV less the bias of TV, with an interval"}
FOLDER = ".eval_results"


def eval_yaml() -> str:
    """`eval.yaml`: what makes a dataset a benchmark to the Hub. The framework is this package's name."""
    lines = [f"name: {json.dumps(TITLE)}", f"description: {json.dumps(DESCRIPTION)}"]
    lines += ['evaluation_framework: "calibench-data"', "tasks:"]
    for task in TASKS:
        lines += [f"- id: {json.dumps(task)}", '  config: "outcomes"', '  split: "train"']
    return "\n".join(lines) + "\n"


def eval_results_yaml(
    one: Standing, dataset: str, version: str, revision: str | None, date: str | None, source: str | None
) -> str:
    """`.eval_results/calibench.yaml` of the model's own repository: both scores, unrounded, and what they rest on.

    dataset: `org/name` of the benchmark on the Hub; version and revision: its version and commit; date: when it was
    scored, ISO 8601; source: address of the evidence, by default the dataset's page.
    """
    import yaml
    from huggingface_hub import EvalResultEntry, eval_result_entries_to_yaml

    notes = {
        "mntv": f"paper's percentile interval [{decimals(one.ci_low)},{decimals(one.ci_high)}], no confidence interval",
        "corrected-mntv": f"95 % interval [{decimals(one.corrected_low)},{decimals(one.corrected_high)}]",
    }
    values = {"mntv": one.mntv, "corrected-mntv": one.corrected}
    entries = [
        EvalResultEntry(
            dataset_id=dataset,
            task_id=task,
            value=values[task],
            dataset_revision=revision,
            date=date,
            source_url=source or f"https://huggingface.co/datasets/{dataset}",
            source_name=TITLE,
            notes=f"lower is better; {notes[task]}; {one.valid} of {one.rollouts} rollouts valid; data {version}",
        )
        for task in TASKS
    ]
    data: list[dict[str, Any]] = eval_result_entries_to_yaml(entries)
    return str(yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=1000))
