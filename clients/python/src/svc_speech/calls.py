"""What is sent: a call, the recording in its form, and the lines and events of what comes back."""

import io
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import quote

from .errors import unreadable

Recording = (
    str
    | os.PathLike[str]
    | tuple[str, bytes | Callable[[], BinaryIO]]
    | tuple[str, bytes | Callable[[], BinaryIO], str]
)
"""A path, or name, bytes and perhaps MIME type.

In the place of the bytes a function may open a file or another source: it is called for each
attempt, and what it returns is sent while it is read.
"""


@dataclass(frozen=True)
class Call:
    """One request, which may be sent several times.

    id_header: names the work, so that a repetition is no second piece of it. id: the caller's, by
    default a new one. is_once: doing it twice is not doing it once, so that it is not sent again
    after a lost answer or a failure. outlives_answer: its answer is given once, long before its
    end, so that what is in progress is not waited for. if_gone: the answer of a repetition that
    finds nothing, because the attempt that seemed to fail deleted it.
    """

    path: str
    method: str = "GET"
    params: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    json: Callable[[], object] | None = None
    fields: Mapping[str, Any] = field(default_factory=dict)
    recording: Recording | None = None
    id_header: str | None = None
    id: str | None = None
    is_once: bool = False
    outlives_answer: bool = False
    if_gone: Mapping[str, Any] | None = None


class Source:
    """What a recording is read from, for httpx.

    It has no `fileno`, by which the length of a pipe or a socket would be 0.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._at = 0
        self._length: int | None = None
        self.error: Exception | None = None

    def read(self, size: int = -1) -> bytes:
        """Raises what the file raises, SpeechServiceError when it has another length than before.

        Raises TypeError for a file of text. `error` is what was raised.
        """
        try:
            data = self._file.read(size)
            if isinstance(data, str):
                raise TypeError("a recording is read as bytes, got str")
            self._at += len(data)
            self._check_length(is_end=not data)
        except Exception as error:
            self.error = error
            raise
        return data

    def tell(self) -> int:
        """The position in the file."""
        return self._file.tell()

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """To the end for the length, and to the beginning before it is read."""
        seekable = getattr(self._file, "seekable", None)
        if seekable is None or not seekable():
            raise io.UnsupportedOperation("seek")
        self._at = self._file.seek(offset, whence)
        if whence == os.SEEK_END:
            self._length = self._at
        return self._at

    def close(self) -> None:
        """Closes the file."""
        self._file.close()

    def _check_length(self, *, is_end: bool) -> None:
        if self._length is None:
            return
        if self._at > self._length or (is_end and self._at < self._length):
            raise unreadable(f"it had {self._length} bytes, and has others")


Opened = tuple[str, Source | bytes] | tuple[str, Source | bytes, str]


def opened(recording: Recording) -> Opened:
    """The recording as a part of a form; whoever sends it closes it."""
    if not isinstance(recording, tuple):
        path = Path(recording)
        return (path.name, Source(path.open("rb")))
    name, opener, *rest = recording
    source = opener() if callable(opener) else opener
    if isinstance(source, bytes):
        return (name, source, *rest)
    if not callable(opener):
        kind = type(source).__name__
        raise TypeError(f"a recording is bytes, or a function that opens it, got {kind}")
    return (name, Source(source), *rest)


def form_fields(fields: Mapping[str, Any]) -> dict[str, str]:
    """Values as the service reads them; None is left out.

    Raises ValueError for an empty one, which the service would take for one that is left out.
    """
    values = {
        name: str(value).lower() if isinstance(value, bool) else str(value)
        for name, value in fields.items()
        if value is not None
    }
    for name, value in values.items():
        if not value.strip(", \t\r\n"):
            raise ValueError(f"{name} is empty; leave it out instead")
    return values


def require_visible(name: str, text: str) -> str:
    """The text. Raises ValueError for one that does not fit into a header."""
    if text == "":
        raise ValueError(f"{name} must not be empty")
    if not re.fullmatch("[!-~]+", text):
        raise ValueError(f"{name} must be visible ASCII characters")
    return text


def in_path(resource_id: str) -> str:
    """The id as one segment of a path."""
    return quote(resource_id, safe="")


def given(**params: Any) -> dict[str, Any]:
    """The parameters that are not None."""
    return {name: value for name, value in params.items() if value is not None}


class Lines:
    """Bytes as they come, as lines; a text may have other line ends in it, which are kept."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def feed(self, data: bytes) -> Iterator[str]:
        """Lines that are complete now."""
        # A line may come in many blocks: what came before is neither searched nor copied again.
        first, *others = data.split(b"\n")
        self._parts.append(first)
        for part in others:
            line = b"".join(self._parts)
            self._parts = [part]
            yield line.removesuffix(b"\r").decode()

    def end(self) -> Iterator[str]:
        """The last line, if it has no end."""
        if rest := b"".join(self._parts):
            yield rest.decode()


class Events:
    """Lines of server-sent events (WHATWG HTML, 9.2.6) as the data of those of one name."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._event = "message"
        self._data: list[str] = []

    def feed(self, line: str) -> Iterator[Any]:
        """The event that ends with this line, if one does."""
        if line:
            key, _, value = line.partition(":")
            if key == "event":
                self._event = value.removeprefix(" ")
            elif key == "data":
                self._data.append(value.removeprefix(" "))
            return
        event, data = self._event, self._data
        self._event, self._data = "message", []
        if event == self._name and data:
            yield json.loads("\n".join(data))
