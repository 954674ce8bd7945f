"""The dataset card and the Hub's benchmark files: valid, true to the rows, and renewed with every revision."""

import re
import shutil

import pytest
import yaml
from calibench_data.cards.about import ORIGIN
from calibench_data.cards.dataset_card import dataset_card, updated_card
from calibench_data.cards.grid import Entry, Grid
from calibench_data.cards.hub_benchmark import TASKS
from calibench_data.release.manifest import EMBEDDED, read_release
from submissions import submission

import calibench_data
from calibench_data.errors import CalibenchError
from calibench_data.schema import TABLES, features

CARD = (EMBEDDED / "README.md").read_text("utf-8")
BOARD = Grid("Board", ("Model", "mnTV"), ((Entry("a|b"), Entry("0.5")),))


def parts_of(root):
    parts = {}
    for file in read_release(root).files:
        if file.table:
            parts.setdefault(file.table, {})[file.path] = file.rows
    return parts


def section(card, title):
    (found,) = re.findall(rf"^## {title}\n(.*?)(?=^## |\Z)", card, re.S | re.M)
    return found


@pytest.fixture(scope="module")
def landed(tmp_path_factory, built):
    """A repository with words of its own in its card, in which a submission landed; and the same after withdrawal."""
    place = tmp_path_factory.mktemp("landed")
    shutil.copytree(built, place / "repo")
    calibench_data.open_submission(submission(place / "mine"), place / "repo", yes=True)
    with_it = {name: (place / "repo" / name).read_text("utf-8") for name in ("README.md", "eval.yaml")}
    calibench_data.withdraw("my-model", place / "repo", yes=True)
    return with_it, place / "repo"


def test_the_hubs_tools_take_the_card(built):
    from huggingface_hub import DatasetCard, DatasetCardData

    card = DatasetCard(CARD)
    data = card.data.to_dict()
    assert isinstance(card.data, DatasetCardData)
    assert data["license"] == "apache-2.0"
    assert data["size_categories"] == ["1K<n<10K"]
    assert 1_000 <= sum(sum(files.values()) for files in parts_of(EMBEDDED).values()) < 10_000
    # Nothing is lost or changes its type when the Hub's own tool writes it again.
    again = DatasetCard(str(card))
    assert again.data.to_dict() == data
    assert again.text == card.text


def test_features_are_the_declared_ones():
    from datasets import Features

    (head,) = re.findall(r"\A---\n(.*?)\n---\n", CARD, re.S)
    found = {one["config_name"]: one["features"] for one in yaml.safe_load(head)["dataset_info"]}
    assert found.keys() == parts_of(EMBEDDED).keys()
    for name, columns in found.items():
        assert Features._from_yaml_list(columns) == features(TABLES[name]), name


@pytest.mark.parametrize("name", TABLES)
def test_features_of_every_table_can_be_read(name):
    from datasets import Features

    card = dataset_card({name: {f"data/{name}/a.parquet": 1}})
    (columns,) = [one["features"] for one in yaml.safe_load(card.split("---")[1])["dataset_info"]]
    assert Features._from_yaml_list(columns) == features(TABLES[name])


def test_the_leaderboard_is_the_table(built):
    (exhibit,) = calibench_data.tables(["leaderboard"])
    board = section(CARD, "Leaderboard")
    for row in exhibit.grid.rows:
        (line,) = [line for line in board.splitlines() if line.startswith(f"| {row[0].text} |")]
        shown = [field.strip().replace("\\", "") for field in line.strip("|").split("|")]
        assert shown == [entry.text for entry in row]
    assert "valid" in board
    assert "95 % interval" in board


def test_every_table_has_an_origin():
    assert ORIGIN.keys() == TABLES.keys()
    origins = section(CARD, "Where each table comes from")
    assert [line.split(" |")[0] for line in origins.splitlines() if line.startswith("| ")][1:] == [
        f"| {name}" for name in TABLES if name in parts_of(EMBEDDED)
    ]


@pytest.mark.parametrize(
    "words", ["majority outcome", "no confidence\n  interval", "only large deviations", "were not released"]
)
def test_the_limits_are_said(words):
    assert words in section(CARD, "What to know before using it")


def test_commands_of_the_card_run(run, tmp_path, built):
    shutil.copytree(built, tmp_path / "path/to/this/repository")
    (block,) = [text for text in re.findall(r"```sh\n(.*?)```", CARD, re.S) if "sql" in text]
    import shlex

    for line in block.splitlines():
        run(*shlex.split(line)[1:], cwd=tmp_path, check=0)


