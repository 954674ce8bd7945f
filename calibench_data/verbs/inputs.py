"""The verb `export-inputs`."""

from __future__ import annotations

from pathlib import Path

import click

from calibench_data.printing import data_option, revision_option, say


@click.command(name="export-inputs")
@click.argument("directory", type=click.Path(path_type=Path), metavar="DIR")
@click.option(
    "--edition",
    type=click.Choice(("open", "paper")),
    default="open",
    show_default=True,
    help="Whose frames and prompts.",
)
@data_option
@revision_option
def export_inputs(directory: Path, edition: str, data: str | None, revision: str | None) -> None:
    """Write frames, prompts and jobs for a generator to DIR.

    jobs.jsonl has a line a video to make: its scene, seed, frame, prompt, and where the video goes. Nothing that is
    there is overwritten.

    Example: calibench export-inputs my-folder
    """
    from calibench_data.exporting import JOBS, export_inputs

    jobs = export_inputs(directory, edition, data, revision)
    scenes = len({job.scene for job in jobs})
    say(f"""{directory / JOBS}: {len(jobs)} jobs, from frames and prompts of {scenes} scenes, edition {edition}.
Make the video of each: {directory / "videos"}/SCENE/SEED.mp4
Then: calibench submit new {directory} --model my-model""")
