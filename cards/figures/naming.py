"""What the drawn figures share: names of models that are safe to draw, and what to say where there is nothing to."""

from __future__ import annotations

from calibench_data.errors import CalibenchError

from ..results import Results
from .style import labels


class NoDataError(CalibenchError):
    """A figure that the data at hand do not give."""


def model_labels(results: Results, widest: float = 13) -> dict[str, str]:
    """Model -> its title as it is drawn, at most `widest` ems; no two are alike."""
    return dict(zip(results.models, labels(results.models.values(), widest), strict=True))
