"""Draw all pictures anew into `sources/frames`."""

from __future__ import annotations

from calibench_data.builders.source_files import FOLDER

from .pictures import pictures

for name, data in pictures().items():
    (FOLDER / "calibench" / "frames" / f"{name}.png").write_bytes(data)
