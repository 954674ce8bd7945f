"""One annotator at work: which video comes next, what may be answered on it, and taking an answer back."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from threading import Lock
from typing import Any

from calibench_data.queries.cells import Scene

from .answers import AnswerFile, answered_now, standing
from .choices import choices
from .digests import Digests
from .folders import VideoFile

UNPLAYABLE = "unplayable"


class WrongAnswer(Exception):
    """What the page sent is no answer to what it was shown."""


class StaleAnswer(Exception):
    """The page shows what was answered meanwhile, in another window."""


class Session:
    """The videos of one annotator in their order. The page knows each by a random id, and neither model nor votes."""

    def __init__(
        self,
        annotator: str,
        videos: Sequence[VideoFile],
        scenes: Mapping[str, Scene],
        rules: Mapping[str, str],
        answers: AnswerFile,
        digests: Digests,
        written: Callable[[], None],
    ) -> None:
        """scenes, rules: by scene's name, its outcomes and its reading prompt. written: called after each answer."""
        self.annotator = annotator
        self._videos = {secrets.token_urlsafe(12): one for one in videos}
        self._scenes, self._rules = scenes, rules
        self._answers, self._digests, self._written = answers, digests, written
        self._lock = Lock()
        ids = {one.video: opaque for opaque, one in self._videos.items()}
        earlier = {video: one for video, one in standing(answers.answers).items() if video in ids}
        # Another browser may play what the last one could not, and a file that was replaced is another video.
        self._given = {
            ids[video]: one.answer
            for video, one in earlier.items()
            if one.answer != UNPLAYABLE and one.sha256 == digests.of(self._videos[ids[video]].path)
        }
        self.replaced = [
            self._videos[ids[video]]
            for video, one in earlier.items()
            if one.sha256 != digests.of(self._videos[ids[video]].path)
        ]

    def video(self, opaque: str) -> VideoFile | None:
        """The video of an id."""
        return self._videos.get(opaque)

    def counted(self) -> Counter[str]:
        """How many videos have each kind of answer, and all of them as `all`."""
        return Counter(self._given.values()) + Counter(all=len(self._videos))

    def unplayable(self) -> list[VideoFile]:
        """The videos that the browser could not play."""
        return [self._videos[opaque] for opaque, answer in self._given.items() if answer == UNPLAYABLE]

    def state(self) -> dict[str, Any]:
        """What the page shows, as JSON values."""
        with self._lock:
            return self._state()

    def answer(self, opaque: str, answer: str, outcome: str | None) -> dict[str, Any]:
        """Keep an answer on the video that is shown, and give the new state.

        The same answer once more changes nothing, so that a page may send it again. Raises WrongAnswer, StaleAnswer,
        and OSError where it could not be written.
        """
        with self._lock:
            video = self._videos.get(opaque)
            allowed = [] if video is None else choices(self._scenes[video.scene].outcomes)
            offered = [(one.answer, one.outcome) for one in allowed] + [(UNPLAYABLE, None)]
            if video is None or (answer, outcome) not in offered:
                raise WrongAnswer
            if opaque in self._given:
                last = standing(self._answers.answers)[video.video]
                if (last.answer, last.outcome) != (answer, outcome):
                    raise StaleAnswer
            elif opaque != self._current():
                raise StaleAnswer
            else:
                self._answers.add(answered_now(video.video, self._digests.of(video.path), answer, outcome))
                self._given[opaque] = answer
                self._written()
            return self._state()

    def undo(self, opaque: str) -> dict[str, Any]:
        """Take back the last answer, which was on this video, and give the new state; raises as `answer` does."""
        with self._lock:
            video = self._videos.get(opaque)
            if video is None:
                raise WrongAnswer
            if opaque != self._last():
                raise StaleAnswer
            self._answers.add(answered_now(video.video, self._digests.of(video.path), "undo"))
            del self._given[opaque]
            self._written()
            return self._state()

    def _current(self) -> str | None:
        return next((opaque for opaque in self._videos if opaque not in self._given), None)

    def _last(self) -> str | None:
        return next(reversed(self._given), None)

    def _state(self) -> dict[str, Any]:
        current = self._current()
        shown = None
        if current is not None:
            scene = self._scenes[self._videos[current].scene]
            own = [opaque for opaque, one in self._videos.items() if one.scene == scene.scene]
            shown = {
                "id": current,
                "title": scene.title,
                "rule": self._rules.get(scene.scene),
                "place": own.index(current) + 1,
                "places": len(own),
                "choices": [asdict(one) for one in choices(scene.outcomes)],
            }
        counts = Counter(self._given.values())
        return {
            "annotator": self.annotator,
            "done": len(self._given),
            "all": len(self._videos),
            "counts": {kind: counts[kind] for kind in ("outcome", "null", "cannot-tell", UNPLAYABLE)},
            "last": self._last(),
            "video": shown,
        }
