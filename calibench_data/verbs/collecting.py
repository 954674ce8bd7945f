"""The verb `collect`."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from calibench_data.printing import data_option, revision_option, say

if TYPE_CHECKING:
    from calibench_data.builders.collection import Progress
    from calibench_data.collecting import Collected

_SHOWN_ERRORS = 5


def _price(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[float, float] | None:
    if value is None:
        return None
    try:
        read, written = (float(part) for part in value.split(","))
    except ValueError:
        raise click.BadParameter(f"{value!r}: two numbers with a comma between them, such as 1.25,10") from None
    return read, written


@click.command()
@click.argument("directory", type=click.Path(path_type=Path), metavar="DIR")
@click.option("--reader", required=True, metavar="READER", help="gemini:MODEL, openai:MODEL or cmd:COMMAND.")
@click.option("--attempts", default=3, show_default=True, type=click.IntRange(1), help="Readings of each video.")
@click.option("--reparse", is_flag=True, help="Ask nothing; parse the replies that are there again.")
@click.option("--benchmark", default="calibench", show_default=True, type=click.Choice(["calibench", "pawbench"]))
@click.option("--edition", help="Whose reading prompts; by default as submission.toml says, else open.")
@click.option(
    "--evidence",
    type=click.Choice(["last-frame", "video", "frames"]),
    help="Show this instead of what the benchmark asks.",
)
@click.option("--concurrency", default=8, show_default=True, type=click.IntRange(1), help="Calls at the same time.")
@click.option("--rate", type=click.FloatRange(0, min_open=True), help="Calls a minute, at most.")
@click.option("--tries", default=8, show_default=True, type=click.IntRange(1), help="Calls for one vote, at most.")
@click.option("--backoff", default=1.0, show_default=True, type=click.FloatRange(0, 60), help="First wait, seconds.")
@click.option("--max-calls", type=click.IntRange(0), help="Calls in all runs of DIR, at most.")
@click.option("--max-cost", type=click.FloatRange(0, min_open=True), help="Dollars in all runs of DIR, at most.")
@click.option(
    "--price",
    callback=_price,
    metavar="IN,OUT",
    help="Dollars for a million tokens read, and written, such as 1.25,10.",
)
@click.option("--base-url", help="Where the service is; else from the environment, else the service's own.")
@click.option("--temperature", type=click.FloatRange(0), help="By default the service's own.")
@click.option("--max-tokens", type=click.IntRange(1), help="Of a reply, thoughts included; by default no bound.")
@click.option("--timeout", default=120.0, show_default=True, type=click.FloatRange(0, min_open=True), help="Seconds.")
@data_option
@revision_option
def collect(
    directory: Path,
    reader: str,
    attempts: int,
    reparse: bool,
    benchmark: str,
    edition: str | None,
    evidence: Any,
    data: str | None,
    revision: str | None,
    **options: Any,
) -> None:
    """Have the videos of a submission folder read: votes.csv.

    DIR holds videos/SCENE/SEED.mp4. The keys of services are taken from the environment: GEMINI_API_KEY or
    OPENAI_API_KEY. Every answer is kept at once in ledger.sqlite; run again, it asks only for what is missing. Exit
    status 1 if votes are missing at the end.

    A command gets the paths of the evidence as arguments and the prompt on its input; its output is the reply.

    Example: calibench collect my-folder --reader gemini:gemini-3.1-pro-preview
    """
    from calibench_data.builders.call_schedule import Limits
    from calibench_data.builders.readers.registry import Parameters
    from calibench_data.collecting import collect as run

    parameters = Parameters(options["base_url"], options["temperature"], options["max_tokens"], options["timeout"])
    names = ("concurrency", "rate", "tries", "max_calls", "max_cost", "price")
    try:
        limits = Limits(**{name: options[name] for name in names}, backoff_s=options["backoff"])
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    with _Meter() as meter:
        found = run(
            directory,
            reader,
            attempts,
            benchmark=benchmark,
            edition=edition,
            evidence=evidence,
            limits=limits,
            parameters=parameters,
            repo=data,
            revision=revision,
            reparse=reparse,
            watch=meter.show,
        )
    _tell(directory, found)
    sys.exit(0 if found.complete else 1)


def _tell(directory: Path, found: Collected) -> None:
    for notice in found.notices:
        say(f"note: {notice}")
    for reason, count in list(found.errors.items())[:_SHOWN_ERRORS]:
        say(f"error, {count} vote{'s' * (count > 1)}: {reason}")
    if found.run:
        cost = f", ${found.run.cost:,.2f}" if found.run.cost else ""
        say(f"this run: {found.run.calls:,} calls, {found.run.failed:,} of them in vain{cost}")
    cost = f", ${found.totals.cost:,.2f}" if found.totals.cost else ""
    say(f"in all: {found.totals.calls:,} calls{cost}")
    counts = found.counts
    say(
        f"{found.votes}: {counts['outcome'] + counts['null']:,} votes ({counts['null']:,} null), "
        f"{counts['error']:,} errors, {counts['missing']:,} not asked for"
    )
    if found.stopped:
        say(f"stopped: {found.stopped}")
    if not found.complete:
        say("Run it again: it asks only for what is missing.")
    else:
        say(f"Then: calibench submit check {directory}")


class _Meter:
    """How far it is, on standard error: a line that is written over in a terminal, else one every 15 seconds."""

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._last, self._ended, self._open = 0.0, "", False

    def __enter__(self) -> _Meter:
        return self

    def __exit__(self, *_: object) -> None:
        if self._open:
            click.echo(err=True)

    def show(self, stage: str, progress: Progress) -> None:
        now, end = time.monotonic(), progress.done == progress.wanted
        if self._ended == stage or (not end and now - self._last < (0.2 if self._terminal else 15)):
            return
        self._last, self._ended, self._open = now, stage if end else "", self._terminal
        line = meter_line(stage, progress)
        click.echo(f"\r\x1b[K{line}" if self._terminal else line, err=True, nl=not self._terminal)


def meter_line(stage: str, progress: Progress) -> str:
    """The progress on one line: a bar, how much, how fast, what it cost, how long it will take."""
    share = progress.done / progress.wanted if progress.wanted else 1.0
    bar = "#" * int(20 * share)
    parts = [f"{stage} [{bar:<20}] {progress.done:,}/{progress.wanted:,}", f"{progress.rate:,.0f} a minute"]
    if stage == "votes":
        parts.append(f"{progress.calls:,} calls, {progress.failed:,} in vain")
        parts.append(f"${progress.cost:,.2f} spent" if progress.cost else "")
    if progress.left_s is not None and progress.done < progress.wanted:
        minutes, seconds = divmod(round(progress.left_s), 60)
        parts.append(f"{minutes // 60}:{minutes % 60:02}:{seconds:02} left")
    return ", ".join(part for part in parts if part)