def test_own_words_and_unknown_fields_stay():
    own = CARD.replace("pretty_name:", 'viewer: false\nx_note: "1.10"\npretty_name:').replace(
        "## Tables", "## Our words\n\nKept.\n\n## Tables"
    )
    parts = {**parts_of(EMBEDDED), "votes": {"data/votes/mine.parquet": 20_000}}
    card = updated_card(own, parts, BOARD)
    head = yaml.safe_load(card.split("---")[1])
    assert (head["viewer"], head["x_note"]) == (False, "1.10")
    assert head["size_categories"] == ["10K<n<100K"]
    assert "votes" in {one["config_name"] for one in head["configs"]}
    assert "votes" in {one["config_name"] for one in head["dataset_info"]}
    assert "Kept." in section(card, "Our words")
    assert r"| a\|b | 0.5 |" in section(card, "Leaderboard")
    assert "20,000 rows" in section(card, "Tables")
    assert "| votes |" in section(card, "Where each table comes from")
    assert updated_card(card, parts, BOARD) == card
    # Back to what it was but for its own words.
    back = updated_card(card, parts_of(EMBEDDED), None)
    for title in ("Use it", "What to know before using it", "Origin and licence", "Views"):
        assert section(back, title) == section(CARD, title)


def test_a_foreign_card_is_given_what_makes_it_load():
    card = updated_card("# Mine\n\nWords.\n", {"scenes": {"data/scenes/a.parquet": 3}}, BOARD)
    head = yaml.safe_load(card.split("---")[1])
    assert head["configs"][0]["data_files"][0]["path"] == ["data/scenes/a.parquet"]
    assert card.endswith("# Mine\n\nWords.\n")


def test_a_landed_submission_is_in_the_card_and_leaves_it(landed):
    with_it, repo = landed
    board = section(with_it["README.md"], "Leaderboard")
    assert "| My Model 1.0 |" in board
    assert "data/votes/my-model.parquet" in with_it["README.md"]
    without = (repo / "README.md").read_text("utf-8")
    assert without == CARD
    assert with_it["eval.yaml"] == (EMBEDDED / "eval.yaml").read_text("utf-8")


def test_eval_yaml_names_tasks_and_a_config_that_is_there():
    found = yaml.safe_load((EMBEDDED / "eval.yaml").read_text("utf-8"))
    assert [task["id"] for task in found["tasks"]] == list(TASKS)
    assert {(task["config"], task["split"]) for task in found["tasks"]} == {("outcomes", "train")}
    assert found["name"]
    assert found["description"]
    assert found["evaluation_framework"] == "calibench-data"


def test_eval_results_of_a_model():
    from huggingface_hub import parse_eval_result_entries

    text = calibench_data.eval_results("veo-3.1", "org/name", dataset_revision="0" * 39 + "1", date="2026-01-31")
    published, corrected = parse_eval_result_entries(yaml.safe_load(text))
    (exhibit,) = calibench_data.tables(["leaderboard"])
    values = {one.measure: one.value for one in exhibit.figures if one.item == "veo-3.1"}
    assert (published.task_id, published.value) == ("mntv", values["mntv"])
    assert (corrected.task_id, corrected.value) == ("corrected-mntv", values["corrected"])
    assert published.dataset_id == "org/name"
    assert published.dataset_revision == "0" * 39 + "1"  # a text, not the number that YAML could read
    assert published.date == "2026-01-31"
    assert published.source_url == "https://huggingface.co/datasets/org/name"
    assert "179 of 288 rollouts valid; data 1.0.0" in published.notes


def test_eval_results_are_refused(tmp_path, built):
    with pytest.raises(CalibenchError, match=r"nobody: is no model of these data; allowed: wan-2\.7"):
        calibench_data.eval_results("nobody", "org/name")
    with pytest.raises(CalibenchError) as faults:
        calibench_data.eval_results("veo-3.1", "name", dataset_revision="main", date="yesterday")
    assert [problem.place for problem in faults.value.problems] == ["dataset", "dataset revision", "date"]
    shutil.copytree(built, tmp_path / "repo")
    folder = submission(tmp_path / "mine")
    toml = folder / "submission.toml"
    toml.write_text(toml.read_text("utf-8").replace('edition = "paper"', 'edition = "open"'), "utf-8")
    calibench_data.open_submission(folder, tmp_path / "repo", yes=True)
    with pytest.raises(CalibenchError, match=r"my-model: has another protocol, whose scores do not compare: .*open"):
        calibench_data.eval_results("my-model", "org/name", tmp_path / "repo")
    card = (tmp_path / "repo" / "README.md").read_text("utf-8")
    assert "Another protocol, not ranked" in section(card, "Leaderboard")


def test_verb(run):
    found = run("submit", "results", "veo-3.1", "--dataset", "org/name", check=0)
    assert [one["dataset"]["task_id"] for one in yaml.safe_load(found.stdout)] == list(TASKS)
