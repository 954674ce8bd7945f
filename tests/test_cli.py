"""The command line: what is printed, in every format, and what it costs to start."""

import csv
import io
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import paw_release
import pytest
from browser import served
from calibench_data.cards.grid import Entry, Grid, latex, markdown, plain, rich_parts
from calibench_data.cards.score_sheet import records
from submissions import TOML
from vlm.scenes import rollouts

import calibench_data
from calibench_data.cli import cli
from calibench_data.printing import FORMATS

ROOT = Path(calibench_data.__file__).parent.parent

EXAMPLES = {
    name: re.search(r"Example: calibench (.+)", " ".join(command.help.split())).group(1)
    for name, command in cli.commands.items()
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_example_of_every_verb_runs(name, run, tmp_path, built, hub, model):
    (tmp_path / "outcomes.csv").write_text("scene,model,seed,outcome\ndice,m,0,6\n", "utf-8")
    if name == "paw":
        paw_release.write(tmp_path / "my-release")
        paw_release.save(tmp_path / "rows.jsonl", paw_release.judged())
    elif name != "build":
        (tmp_path / "my-release").symlink_to(built)
    arguments = shlex.split(EXAMPLES[name])
    if name == "collect":
        rollouts(tmp_path / "my-folder", {"dice": ["1", "6"]}, 2)
    if name == "label":
        (tmp_path / "my-folder" / "videos" / "dice").mkdir(parents=True)
        (tmp_path / "my-folder" / "videos" / "dice" / "0.mp4").write_bytes(b"a video")
        (tmp_path / "my-folder" / "submission.toml").write_text(TOML, "utf-8")
        with served(*arguments[1:], cwd=tmp_path):
            return
    run(*arguments, cwd=tmp_path, env=hub.environment(), check=0)


def test_help_names_every_verb_and_fits_a_line(run):
    text = run("--help", check=0).stdout
    for name in cli.commands:
        (line,) = [line for line in text.splitlines() if line.startswith(f"  {name} ")]
        assert not line.endswith("...")
        assert len(line) <= 80


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_of_the_tables(run, form):
    text = run("tables", "2", "--format", form, check=0).stdout
    if form == "json":
        figures = json.loads(text)
        assert all(list(one) == ["exhibit", "item", "measure", "value", "printed"] for one in figures)
        found = {(one["item"], one["measure"]): one for one in figures}
        assert found["mntv", "seedance-2.0/mntv"]["printed"] == "0.39"
        assert found["pendulum", "wan-2.7/tv"]["value"] is None
        assert found["physical_board", "wan-2.7/rho"]["value"] == 22 / 32
    elif form == "csv":
        rows = list(csv.DictReader(io.StringIO(text)))
        assert {row["exhibit"] for row in rows} == {"2"}
        assert next(row for row in rows if row["measure"] == "seedance-2.0/mntv")["printed"] == "0.39"
    else:
        assert "SeeDance-2.0" in text
        assert "0.69 0.71 (22)" in text


def test_the_json_of_a_score_has_the_keys_that_were_promised(run, tmp_path):
    frame = calibench_data.sql("SELECT scene, model, seed, outcome FROM outcomes WHERE condition = 'main'")
    frame.write_csv(tmp_path / "all.csv")
    scored = json.loads(run("score", tmp_path / "all.csv", "--format", "json", check=0).stdout)
    cells = [record for record in scored if record["scene"]]
    assert len(cells) == 54
    keys = "benchmark condition scene model rollouts valid scorability counts tv floor excess score chi2 p q"
    assert all(list(cell) == keys.split() for cell in cells)
    models = {record["model"]: record["mntv"] for record in scored if not record["scene"]}
    assert {model: round(value, 2) for model, value in models.items()} == {
        "wan-2.7": 0.58,
        "seedance-2.0": 0.39,
        "happyhorse-1.0": 0.54,
        "veo-3.1": 0.65,
        "runway-gen-4.5": 0.48,
        "cosmos3-super": 0.63,
    }
    dice = next(cell for cell in cells if (cell["scene"], cell["model"]) == ("dice", "veo-3.1"))
    assert dice["counts"] == {"1": 0, "2": 0, "3": 0, "4": 0, "5": 32, "6": 0}
    few = next(cell for cell in cells if (cell["scene"], cell["model"]) == ("pendulum", "veo-3.1"))
    assert (few["valid"], few["tv"], few["chi2"], few["p"], few["q"]) == (1, 0.5, None, None, None)
    none = next(cell for cell in cells if (cell["scene"], cell["model"]) == ("pendulum", "wan-2.7"))
    assert (none["valid"], none["tv"], none["score"]) == (0, None, 1)
    assert sum(cell["q"] is not None and cell["q"] <= 0.05 for cell in cells) == 28


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_the_format_of_the_file_does_not_matter(tmp_path, ending):
    frame = calibench_data.sql("SELECT scene, model, seed, outcome FROM outcomes WHERE condition = 'main'")
    path = tmp_path / f"all.{ending}"
    {"csv": frame.write_csv, "jsonl": frame.write_ndjson, "parquet": frame.write_parquet}[ending](path)
    shuffled = frame.sample(fraction=1, shuffle=True, seed=1)
    shuffled.write_parquet(tmp_path / "shuffled.parquet")
    one, other = calibench_data.score(path), calibench_data.score(tmp_path / "shuffled.parquet")
    assert records(one.cells, one.models) == records(other.cells, other.models)


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["nonsense"], 2, "No such command"),
        (["tables", "--format", "xml"], 2, "'xml' is not one of"),
        (["score"], 2, "Missing argument"),
        (["build"], 2, "Missing option '--out'"),
        (["tables", "13"], 1, "no table 13; there are 2, 3, 4"),
        (["tables", "--data", "nowhere"], 1, "is no dataset repository"),
        (["score", "nowhere.csv"], 1, "nowhere.csv: is not there"),
        (["sql", "DROP TABLE outcomes"], 1, "a query is one SELECT; found DROP"),
    ],
)
def test_wrong_usage_and_known_failures(run, tmp_path, arguments, status, words):
    found = run(*arguments, cwd=tmp_path, check=status)
    assert words in found.stderr
    assert found.stdout == ""


