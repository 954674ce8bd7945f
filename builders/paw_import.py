"""An imported package in place of what was known of PAWBench before, and what it contradicts."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from calibench_data.schema import TABLES

from . import distributions, scenes
from .paw_package import Package, PackageScene
from .source_files import arrow_table

if TYPE_CHECKING:
    import pyarrow as pa

BENCHMARK = "pawbench"
FAMILIES = {
    "calibration": {"tossing": 8, "rotation": 4, "routing": 9, "draw": 4},
    "coverage": {"collision": 9, "stability": 4, "agent": 8, "material": 4},
}
IMPORTED = "outcomes, reference, prompt and picture from the authors' package"


@dataclass(frozen=True)
class Imported:
    """The part `pawbench` of the tables that a package fills, and what its user should know, a line each.

    contradictions: where it says something else than was known. notices: what it added, and how it was understood.
    """

    tables: dict[str, pa.Table]
    contradictions: tuple[str, ...]
    notices: tuple[str, ...]


def import_package(package: Package) -> Imported:
    """The package as rows. The extra scenes of experiments, which are in no package, stay as they are."""
    known = {row["scene"]: row for row in scenes.records() if row["benchmark"] == BENCHMARK}
    extra = [row for row in known.values() if row["track"] == "intervention"]
    roster = {name: row for name, row in known.items() if row["track"] != "intervention"}
    before: dict[str, dict[str, tuple[Fraction, str]]] = {}
    for row in distributions.records():
        if row["benchmark"] == BENCHMARK:
            exact = Fraction(row["numerator"], row["denominator"])
            before.setdefault(row["scene"], {})[row["outcome"]] = (exact, row["source"])

    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in ("scenes", "distributions", "frames", "prompts")}
    contradictions, notices = [*_roster(package, roster)], list[str]()
    for position, scene in enumerate(package.scenes, start=1):
        old, own = roster.get(scene.scene), before.get(scene.scene, {})
        rows["scenes"].append(_scene(scene, old, position))
        rows["distributions"] += _reference(scene, own)
        rows["frames"].append(_frame(scene))
        rows["prompts"].append(_prompt(scene))
        if old is not None:
            contradictions += _contradictions(scene, old, own)
        notices += _notices(scene, bool(own))
    contradictions += _sizes(rows["scenes"])
    if inferred := [row["scene"] for row in rows["scenes"] if row["family_source"] != "imported"]:
        notices.append(f"no group in the package, so those known before stay: {', '.join(inferred)}")
    rows["scenes"] += extra
    apart = {row["scene"] for row in extra}
    rows["distributions"] += [
        row for row in distributions.records() if row["benchmark"] == BENCHMARK and row["scene"] in apart
    ]
    tables = {name: arrow_table(TABLES[name], records) for name, records in rows.items()}
    return Imported(tables, tuple(contradictions), tuple(notices))


def _family(group: str) -> str:
    """The paper's name of a mechanism group: `Material transition` is material; a name of no such group stays."""
    first = group.casefold().split()[0]
    return first if any(first in families for families in FAMILIES.values()) else group


def _scene(scene: PackageScene, old: Mapping[str, Any] | None, position: int) -> dict[str, Any]:
    family = _family(scene.group) if scene.group else old["family"] if old else "unknown"
    source = "imported" if scene.group else old["family_source"] if old else None
    return {
        "benchmark": BENCHMARK,
        "scene": scene.scene,
        "position": position,
        "title": scene.title or (old["title"] if old else scene.scene),
        "track": scene.track,
        "family": family,
        "family_source": source,
        "readout": "video",
        "rollouts": 50,
        "outcomes": list(scene.outcomes),
        "note": "; ".join([IMPORTED, *(f"{outcome}: {how}" for outcome, how in scene.rounded.items())]),
    }


def _reference(scene: PackageScene, own: Mapping[str, tuple[Fraction, str]]) -> Iterator[dict[str, Any]]:
    exact = dict(zip(scene.outcomes, scene.reference or (), strict=False))
    agrees = exact == {outcome: probability for outcome, (probability, _) in own.items()}
    for position, (outcome, probability) in enumerate(exact.items(), start=1):
        # A reference that the package confirms is still known for the reason it was known before.
        source = own[outcome][1] if agrees else "published"
        yield distributions.record(BENCHMARK, scene.scene, outcome, position, probability, source)


def _frame(scene: PackageScene) -> dict[str, Any]:
    picture = scene.picture
    return {
        "benchmark": BENCHMARK,
        "scene": scene.scene,
        "edition": "paper",
        "image": {"bytes": picture.data, "path": f"{scene.scene}.{picture.suffix}"},
        "width": picture.width,
        "height": picture.height,
        "sha256": hashlib.sha256(picture.data).hexdigest(),
    }


def _prompt(scene: PackageScene) -> dict[str, Any]:
    return {
        "benchmark": BENCHMARK,
        "scene": scene.scene,
        "role": "generation",
        "edition": "paper",
        "text": scene.prompt,
        "sha256": hashlib.sha256(scene.prompt.encode()).hexdigest(),
    }


def _roster(package: Package, roster: Mapping[str, Any]) -> Iterator[str]:
    names = [scene.scene for scene in package.scenes]
    if new := [name for name in names if name not in roster]:
        yield f"scenes that were not known: {', '.join(new)}"
    if gone := [name for name in roster if name not in names]:
        yield f"scenes that the package does not have, and that are left out: {', '.join(gone)}"


def _contradictions(
    scene: PackageScene, old: Mapping[str, Any], own: Mapping[str, tuple[Fraction, str]]
) -> Iterator[str]:
    if scene.track != old["track"]:
        yield f"{scene.scene}: track is {scene.track}, was {old['track']}"
    if scene.group and (family := _family(scene.group)) != old["family"]:
        yield f"{scene.scene}: group is {family}, was {old['family']} ({old['family_source']})"
    if list(scene.outcomes) != old["outcomes"]:
        yield f"{scene.scene}: outcomes are {', '.join(scene.outcomes)}, were {', '.join(old['outcomes'])}"
    reference = dict(zip(scene.outcomes, scene.reference or (), strict=False))
    if own and reference != {outcome: probability for outcome, (probability, _) in own.items()}:
        was = ", ".join(f"{outcome} {probability}" for outcome, (probability, _) in own.items())
        source = next(source for _, source in own.values())
        yield f"{scene.scene}: reference is {_listed(reference) or 'absent'}, was {was} ({source})"


def _notices(scene: PackageScene, known: bool) -> Iterator[str]:
    reference = dict(zip(scene.outcomes, scene.reference or (), strict=False))
    if reference and not known:
        yield f"{scene.scene}: reference is {_listed(reference)}; it was not known before"
    for outcome, how in scene.rounded.items():
        yield f"{scene.scene}: {outcome}: {how}"
    for notice in scene.notices:
        yield f"{scene.scene}: {notice}"


def _listed(reference: Mapping[str, Fraction]) -> str:
    return ", ".join(f"{outcome} {probability}" for outcome, probability in reference.items())


def _sizes(rows: list[dict[str, Any]]) -> Iterator[str]:
    """Where the groups are not of the sizes that the paper's printed averages imply."""
    found = Counter((row["track"], row["family"]) for row in rows)
    implied = {(track, family): n for track, sizes in FAMILIES.items() for family, n in sizes.items()}
    for key in sorted({*found, *implied}):
        if found[key] != implied.get(key, 0):
            track, family = key
            yield f"{track}, {family}: {found[key]} scenes, where the paper's averages imply {implied.get(key, 0)}"
