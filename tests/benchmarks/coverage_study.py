"""How often does the interval of `stats/corrected.py` hold the true mnTV? Prints its coverage table anew.

    python tests/benchmarks/coverage_study.py --truth calibrated --truth released --rollouts 32 --datasets 2000 --seed 0

A truth is a scorability and a distribution for each of the nine scenes. Groups of truths:

calibrated   the reference itself, every rollout scoreable
released     the six released models: their observed frequencies, null included
mixed        each released model mixed half and half with the reference, scorability kept
smoothed     each released model with 1/2 added to every count, null included
collapsed    calibrated but for one scene, which always shows its first outcome: nine truths
random       outcomes from Dirichlet(1, ..., 1), scorability uniform on (0.3, 1): --random truths
near         the worst kind known, not part of `all`: every outcome of every scene about one standard error off the
             reference, up and down in turn

Beside it stands the coverage of the published percentile interval, with fewer resamples than the paper's 50,000 and, by
--published-datasets, on the first so many data sets only. Both are said in the output.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # works in a checkout that is not installed

from calibench_data.stats import bootstrap_mntv
from calibench_data.stats.corrected import corrected_mntv_of_models
from released_counts import REFERENCES, RELEASED, cells

Array = npt.NDArray[np.float64]
Truth = list[Array]  # one distribution over outcomes plus null, null last, for each scene
GROUPS = ["calibrated", "released", "mixed", "smoothed", "collapsed", "random"]
P0: list[Array] = [np.array(p, dtype=np.float64) for p in REFERENCES.values()]


def truths(group: str, rollouts: int, random: int, seed: int) -> Iterator[tuple[str, Truth]]:
    calibrated = [np.append(p0, 0.0) for p0 in P0]
    released = {model: [np.append(c, m).astype(np.float64) for c, m, _ in cells(model)] for model in RELEASED}
    if group == "calibrated":
        yield "calibrated", calibrated
    elif group == "released":
        for model, draws in released.items():
            yield model, [w / w.sum() for w in draws]
    elif group == "mixed":
        for model, draws in released.items():
            half = [np.append(w[:-1] / 2 + w[:-1].sum() * p0 / 2, w[-1]) for w, p0 in zip(draws, P0, strict=True)]
            yield f"mixed {model}", [w / w.sum() for w in half]
    elif group == "smoothed":
        for model, draws in released.items():
            yield f"smoothed {model}", [(w + 0.5) / (w + 0.5).sum() for w in draws]
    elif group == "collapsed":
        for i, scene in enumerate(REFERENCES):
            one = np.zeros(P0[i].size + 1)
            one[0] = 1
            yield f"collapsed {scene}", [*calibrated[:i], one, *calibrated[i + 1 :]]
    elif group == "near":
        signs = [(-1.0) ** np.arange(p0.size) for p0 in P0]
        off = [np.maximum(p0 + s * np.sqrt(p0 * (1 - p0) / rollouts), 0) for p0, s in zip(P0, signs, strict=True)]
        yield "near the reference", [np.append(p / p.sum(), 0.0) for p in off]
    else:
        generator = np.random.default_rng([seed, 1])
        for i in range(random):
            rho = generator.uniform(0.3, 1, size=len(P0))
            p = [generator.dirichlet(np.ones(p0.size)) for p0 in P0]
            yield f"random {i + 1}", [np.append(r * q, 1 - r) for r, q in zip(rho, p, strict=True)]


def target(truth: Truth) -> float:
    """The mean over scenes of (1 - rho) + rho * TV(p, p0)."""
    scores = []
    for w, p0 in zip(truth, P0, strict=True):
        rho = 1 - w[-1]
        scores.append(w[-1] + 0.5 * np.abs(w[:-1] - rho * p0).sum())
    return float(np.mean(scores))


def study(truth: Truth, args: argparse.Namespace) -> list[float]:
    generator = np.random.default_rng(args.seed)
    theta = target(truth)
    draws = [generator.multinomial(args.rollouts, w, size=args.datasets) for w in truth]
    r = corrected_mntv_of_models([(w[:, :-1], w[:, -1], p0) for w, p0 in zip(draws, P0, strict=True)], args.level)
    held = float(((r.low <= theta) & (theta <= r.high)).mean())
    row = [theta, held, float((r.high - r.low).mean()), float(r.estimate.mean()) - theta]
    row.append(float(np.sqrt(((r.estimate - theta) ** 2).mean())))
    published = []
    for i in range(min(args.published_datasets, args.datasets)):
        sets = [(w[i, :-1], int(w[i, -1]), p0) for w, p0 in zip(draws, P0, strict=True)]
        b = bootstrap_mntv(sets, args.published_resamples, rng=generator, confidence_level=args.level)
        published.append((b.low <= theta <= b.high, (b.estimate - theta) ** 2))
    if published:
        row += [float(np.mean([hit for hit, _ in published])), float(np.sqrt(np.mean([e for _, e in published])))]
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description="Coverage of the corrected interval of mnTV, by simulation.")
    parser.add_argument(
        "--truth", action="append", choices=[*GROUPS, "near", "all"], help="repeatable; default calibrated"
    )
    parser.add_argument("--rollouts", type=int, default=32, help="a scene (default 32)")
    parser.add_argument("--datasets", type=int, default=2000, help="simulated data sets a truth (default 2000)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--level", type=float, default=0.95)
    parser.add_argument("--random", type=int, default=18, help="truths in the group random (default 18)")
    parser.add_argument("--published-datasets", type=int, default=2000, help="0 leaves the published interval out")
    parser.add_argument("--published-resamples", type=int, default=1000, help="the paper has 50,000 (default 1000)")
    args = parser.parse_args()
    chosen = args.truth or ["calibrated"]
    groups = GROUPS if "all" in chosen else list(dict.fromkeys(chosen))

    compared = min(args.published_datasets, args.datasets)
    print(
        f"{args.rollouts} rollouts a scene, {args.datasets} data sets a truth, level {args.level:g}, seed {args.seed}"
    )
    if compared:
        print(f"published percentile interval: {args.published_resamples} resamples, the first {compared} data sets")
    columns = ["truth mnTV", "coverage", "width", "bias", "rmse", *(["publ. cov", "publ. rmse"] if compared else [])]
    print(f"{'':26}" + "".join(f"{name:>11}" for name in columns))
    rows = []
    for group in groups:
        for name, truth in truths(group, args.rollouts, args.random, args.seed):
            rows.append(study(truth, args))
            print(f"{name:26}" + "".join(f"{value:11.3f}" for value in rows[-1]), flush=True)
    table = np.array(rows)
    for name, value in [("least", table.min(axis=0)), ("mean", table.mean(axis=0)), ("largest", table.max(axis=0))]:
        print(f"{name:26}" + "".join(f"{v:11.3f}" for v in value))


if __name__ == "__main__":
    main()
