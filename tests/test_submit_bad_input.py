"""Malformed submissions: each is refused with its place and what is allowed, and nothing is written for any."""

import json
import os
import shutil

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from submissions import TOML, scenes, votes, write

import calibench_data

GOOD = votes(scenes())
DICE = next(number for number, row in enumerate(GOOD) if row["scene"] == "dice" and row["outcome"])


def toml(before, after):
    """The settings with one piece of text replaced."""
    assert before in TOML
    return lambda folder: (folder / "submission.toml").write_text(TOML.replace(before, after), "utf-8")


def name(text):
    """The settings with another model name, written as TOML writes any text."""
    return toml('name = "my-model"', f"name = {json.dumps(text, ensure_ascii=not text.isprintable())}")


def rows(change):
    """The votes after a change to a copy of their list."""

    def spoil(folder):
        copy = [dict(row) for row in GOOD]
        write(folder / "votes.csv", change(copy) or copy)

    return spoil


def vote(**fields):
    """One vote on a die with other fields, as CSV."""
    return rows(lambda copy: copy[DICE].update(fields))


def column(field, value):
    """One vote with a field that the others leave empty."""
    return rows(lambda copy: [row | {field: value if number == DICE else ""} for number, row in enumerate(copy)])


def text(change):
    """The text of votes.csv, changed."""

    def spoil(folder):
        path = folder / "votes.csv"
        path.write_bytes(change(path.read_bytes()))

    return spoil


def instead(file, content):
    """Another file in the place of votes.csv."""

    def spoil(folder):
        (folder / "votes.csv").unlink()
        (folder / file).write_bytes(content() if callable(content) else content)

    return spoil


def beside(file, content):
    """A file more."""
    return lambda folder: (folder / file).write_bytes(content)


def jsonl(change=lambda lines: lines):
    """The votes as JSONL, its lines changed."""
    return instead("votes.jsonl", lambda: ("\n".join(change([json.dumps(row) for row in GOOD])) + "\n").encode())


def parquet(change):
    """The votes as Parquet, the Arrow table changed."""

    def spoil(folder):
        (folder / "votes.csv").unlink()
        pq.write_table(change(pa.Table.from_pylist(GOOD)), folder / "votes.parquet")

    return spoil


def replaced(table, field, values, kind):
    place = table.column_names.index(field)
    return table.set_column(place, field, pa.array(values, kind))


def linked(folder):
    outside = folder.parent / "outside.csv"
    (folder / "votes.csv").rename(outside)
    (folder / "votes.csv").symlink_to(outside)


def videos(uri):
    lines = [f"{row['scene']},{row['seed']},https://example.org/{row['seed']}.mp4" for row in GOOD[::3]]
    lines[0] = f'{GOOD[0]["scene"]},0,"{uri}"'
    return beside("videos.csv", ("scene,seed,uri\n" + "\n".join(lines) + "\n").encode())


def without(**fields):
    return rows(lambda copy: [row for row in copy if any(row[field] != value for field, value in fields.items())])