def test_a_differing_figure_ends_reproduce_with_1(built, tmp_path, run):
    from calibench_data.builders import build_tables
    from calibench_data.release.write import write_release

    tables = build_tables()
    published = tables["published"]["calibench"]
    texts = published.column("printed").to_pylist()
    assert texts[0] == "0.69"
    texts[0] = "0.70"
    values = [0.70, *published.column("value").to_pylist()[1:]]
    for name, column in (("printed", texts), ("value", values)):
        at = published.column_names.index(name)
        published = published.set_column(at, published.schema.field(name), [column])
    tables["published"]["calibench"] = published
    write_release(tmp_path / "doctored", tables, {}, "1.0.0")
    found = run("reproduce", "--data", tmp_path / "doctored", check=1)
    (line,) = [line for line in found.stdout.splitlines() if line.endswith("differs")]
    assert line.split() == ["2", "physical_board", "wan-2.7/rho", "0.70", "0.69", "differs"]
    assert "1 DIFFER" in found.stderr


def loaded(*arguments):
    """The modules that a command has imported when it is done."""
    code = (
        "import sys; from calibench_data.cli import cli\n"
        f"cli({list(arguments)!r}, standalone_mode=False)\n"
        "print(' '.join(sys.modules), file=sys.stderr)"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    return set(done.stderr.split())


def test_help_waits_for_nothing_heavy():
    heavy = {"numpy", "duckdb", "pyarrow", "polars", "rich", "scipy", "datasets", "pandas", "huggingface_hub"}
    assert not heavy & loaded("--help")


def test_tables_do_not_pay_for_what_they_do_not_need():
    assert not {"datasets", "pandas", "scipy.stats", "huggingface_hub"} & loaded("tables")


def test_a_closed_pipe_is_no_failure_to_talk_about():
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = f"{shlex.quote(sys.executable)} -m calibench_data.cli sql 'SELECT * FROM outcomes' --format csv | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.startswith("video,benchmark")
    assert done.stderr == ""


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_a_terminal_that_cannot_show_every_sign(encoding):
    found = subprocess.run(
        [sys.executable, "-m", "calibench_data.cli", "tables", "2"],
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": encoding, "LC_ALL": "C"},
        check=False,
    )
    assert found.returncode == 0, found.stderr
    assert b"SeeDance-2.0" in found.stdout


NAMES = [
    "acme[v2]",
    "acme[v3]",
    "acme[/x]",
    "m:smile:",
    "a|b",
    "`x|y`",
    "a\nb",
    "\x1b[31mred",
    "\u202eevil",
    "a_b&c%d\\e~f^g",
]
GRID = Grid("Title", ("Model", "Score"), tuple((Entry(name), Entry("0.5", best=True)) for name in NAMES), ("95% of",))


def test_names_are_shown_letter_by_letter_in_a_terminal():
    from rich.console import Console

    console = Console(file=io.StringIO(), force_terminal=True, width=100, color_system=None)
    for part in rich_parts(GRID):
        console.print(part)
    for text in (console.file.getvalue(), plain(GRID)):
        for name in NAMES[:6]:
            assert name in text
        assert "\\nb" in text
        assert "\\x1b[31mred" in text
        assert "\\u202eevil" in text
        assert "\x1b[31m" not in text


def test_every_markdown_row_has_as_many_bars():
    rows = [line for line in markdown(GRID).splitlines() if line.startswith("|")]
    assert len(rows) == 2 + len(NAMES)
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {3}


def test_latex_escapes_what_latex_reads():
    text = latex(GRID)
    assert r"a\_b\&c\%d\textbackslash{}e\textasciitilde{}f\textasciicircum{}g" in text
    assert r"\caption{Title. 95\% of}" in text
    assert r"\textbf{0.5}" in text


def test_every_verb_has_a_first_line_and_an_example():
    for name, command in cli.commands.items():
        assert isinstance(command, click.Command)
        assert command.help.splitlines()[0].endswith("."), name
        assert "Example: calibench " in command.help
