"""People look at videos: a local page that asks, and the labels that come of it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from types import TracebackType

from calibench_data.annotation.answers import AnswerFile
from calibench_data.annotation.digests import Digests
from calibench_data.annotation.folders import VideoFile, read_folder
from calibench_data.annotation.labels_file import LabelsFiles
from calibench_data.annotation.sample import draw, ordered
from calibench_data.annotation.server import LabelServer
from calibench_data.annotation.session import Session
from calibench_data.builders.annotators import check_annotator
from calibench_data.errors import CalibenchError, Problem
from calibench_data.queries.protocol import read_protocol
from calibench_data.release.opening import open_release

from .submitting import BENCHMARK, connected

PER_SCENE = 18


class LabelPage:
    """A page that asks one annotator, ready to be served; see `label`."""

    def __init__(self, session: Session, answers: AnswerFile, port: int, notices: tuple[str, ...]) -> None:
        self._session, self._answers = session, answers
        self.notices = notices
        try:
            self._server = LabelServer(session, port)
        except OSError as error:
            raise CalibenchError(f"port {port}: {error.strerror}") from error

    @property
    def address(self) -> str:
        """Where the page is: on this machine only, and only for who has the token in it."""
        return self._server.address

    @property
    def counts(self) -> Counter[str]:
        """Videos by answer: `outcome`, `null`, `cannot-tell`, `unplayable`; and `all` that are asked."""
        return self._session.counted()

    @property
    def unplayable(self) -> list[Path]:
        """The files that the browser could not play."""
        return [video.path for video in self._session.unplayable()]

    def serve(self) -> None:
        """Answer requests until `stop`, or an interrupt from the keyboard. No answer is lost by it."""
        self._server.serve_forever(poll_interval=0.1)

    def stop(self) -> None:
        """Make `serve`, in another thread, return."""
        self._server.shutdown()

    def close(self) -> None:
        """Free the port and the annotator's file."""
        self._server.server_close()
        self._answers.close()

    def __enter__(self) -> LabelPage:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def label(
    folder: str | Path,
    annotator: str,
    per_scene: int = PER_SCENE,
    port: int = 0,
    repo: str | Path | None = None,
    revision: str | None = None,
) -> LabelPage:
    """A page on which a person labels a sample of the videos of a submission folder, or of a folder of several.

    folder: holds submission.toml and `videos/<scene>/<seed>.mp4`, or a sub-folder of this kind for each model.
    annotator: who looks; the name stands in the labels. per_scene: videos of each scene, spread evenly over the models.
    port: 0 takes a free one. The scenes, outcomes and rules are those of `repo` at `revision`.

    Each answer is added to `labelling/<annotator>.jsonl` at once, and `labels.csv` beside each submission.toml says
    what the answers of all annotators come to: an outcome, or null where no outcome can be scored. Where an annotator
    cannot tell there is no label. Raises CalibenchError with all faults of the folder, and for a port that is taken.
    """
    if problems := list(check_annotator("annotator", annotator)):
        raise CalibenchError(problems)
    if per_scene < 1:
        raise CalibenchError([Problem("videos of a scene", f"found {per_scene}", "1 or more")])
    root = Path(folder)
    with connected(open_release(repo, revision)) as connection:
        protocol = read_protocol(connection, BENCHMARK)
        rules = connection.execute(
            "SELECT scene, text FROM prompts WHERE benchmark = ? AND role = 'reading' AND edition = 'open'", [BENCHMARK]
        ).fetchall()
    found = read_folder(root, protocol)
    videos = ordered(draw(found.videos, per_scene), list(protocol.scenes), annotator)
    digests = Digests()
    files = LabelsFiles(found, digests)
    answers = AnswerFile(root, annotator)
    try:
        session = Session(annotator, videos, protocol.scenes, dict(rules), answers, digests, files.write)
        files.write()
        replaced = tuple(
            f"{one.path}: was replaced since it was labelled, and is asked again" for one in session.replaced
        )
        return LabelPage(session, answers, port, (*found.notices, *_small_cells(videos, per_scene), *replaced))
    except BaseException:
        answers.close()
        raise


def _small_cells(videos: list[VideoFile], per_scene: int) -> tuple[str, ...]:
    counts = Counter(video.scene for video in videos)
    return tuple(f"scene {scene}: {n} videos, not {per_scene}" for scene, n in counts.items() if n < per_scene)
