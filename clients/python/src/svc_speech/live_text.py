"""Interim text of a stream: what the messages between `ready` and the result add up to."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict


class LiveWord(TypedDict):
    """A word, in seconds from the start of the recording."""

    word: str
    start: float
    end: float


@dataclass(frozen=True)
class LiveText:
    """Words that do not change any more while audio arrives, and those that still may."""

    stable: list[LiveWord]
    tail: list[LiveWord]


OnText = Callable[[LiveText], None]


@dataclass(frozen=True)
class LiveWishes:
    """What only the subprotocols with interim text have; either wish chooses them."""

    on_text: OnText | None = None
    vocabulary: Sequence[str] | None = None

    def listener(self) -> OnText | None:
        """The listener of the stream; None with the plain subprotocol."""
        if self.on_text is None and self.vocabulary is not None:
            return lambda _: None
        return self.on_text


# Those of a stream in the plain subprotocol.
NO_WISHES = LiveWishes()


class LiveReader:
    """Adds the messages up, and tells of each text."""

    def __init__(self, on_text: OnText) -> None:
        self._on_text = on_text
        self._stable: list[LiveWord] = []

    def take(self, message: dict[str, Any]) -> bool:
        """Whether the message was one of interim text."""
        if message.get("type") == "interim":
            self._stable = [*self._stable, *message["stable"]]
            self._on_text(LiveText(self._stable, message["tail"]))
            return True
        if message.get("type") != "revised":
            return False
        self._stable = self._stable[: message["kept_words"]]
        self._on_text(LiveText(self._stable, []))
        return True
