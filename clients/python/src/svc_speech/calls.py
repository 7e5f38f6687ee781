"""What is sent: a call, the recording in its form, and the lines and events of what comes back."""

import json
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

Opened = tuple[str, BinaryIO | bytes] | tuple[str, BinaryIO | bytes, str]
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
    default a new one.
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


def opened(recording: Recording) -> Opened:
    """The recording as a part of a form; whoever sends it closes it."""
    if isinstance(recording, tuple):
        name, source, *rest = recording
        return (name, source() if callable(source) else source, *rest)
    path = Path(recording)
    return (path.name, path.open("rb"))


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
