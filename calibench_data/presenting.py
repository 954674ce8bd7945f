"""The texts of a dataset repository, made from its tables: card, Croissant description, the Hub's benchmark file."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from calibench_data.cards.about import PUBLISHED
from calibench_data.cards.croissant import croissant
from calibench_data.cards.dataset_card import dataset_card, updated_card
from calibench_data.cards.exhibits.ranking import leaderboard
from calibench_data.cards.hub_benchmark import eval_yaml
from calibench_data.cards.results import Results

CARD, CROISSANT, EVAL = "README.md", "croissant.json", "eval.yaml"


def release_texts(
    parts: Mapping[str, Mapping[str, int]],
    results: Results,
    version: str,
    card: str | None = None,
    present: Collection[str] = (),
    pawbench: str | None = None,
) -> dict[str, str]:
    """Path -> text of a release `version` with these files (table -> path -> rows), whose rows `results` has.

    card: the present card, whose own words are kept; present: the texts that the repository has. The benchmark file
    says nothing of the rows: where there is one, it stays as it is. pawbench: see `dataset_card`.
    """
    ranking = leaderboard(results).grid
    texts = {
        CARD: dataset_card(parts, ranking, pawbench) if card is None else updated_card(card, parts, ranking),
        CROISSANT: croissant(parts, version, PUBLISHED),
    }
    return texts if EVAL in present else {**texts, EVAL: eval_yaml()}
