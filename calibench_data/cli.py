"""The command `calibench`: a thin skin over the public functions of `calibench_data`."""

from __future__ import annotations

import io
import sys

import click

from . import __version__
from .errors import SHOWN, CalibenchError
from .printing import say
from .verbs import (
    collecting,
    drawing,
    exhibits,
    identity,
    inputs,
    labelling,
    paw,
    planning,
    publishing,
    releases,
    rows,
    submitting,
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="calibench")
def cli() -> None:
    """CaliBench and PAWBench as data: recompute, query and score, offline.

    Example: calibench tables
    """


for _verb in (
    exhibits.tables,
    exhibits.reproduce,
    drawing.figures,
    rows.score,
    rows.sql,
    planning.plan,
    inputs.export_inputs,
    releases.build,
    releases.verify,
    releases.log,
    submitting.submit,
    publishing.publish,
    labelling.label,
    identity.protocol,
    paw.paw,
    collecting.collect,
):
    cli.add_command(_verb)


def main() -> None:
    """Run the command line; a known failure is told in plain words, without a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal without the papers' signs shows their codes
    try:
        cli(standalone_mode=False)
    except CalibenchError as error:
        say(str(error))
        if error.total > 1:
            say(f"{error.total:,} problems" + (f", the first {SHOWN} shown" if error.total > SHOWN else ""))
        sys.exit(1)
    except (click.exceptions.Abort, KeyboardInterrupt):
        say("interrupted")
        sys.exit(130)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except BrokenPipeError:
        # The reader of a pipe (`head`) has gone; nothing more can be said to it.
        sys.stderr.close()
        sys.exit(1)
    except OSError as error:
        say(f"{error.filename or 'file'}: {error.strerror}")
        sys.exit(1)


if __name__ == "__main__":
    main()
