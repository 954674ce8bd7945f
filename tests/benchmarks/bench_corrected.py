"""How long the corrected interval takes: one model, and 1,000 models of nine scenes at once."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import numpy as np
from calibench_data.stats.corrected import corrected_mntv, corrected_mntv_of_models

_LITERAL = runpy.run_path(str(Path(__file__).parent / "released_counts.py"))


def test_one_model(benchmark: Any) -> None:
    result = benchmark(corrected_mntv, _LITERAL["cells"]("wan-2.7"))
    assert result.n == 288


def test_thousand_models(benchmark: Any) -> None:
    generator = np.random.default_rng(0)
    cells = []
    for reference in _LITERAL["REFERENCES"].values():
        p0 = np.array(reference, dtype=np.float64)
        draws = generator.multinomial(32, np.append(0.9 * p0, 0.1), size=1000)
        cells.append((draws[:, :-1], draws[:, -1], p0))
    result = benchmark(corrected_mntv_of_models, cells)
    assert result.estimate.shape == (1000,)
