"""Figures 13 to 16: did a change that matters move the model, and did one that does not leave it?"""

from __future__ import annotations

from calibench_data.stats import paired_shift

from ..exhibits.exhibit import Exhibit, Figure, figure
from ..grid import Entry, Grid
from ..printed import decimals, small_p
from .results import PawResults

# (base, changed): by the scenes' titles, as the paper names no pair by id. A-03 -> A-04 is the other candidate for the
# second causal pair; it is shown as well.
PAIRS = (
    ("causal", "A-09", "A25"),
    ("causal", "A-05", "A-11"),
    ("causal", "A-03", "A-04"),
    ("non-causal", "A-07", "A-12"),
    ("non-causal", "A-08", "A-15"),
    ("non-causal", "A-13", "A-14"),
    ("non-causal", "A-06", "A20"),
    ("non-causal", "A19", "A24"),
    ("non-causal", "A-01", "A23"),
)


def pairs(results: PawResults) -> Exhibit:
    """Shift between paired scenes, what sampling alone gives, and an exact test that nothing moved."""
    figures: list[Figure] = []
    rows: list[tuple[Entry, ...]] = []
    untested = 0
    for kind, base, changed in PAIRS:
        if base not in results.roster or changed not in results.roster:
            continue
        before, after = results.roster[base], results.roster[changed]
        place = [after.outcomes.index(outcome) for outcome in before.outcomes]
        both = before.reference is not None and after.reference is not None
        changed_reference = tuple(after.reference[i] for i in place) if both and after.reference else None
        rows.append((Entry(f"{kind}: {before.title} ({base}) -> {after.title} ({changed})"),))
        shown = 0
        for model, title in results.models.items():
            # The gate only: a distance between two cells needs no reference.
            if {results.scenes[model, name].status for name in (base, changed)} - {"pass", "no-reference"}:
                untested += 1
                continue
            one, other = results.cells[model, base].counts, results.cells[model, changed].counts
            found = paired_shift(one, [other[i] for i in place], before.reference if both else None, changed_reference)
            item = f"{base} -> {changed}"
            values = {
                "shift": found.shift,
                "expected_shift": found.expected_shift,
                "chance_shift": found.chance_shift,
                "reference_shift": found.reference_shift,
            }
            figures.extend(figure("pairs", item, f"{model}/{k}", v, decimals(v, 1)) for k, v in values.items())
            figures.append(figure("pairs", item, f"{model}/p", found.test.pvalue, small_p(found.test.pvalue)))
            texts = (*(decimals(value, 1) for value in values.values()), small_p(found.test.pvalue))
            rows.append((Entry(f"  {title}"), Entry(f"{found.n[0]}, {found.n[1]}"), *map(Entry, texts)))
            shown += 1
        if not shown:
            rows.pop()
    grid = Grid(
        "Figures 13-16. Shift between paired scenes, TVD x100",
        ("Model", "readable", "shift", "expected", "by chance", "reference", "p"),
        tuple(rows),
        (
            "expected: mean shift of a model that draws from both references; by chance: of one that does not react. "
            "After a causal change the shift should be as expected, after a non-causal one no larger than by chance.",
            "p: exact two-sample test (Fisher, Freeman, Halton) that both scenes have one distribution.",
            *(
                [f"{untested} pairs of a model are not shown: a scene of theirs is blocked or fails."]
                if untested
                else []
            ),
        ),
    )
    return Exhibit("pairs", tuple(figures), grid)
