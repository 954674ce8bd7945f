"""The verb `publish`."""

from __future__ import annotations

from pathlib import Path

import click

from calibench_data.printing import say


@click.command()
@click.option(
    "--repo", required=True, metavar="ORG/NAME", help="Dataset repository on the Hub; made if it is not there."
)
@click.option(
    "--data", type=click.Path(path_type=Path), metavar="DIR", help="Folder to publish; else the embedded release."
)
@click.option("--private", is_flag=True, help="Make a new repository private.")
@click.option("--yes", is_flag=True, help="Do it; without, only say what would be done.")
def publish(repo: str, data: Path | None, private: bool, yes: bool) -> None:
    """Put a release on the Hub, and tag its version.

    One commit with what changed. A tag never moves; a release that `verify` rejects, or that does not follow the one
    on the Hub, is refused. If the upload breaks, run it again: what arrived is not sent twice.

    Example: calibench publish --repo my-org/calibench --data my-release
    """
    from calibench_data.publishing import publish

    found = publish(repo, data, yes, private)
    if found.new:
        say(f"new repository: {repo}" + (", private" if private else ""))
    for file in found.files:
        say(f"{file.change}: {file.path} ({file.bytes:,} bytes)")
    size = sum(file.bytes for file in found.files)
    say(f"{len(found.files):,} files to send, {size:,} bytes; {found.held:,} are there already")
    say(f"tag: {found.tag}" + (", there already" if found.tagged else ""))
    place = f"{repo}, version {found.version}"
    say(f"{place}: commit {found.commit}" if found.commit else f"{place}; nothing is written without --yes")