BAD = {
    # The model's name: it becomes a file name and part of each video's id.
    "no name": (name(""), ["model.name: is missing"]),
    "name with a slash": (name("my/model"), ["model.name: found 'my/model'", "lower-case letters", "Perhaps my-model"]),
    "name of dots": (
        name(".."),
        ["model.name: found '..'; allowed: printable text on one line, with a letter or digit"],
    ),
    "name that climbs": (name("../../etc"), ["model.name: found '../../etc'"]),
    "name with control characters": (name("my\x1b[31mmodel"), ["model.name: found 'my\\x1b[31mmodel'"]),
    "name with a line break": (name("my\nmodel"), ["model.name: found 'my\\nmodel'"]),
    "name of 300 characters": (name("a" * 300), ["model.name: found 'aaa", "64 characters at most"]),
    "name of emoji alone": (name("🎲🎲"), ["model.name: found '🎲🎲'", "with a letter or digit"]),
    "name that turns the text round": (name("my‮model"), ["model.name: found 'my\\u202emodel'"]),
    "name with a Cyrillic letter": (name("my-modеl"), ["model.name: found", "lower-case letters"]),
    "name of a released model": (name("veo-3.1"), ["'veo-3.1' is released already", "A released model never changes"]),
    "name that differs by case": (name("Veo-3.1"), ["differs only by case from veo-3.1"]),
    "name that is mistaken for another": (name("veo-3-1"), ["can be mistaken for veo-3.1"]),
    "name of the benchmark": (name("calibench"), ["'calibench' is released already"]),
    "name of a Windows device": (name("nul"), ["is a device on Windows"]),
    # submission.toml
    "no settings": (lambda folder: (folder / "submission.toml").unlink(), ["submission.toml: is not there"]),
    "TOML that does not parse": (toml('"my-model"', '"my-model'), ["submission.toml: is no TOML", "line 2"]),
    "TOML that is not UTF-8": (beside("submission.toml", b'[model]\nname = "\xff"\n'), ["submission.toml: is no TOML"]),
    "TOML of another size": (beside("submission.toml", b"#" * 200_000), ["has 200,000 bytes", "100,000"]),
    "TOML nested deeply": (beside("submission.toml", b"a = " + b"[" * 5000 + b"]" * 5000), ["is no TOML"]),
    "unknown section": (toml("[contact]", "[contacts]"), ["'contacts'", "contact.person: is missing"]),
    "unknown key": (toml("provider =", "vendor ="), ["'vendor'", "model.provider: is missing"]),
    "section that is a value": (toml("[contact]", "[others]\n[extra]"), ["'others'", "'extra'"]),
    "duration below zero": (toml("duration_s = 5.0", "duration_s = -3"), ["model.duration_s: found -3"]),
    "duration not a number": (toml("duration_s = 5.0", "duration_s = nan"), ["model.duration_s: found nan"]),
    "duration as text": (toml("duration_s = 5.0", 'duration_s = "5 s"'), ["model.duration_s: found '5 s'"]),
    "a date in the future": (toml("2026-01-31", "2999-01-31"), ["reading.date: found", "2999"]),
    "a date as text": (toml("2026-01-31", '"yesterday"'), ["reading.date: found 'yesterday'"]),
    "two attempts a video": (toml("attempts = 3", "attempts = 2"), ["reading.attempts: found 2; allowed: 3"]),
    "attempts that are true": (toml("attempts = 3", "attempts = true"), ["reading.attempts: found True"]),
    "an edition that nobody has": (toml('edition = "paper"', 'edition = "mine"'), ["reading.edition: found 'mine'"]),
    "title with a terminal escape": (
        toml("My Model 1.0", "\\u001b]8;;http://x\\u0007My"),
        ["model.title: found", "\\x1b"],
    ),
    "email that is none": (toml("ada@example.org", "call me"), ["contact.email: found 'call me'"]),
    # Which files
    "no readings": (lambda folder: (folder / "votes.csv").unlink(), ["has no votes and no outcomes"]),
    "votes in two formats": (beside("votes.jsonl", b"{}\n"), ["one file of votes", "Remove one"]),
    "votes and outcomes": (beside("outcomes.csv", b"scene,seed,outcome\n"), ["votes or outcomes, not both"]),
    "a symbolic link out of the folder": (linked, ["votes.csv: is a symbolic link"]),
    "a folder of that name": (
        lambda folder: ((folder / "votes.csv").unlink(), (folder / "votes.csv").mkdir()),
        ["has no votes and no outcomes"],
    ),
    "an empty file": (instead("votes.csv", b""), ["votes.csv: is empty"]),
    "a header alone": (instead("votes.csv", b"scene,seed,attempt,status,outcome\n"), ["has no rows"]),
    "a pipe": (
        lambda folder: ((folder / "votes.csv").unlink(), os.mkfifo(folder / "votes.csv")),
        ["votes.csv: is no regular file"],
    ),
    # Scenes and seeds
    "an unknown scene": (vote(scene="coin"), ["column scene: found 'coin'", "dice"]),
    "a scene in capitals": (vote(scene="Dice"), ["column scene: found 'Dice'", "Did you mean dice?"]),
    "a scene that is missing": (without(scene="roulette"), ["scene roulette: is missing", "32 rollouts"]),
    "31 seeds": (without(scene="dice", seed=31), ["scene dice: lacks seed 31; allowed: 0 to 31"]),
    "33 seeds": (
        rows(lambda copy: copy.extend(row | {"seed": 32} for row in copy[DICE : DICE + 1])),
        ["column seed: found '32'; allowed: 0 to 31"],
    ),
    "seeds from 1 to 32": (
        rows(lambda copy: [row | {"seed": row["seed"] + 1} for row in copy]),
        ["column seed: found '32'", "lacks seed 0"],
    ),
    "a seed below zero": (vote(seed=-1), ["column seed: found '-1'"]),
    "a seed with a point": (vote(seed="4.0"), ["column seed: found '4.0'"]),
    "an unknown condition": (
        rows(lambda copy: [row | {"condition": "1080p" if row is copy[DICE] else "main"} for row in copy]),
        ["column condition: found '1080p'", "720p"],
    ),
    # Attempts and readers
    "duplicated attempts": (rows(lambda copy: copy.append(copy[DICE])), ["each attempt once for a video", "already"]),
    "two attempts of one video": (rows(lambda copy: copy[:DICE] + copy[DICE + 1 :]), ["has too few attempts for seed"]),
    "a fourth attempt": (vote(attempt=4), ["column attempt: found '4'; allowed: 1, 2, 3"]),
    "attempts from 0": (vote(attempt=0), ["column attempt: found '0'"]),
    "attempts of two readers": (
        rows(lambda copy: [row | {"reader": f"reader-{row['attempt'] % 2}"} for row in copy]),
        ["column reader: found 'reader-1'", "A submission has one reader."],
    ),
    "another model in the rows": (
        rows(lambda copy: [row | {"model": "your-model"} for row in copy]),
        ["column model: found 'your-model'", "my-model, as in submission.toml"],
    ),
    # Outcomes and status
    "outcome 7 of a die": (vote(outcome="7"), ["column outcome: found '7'", "1, 2, 3, 4, 5, 6"]),
    "outcome in capitals": (vote(scene="roulette", outcome="Red"), ["column outcome: found 'Red'", "Write red"]),
    "outcome 1.0": (vote(outcome="1.0"), ["column outcome: found '1.0'", "Write 1"]),
    "outcome with a space": (vote(outcome=" 1"), ["column outcome: found ' 1'"]),
    "null as None": (vote(outcome="None"), ["column outcome: found 'None'", "Leave it empty"]),
    "null as NaN": (vote(outcome="NaN"), ["column outcome: found 'NaN'", "Leave it empty"]),
    "null as N/A": (vote(outcome="N/A"), ["column outcome: found 'N/A'", "Leave it empty"]),
    "null as a dash": (vote(outcome="-"), ["column outcome: found '-'", "Leave it empty"]),
    "null as NULL": (vote(outcome="NULL"), ["column outcome: found 'NULL'", "Leave it empty"]),
    "an error left in": (vote(status="error", outcome=""), ["column status: found 'error'", "ask the reader again"]),
    "status outcome without one": (vote(outcome=""), ["column outcome: found", "since status is outcome"]),
    "status null with an outcome": (vote(status="null"), ["column outcome: found", "since status is null"]),
    "a status that is none": (vote(status="ok"), ["column status: found 'ok'; allowed: outcome or null"]),
    "an error beside an answer": (column("error", "timed out"), ["column error: found 'timed out'"]),
    "a digest that is none": (column("prompt_sha256", "abc"), ["column prompt_sha256: found 'abc'", "64 hexadecimal"]),
    "a time that has not come": (column("asked_at", "2999-01-01T00:00:00Z"), ["column asked_at: found '2999"]),
    "a time of no calendar": (column("asked_at", "2026-02-30T00:00:00Z"), ["column asked_at: found '2026-02-30"]),
    "a reply without end": (column("reply", "x" * 100_001), ["column reply: found", "100,000 characters"]),
    "a formula as scene": (vote(scene="=cmd()"), ["column scene: found '=cmd()'"]),
    "a formula as outcome": (vote(outcome="=cmd|' /C calc'!A0"), ["column outcome: found \"=cmd|' /C calc'!A0\""]),
    # CSV
    "a quoted line break": (vote(outcome="6\n1"), ["column outcome: found '6\\n1'"]),
    "a quote without end": (text(lambda data: data.replace(b"dice,3,", b'"dice,3,', 1)), ["votes.csv"]),
    "a row too long": (text(lambda data: data + b"dice,1,1,outcome,6,7\n"), ["votes.csv: row 866"]),
    "a row too short": (text(lambda data: data + b"dice,1\n"), ["votes.csv: row 866"]),
    "a column twice": (text(lambda data: data.replace(b"attempt", b"seed", 1)), ["'seed'"]),
    "a renamed column": (
        text(lambda data: data.replace(b"outcome\r", b"outcomes\r", 1)),
        ["Is it the column 'outcomes'?"],
    ),
    "a column more": (column("colour", "red"), ["has the unknown column 'colour'", "Remove it"]),
    "semicolons": (text(lambda data: data.replace(b",", b";")), ["has a single column", "Write commas for ';'"]),
    "UTF-16": (text(lambda data: data.decode().encode("utf-16")), ["is not UTF-8 text"]),
    "a zero byte": (text(lambda data: data.replace(b"dice", b"di\0e", 1)), ["byte 0x00 is not UTF-8 text"]),
    # JSONL
    "a comma too many": (
        jsonl(lambda lines: [lines[0][:-1] + ",}", *lines[1:]]),
        ["votes.jsonl: row 1", "no JSON object"],
    ),
    "NaN": (jsonl(lambda lines: [lines[0].replace("0", "NaN", 1), *lines[1:]]), ["votes.jsonl: row 1", "NaN"]),
    "a key twice": (jsonl(lambda lines: ['{"seed": 1, ' + lines[0][1:], *lines[1:]]), ["it has a key twice"]),
    "a nested object": (
        jsonl(lambda lines: [json.dumps(GOOD[0] | {"outcome": {"value": "1"}}), *lines[1:]]),
        ["row 1, column outcome: found an object"],
    ),
    "a seed that is true": (
        jsonl(lambda lines: [json.dumps(GOOD[0] | {"seed": True}), *lines[1:]]),
        ["row 1, column seed: found true or false"],
    ),
    "half a surrogate pair": (
        jsonl(lambda lines: [json.dumps(GOOD[0] | {"outcome": "\ud800"}), *lines[1:]]),
        ["row 1", "half of a surrogate pair"],
    ),
    "nested without end": (jsonl(lambda lines: ["[" * 100_000, *lines[1:]]), ["row 1", "nested too deeply"]),
    # Parquet
    "a renamed column of Parquet": (
        parquet(lambda table: table.rename_columns(["scene", "sead", *table.column_names[2:]])),
        ["has no column seed", "Is it the column 'sead'?"],
    ),
    "bytes in a text column": (
        parquet(lambda table: replaced(table, "outcome", [b"1"] * len(table), pa.binary())),
        ["column outcome: found bytes"],
    ),
    "a nested column": (
        parquet(lambda table: replaced(table, "outcome", [["1"]] * len(table), pa.list_(pa.string()))),
        ["column outcome: found a list"],
    ),
    "NaN in a number": (
        parquet(lambda table: replaced(table, "seed", [float("nan")] * len(table), pa.float64())),
        ["column seed: found a number that is no integer: nan"],
    ),
    "seeds as text": (
        parquet(lambda table: replaced(table, "seed", [str(row["seed"]) for row in GOOD], pa.string())),
        ["column seed: the column holds text", "stored as an integer"],
    ),
    "a Parquet file cut short": (
        lambda folder: (
            parquet(lambda table: table)(folder),
            (folder / "votes.parquet").write_bytes((folder / "votes.parquet").read_bytes()[:-20]),
        ),
        ["votes.parquet: is no readable Parquet file"],
    ),
    "CSV named Parquet": (
        lambda folder: (folder / "votes.csv").rename(folder / "votes.parquet"),
        ["no readable Parquet"],
    ),
    # Where the videos are
    "a path that climbs": (videos("https://example.org/../../etc/passwd"), ["column uri: found", "without .."]),
    "a path that climbs in code": (videos("https://example.org/%2E%2e/passwd"), ["column uri: found", "without .."]),
    "a javascript address": (videos("javascript:alert(1)"), ["column uri: found 'javascript:alert(1)'"]),
    "a file of this machine": (videos("file:///etc/passwd"), ["column uri: found 'file:///etc/passwd'"]),
    "an address with a quote": (videos("https://example.org/<script>"), ["column uri: found"]),
    "a video twice": (
        beside("videos.csv", b"scene,seed,uri\ndice,1,https://example.org/a\ndice,1,https://example.org/b\n"),
        ["each seed once"],
    ),
}


