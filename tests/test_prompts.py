"""The open edition of the prompts: every rule of the paper is in them, and the answer they ask for can be scored."""

import hashlib
import re
import string

import pytest

import calibench_data

ROWS = calibench_data.sql("SELECT * FROM prompts").to_dicts()
OUTCOMES = dict(calibench_data.sql("SELECT scene, outcomes FROM scenes WHERE benchmark = 'calibench'").rows())
READOUT = dict(calibench_data.sql("SELECT scene, readout FROM scenes WHERE benchmark = 'calibench'").rows())
SCENES = list(OUTCOMES)
TEXTS = {(row["scene"], row["role"]): row["text"] for row in ROWS if row["edition"] == "open"}

BOARD = ["from the front", "ten rows of pegs", "eleven bins numbered 1 to 11", "hops to the left or to the right",
         "only ever this one ball", "lies still", "funnel", "gravity"]  # fmt: skip
BOARD_NULL = [
    "or more than one",
    "across the divider between two bins",
    "not settled in one bin",
    "no {} ball can be seen",
]
# What sections 3.1 to 3.3 of the paper ask of each scene, as the words that say it in the prompt.
GENERATION = {
    "physical_board": [*BOARD, "One metal ball", "real"],
    "animated_board": [*BOARD, "One green ball", "two-dimensional"],
    "ball_fork": ["two-dimensional", "single ball", "straight ramp", "Y-shaped fork", "exactly symmetric",
                  "same width, slope and length", "leaves the fork at the bottom", "from the front"],
    "walking": ["from behind", "long empty corridor", "T-junction", "exactly symmetric",
                "look the same, are lit the same",
                "equally long", "turns into one of the two", "out of sight", "near the floor"],
    "pendulum": ["exactly two thin, stiff brass rods", "pivot fixed at the top of the post", "brass disk", "from rest",
                 "freely under gravity", "camera that stays where it is", "never bend"],
    "dice": ["directly above", "wooden box with low walls", "white six-sided die", "black pips", "from the left",
             "tumbles", "one face clearly pointing up"],
    "cards": ["face down", "topmost card", "turned over", "face up", "Only this one card", "suit signs"],
    "lottery": ["twenty white balls", "numbers 1 to 20", "drum turns", "one ball, and only one",
                "clear tube at the top",
                "easy to read"],
    "roulette": ["European", "37 pockets", "directly above", "spinning rapidly", "One white ball", "several times",
                 "inside a single numbered pocket", "number and the colour"],
}  # fmt: skip
READING = {
    "physical_board": [rule.format("metal") for rule in BOARD_NULL],
    "animated_board": [rule.format("green") for rule in BOARD_NULL],
    "ball_fork": ["finally leaves", "never clearly leaves by either channel"],
    "walking": ["not arrived at the junction", "not yet committed to either side", "plainly turned"],
    "pendulum": ["two rigid rods", "three round bodies", "throughout", "bends", "breaks", "added, missing",
                 "outer weight", "left or to the right of the central pivot", "end of the video"],
    "dice": ["parallel to the floor", "tilted slightly", "edge or corner", "no single face is on top",
             "plainly on top"],
    "cards": ["shows its back", "no drawn card", "hidden", "blurred, misshapen or distorted", "more than one suit",
              "none of the four standard suits"],
    "lottery": ["Look only at the tube", "no ball is in the tube", "more than one ball", "cannot be read"],
    "roulette": ["one white ball, seen from above", "rest in one numbered pocket", "vanished", "too blurred",
                 "more than one", "hub", "slope between the hub and the pockets", "on the rim", "outside the ring",
                 "pocket that holds most of it", "straddles two pockets evenly", "beneath the centre of the ball"],
}  # fmt: skip


def test_two_open_prompts_a_scene_with_their_digests():
    assert set(TEXTS) == {(scene, role) for scene in SCENES for role in ("generation", "reading")}
    assert len(ROWS) == 18
    for row in ROWS:
        assert row["sha256"] == hashlib.sha256(row["text"].encode("utf-8")).hexdigest()


@pytest.mark.parametrize("role", ["generation", "reading"])
@pytest.mark.parametrize("scene", SCENES)
def test_every_rule_of_the_scene_is_in_its_prompt(scene, role):
    text = " ".join(TEXTS[scene, role].split())
    rules = {"generation": GENERATION, "reading": READING}[role][scene]
    assert [rule for rule in rules if rule not in text] == []


@pytest.mark.parametrize("scene", SCENES)
def test_a_reader_is_told_what_it_sees_and_to_answer_one_outcome_or_null(scene):
    text = TEXTS[scene, "reading"]
    shown = {"final-frame": "This picture is the last frame of a ", "video": "This video shows "}[READOUT[scene]]
    assert text.startswith(shown)
    last = text.splitlines()[-1]
    assert last.startswith("Your whole answer is ")
    assert last.endswith(" null, and nothing else.")
    outcomes = OUTCOMES[scene]
    if outcomes[0].isdigit():
        assert f"from {outcomes[0]} to {outcomes[-1]}." in text
    else:
        assert last == f"Your whole answer is {', '.join(outcomes)} or null, and nothing else."


def test_prompts_are_blind_and_have_no_placeholders():
    named = [word for row in calibench_data.sql("SELECT model, title, provider FROM models").rows() for word in row]
    for place, text in TEXTS.items():
        for word in named:
            assert not re.search(rf"\b{re.escape(word)}\b", text, re.IGNORECASE), (place, word)
        assert [field for _, field, *_ in string.Formatter().parse(text) if field is not None] == [], place
        assert not set("${}<>[]%\r") & set(text), place
        assert text == text.strip(), place
        assert text.isascii(), place


def test_no_generation_prompt_asks_for_an_outcome():
    for scene, outcomes in OUTCOMES.items():
        text = TEXTS[scene, "generation"].lower()
        counts = [len(re.findall(rf"\b{outcome}\b", text)) for outcome in outcomes]
        if scene in ("ball_fork", "walking"):
            assert counts[0] == counts[1] > 0, scene
        elif scene == "roulette":
            assert counts == [0, 0, 1], scene  # the green zero says that the wheel is European
        elif not outcomes[0].isdigit():
            assert not any(counts), scene
