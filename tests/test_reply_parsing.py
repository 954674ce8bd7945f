"""From a reply to a vote: what counts, and above all what does not."""

import json

import pytest
from calibench_data.builders.paw_readout import FLAGS, parse_paw, paw_prompt
from calibench_data.builders.reply_parsing import parse_outcome
from hypothesis import given
from hypothesis import strategies as st

DICE = ["1", "2", "3", "4", "5", "6"]
SIDES = ["left", "right"]
BOARD = [str(number) for number in range(1, 12)]


@pytest.mark.parametrize(
    ("reply", "outcomes", "outcome"),
    [
        ("4", DICE, "4"),
        (" 4.\n", DICE, "4"),
        ("**4**", DICE, "4"),
        ("The upper face shows 4 pips.", DICE, "4"),
        ("4, I am sure: 4", DICE, "4"),
        ("11", BOARD, "11"),
        ("Left", SIDES, "left"),
        ("_left_", SIDES, "left"),
        ("Answer: RIGHT!", SIDES, "right"),
        ("unstable", ["stable", "unstable"], "unstable"),
        ("none", ["left", "none"], "none"),
        ("it is dark red", ["red", "dark red"], "dark red"),
        ("falls_left", ["falls_left", "falls_right"], "falls_left"),
    ],
)
def test_one_outcome_is_a_vote(reply, outcomes, outcome):
    read = parse_outcome(reply, outcomes)
    assert (read.status, read.outcome, read.error) == ("outcome", outcome, None)


@pytest.mark.parametrize("reply", ["null", "Null.", "`null`", "The answer is null", "null: no ball can be seen"])
def test_null_is_a_vote_of_its_own(reply):
    assert parse_outcome(reply, SIDES).status == "null"


@pytest.mark.parametrize(
    ("reply", "outcomes"),
    [
        ("", DICE),
        (" \n", DICE),
        ("...", DICE),
        ("I cannot tell.", DICE),
        ("None", DICE),
        ("N/A", DICE),
        ("four", DICE),
        ("7", DICE),
        ("0", DICE),
        ("14", DICE),
        ("-3", DICE),
        ("3.5", DICE),
        ("3/6", DICE),
        ("3-4", DICE),
        ("3rd", DICE),
        ("3 or 4", DICE),
        ("bin 12 of 11", BOARD),
        ("3 or null", DICE),
        ("left or right", SIDES),
        ("le", SIDES),
        ("leftwards", SIDES),
        ("left-hand", SIDES),
        ("unstable", ["stable"]),
        ("It is not left.", SIDES),
        ("It isn't left", SIDES),
        ("It is not left. Answer: none", ["left", "none"]),
        ("not null", SIDES),
        ("center", SIDES),
    ],
)
def test_anything_less_plain_is_an_error_and_never_null(reply, outcomes):
    read = parse_outcome(reply, outcomes)
    assert read.status == "error"
    assert read.outcome is None
    assert read.error


@given(st.text())
def test_no_text_is_read_as_what_it_does_not_name(text):
    read = parse_outcome(text, SIDES)
    assert read.status != "outcome" or read.outcome in text.casefold()
    assert read.status != "null" or "null" in text.casefold()


TRUSTED = dict.fromkeys(FLAGS, "ok")


def reply(outcome, **audit):
    return json.dumps({"outcome": outcome, **TRUSTED, **audit})


@pytest.mark.parametrize(
    ("text", "status", "outcome", "audit"),
    [
        (reply("left_path"), "outcome", "left_path", TRUSTED),
        (reply(None), "null", None, TRUSTED),
        (reply("null"), "null", None, TRUSTED),
        (f"```json\n{reply('right_path')}\n```", "outcome", "right_path", TRUSTED),
        # A faulty audit costs no outcome, and an audit of distrust changes none.
        (reply("left_path", action="violated"), "outcome", "left_path", TRUSTED | {"action": "violated"}),
        (reply("left_path", action=["?"]), "outcome", "left_path", TRUSTED | {"action": "missing"}),
        ('{"outcome": "left_path"}', "outcome", "left_path", dict.fromkeys(FLAGS, "missing")),
        ('{"outcome": "left_path", "action": "ok", "contin', "outcome", "left_path",
         {"action": "ok", "continuity": "missing", "process": "missing"}),
        ("left_path", "outcome", "left_path", dict.fromkeys(FLAGS, "missing")),
        # No outcome, however trusted.
        (reply("middle_path"), "error", None, TRUSTED),
        (reply("left_path or right_path"), "error", None, TRUSTED),
        (reply(True), "error", None, TRUSTED),
        ('{"outcome": "left_pa', "error", None, dict.fromkeys(FLAGS, "missing")),
        ('{"outcome": "left_path"', "error", None, dict.fromkeys(FLAGS, "missing")),
        ('{"outcome": "left_path", "outcome": "right_path"}', "error", None, dict.fromkeys(FLAGS, "missing")),
        ('{"result": "left_path"}', "error", None, dict.fromkeys(FLAGS, "missing")),
        ("", "error", None, dict.fromkeys(FLAGS, "missing")),
    ],
)  # fmt: skip
def test_the_two_parts_of_pawbench(text, status, outcome, audit):
    read = parse_paw(text, ["left_path", "right_path"])
    assert (read.status, read.outcome, read.audit) == (status, outcome, audit)


def test_the_prompt_of_pawbench_names_every_outcome_and_flag_once():
    text = paw_prompt("Two-Dice Sum", ["sum_2", "sum_3"])
    assert text.count("\n- sum_2\n") == text.count("\n- sum_3\n") == 1
    assert all(f'- "{name}": ' in text for name in FLAGS)
    assert "null" in text