@pytest.fixture(scope="module")
def repository(built, tmp_path_factory):
    return shutil.copytree(built, tmp_path_factory.mktemp("bad") / "repository")


def state(folder):
    """Every file with its size and time."""
    found = [(path, path.lstat()) for path in sorted(folder.rglob("*"))]
    return [(path, fact.st_size, fact.st_mtime_ns) for path, fact in found]


@pytest.mark.parametrize("case", BAD)
def test_is_refused_with_its_place_and_nothing_is_written(case, tmp_path, repository):
    spoil, fragments = BAD[case]
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "submission.toml").write_text(TOML, "utf-8")
    write(folder / "votes.csv", GOOD)
    spoil(folder)
    before = state(folder), state(repository)
    with pytest.raises(calibench_data.CalibenchError) as caught:
        calibench_data.open_submission(folder, repository, yes=True)
    for fragment in fragments:
        assert fragment in str(caught.value)
    assert str(folder) in str(caught.value)
    assert (state(folder), state(repository)) == before


def test_what_the_cases_spoil_is_accepted_as_it_stands(tmp_path):
    (tmp_path / "submission.toml").write_text(TOML, "utf-8")
    write(tmp_path / "votes.csv", GOOD)
    assert calibench_data.check_submission(tmp_path).remarks == ()


def test_all_faults_of_all_files_are_told_at_once(tmp_path):
    (tmp_path / "submission.toml").write_text(TOML.replace("5.0", "-3").replace("my-model", "My Model", 1), "utf-8")
    write(tmp_path / "votes.csv", [row | {"outcome": "7"} if row["scene"] == "dice" else row for row in GOOD])
    (tmp_path / "videos.csv").write_text("scene,seed,uri\ndice,1,ftp://x\n", "utf-8")
    with pytest.raises(calibench_data.CalibenchError) as caught:
        calibench_data.check_submission(tmp_path)
    for fragment in ("model.name", "model.duration_s", "column outcome", "column uri"):
        assert fragment in str(caught.value)
    assert caught.value.total >= 96 + 3
