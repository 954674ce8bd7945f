"""The verb `label`."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click

from calibench_data.printing import data_option, revision_option, say


@click.command()
@click.argument("directory", type=click.Path(path_type=Path), metavar="DIR")
@click.option("--annotator", required=True, metavar="NAME", help="Who looks; stands in the labels that are published.")
@click.option("--per-scene", type=int, default=18, show_default=True, metavar="N", help="Videos of each scene.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Of the loopback; by default a free one.")
@data_option
@revision_option
def label(directory: Path, annotator: str, per_scene: int, port: int, data: str | None, revision: str | None) -> None:
    """Label videos by eye, on a local page.

    DIR is a submission folder with videos/SCENE/SEED.mp4, or holds one a model. The page shows a sample, the same
    number of each scene, blind to model and votes. Each answer is kept at once in DIR/labelling; run again to go on.
    The labels of all annotators are written to labels.csv, a file of the submission: videos of which an annotator
    cannot tell have no label there. Ctrl-C ends it.

    Example: calibench label my-folder --annotator ada
    """
    from calibench_data.labelling import label

    with label(directory, annotator, per_scene, port, data, revision) as page:
        for notice in page.notices:
            say(notice)
        try:
            say(f"{annotator}: {_done(page.counts)}. Ctrl-C ends this; every answer is kept. Open in a browser:")
            say(page.address)
            page.serve()
        except KeyboardInterrupt:
            say("")
        counts = page.counts
        say(
            f"{annotator}: {_done(counts)}: outcomes {counts['outcome']}, cannot be scored {counts['null']}, "
            f"cannot tell (no label) {counts['cannot-tell']}"
        )
        for path in page.unplayable:
            say(f"{path}: the browser could not play it: no answer")


def _done(counts: Counter[str]) -> str:
    answered = counts["outcome"] + counts["null"] + counts["cannot-tell"]
    return f"{answered:,} of {counts['all']:,} videos answered"
