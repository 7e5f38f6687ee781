# Generated from the asynchronous client by clients/generator/run.ts; do not edit.
"""Both streams: one recording in, one result out, recognised while it arrives."""

import json
from collections.abc import Sequence
from typing import Any, Literal, Self

from websockets.sync.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus
from websockets.typing import Subprotocol

from ..errors import SpeechServiceError, error_of, stream_error, unreachable
from ..live_text import NO_WISHES, LiveReader, LiveWishes, OnText
from ..schemas import ClientToken, Spectra2Result
from ..threads import received, sleep

SPECTRA_MODEL = "svc-spectra-2"
_SPECTRA_PROTOCOL = "svc.spectra2.v1"
_LIVE_SPECTRA_PROTOCOL = "svc.spectra2.live.v1"
_LIVE_LITE_PROTOCOL = "svceet.pcm.live.v1"
# Below the limit of 32,768 bytes, and whole samples.
_MAX_FRAME_BYTES = 32_000
# The service lets an upgrade wait for 20 s before it answers.
_OPEN_SECONDS = 30.0


class PcmStream:
    """A socket that takes PCM16, little-endian, mono, 16 kHz, in pieces of any size."""

    def __init__(self, socket: ClientConnection, on_text: OnText | None) -> None:
        self._socket = socket
        self._odd = b""
        self._is_finished = False
        self._live = None if on_text is None else LiveReader(on_text)
        # Messages that came with interim text and are not asked for yet.
        self._waiting: list[dict[str, Any]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Before the end this is a cancellation: no result, and no charge."""
        self._socket.close()

    def send(self, samples: bytes) -> None:
        """Raises SpeechServiceError once the service has ended it, RuntimeError after `finish`."""
        # The service would leave it out without a word.
        if self._is_finished:
            raise RuntimeError("the stream is finished and takes no more audio")
        # A piece may end within a sample; its byte belongs to the next piece.
        data = self._odd + samples
        whole = len(data) - len(data) % 2
        self._odd = data[whole:]
        for at in range(0, whole, _MAX_FRAME_BYTES):
            self._write(data[at : min(at + _MAX_FRAME_BYTES, whole)])
        if self._live is not None:
            self._take_texts()

    def _take_texts(self) -> None:
        """Interim text is read between pieces, so that no thread or task is needed for it."""
        try:
            while (data := received(self._socket)) is not None:
                self._waiting.append(json.loads(data))
        except ConnectionClosed:
            pass  # Its reason was sent before, and is raised by what waits for a message.
        self._waiting = [each for each in self._waiting if not self._is_text(each)]

    def _is_text(self, message: dict[str, Any]) -> bool:
        return self._live is not None and self._live.take(message)

    def _end(self, message: dict[str, Any]) -> None:
        self._is_finished = True
        self._say(message)

    def _say(self, message: dict[str, Any]) -> None:
        self._write(json.dumps(message))

    def _write(self, data: bytes | str) -> None:
        try:
            self._socket.send(data)
        except ConnectionClosed:
            # The reason was sent before the end.
            while True:
                self._next()

    def _next(self) -> dict[str, Any]:
        while self._is_text(message := self._receive()):
            pass
        # An error with a delay leaves the stream open.
        if message.get("type") == "error" and "retry_after_ms" not in message:
            raise stream_error(message)
        return message

    def _receive(self) -> dict[str, Any]:
        if self._waiting:
            return self._waiting.pop(0)
        try:
            received_message: dict[str, Any] = json.loads(self._socket.recv())
        except ConnectionClosed as error:
            end = error.rcvd
            why = f"{end.code} {end.reason}".strip() if end else "no reason"
            raise unreachable(f"the stream was closed: {why}") from error
        return received_message


class SpectraStream(PcmStream):
    """Words in any of the 25 languages, and 31 scores."""

    ready: dict[str, Any]

    def finish(self) -> Spectra2Result:
        """Ends the recording. Raises SpeechServiceError."""
        self._end({"type": "finish"})
        result: Any = self._next()
        self.close()
        return result

    def cancel(self) -> None:
        """Ends the stream without a result and without a charge."""
        self._say({"type": "cancel"})
        self.close()

    def start(
        self, task: str, request_id: str | None, vocabulary: Sequence[str] | None
    ) -> None:
        """Waits until the service is ready for audio."""
        message: dict[str, Any] = {"type": "start", "model": SPECTRA_MODEL, "task": task}
        if request_id is not None:
            message["request_id"] = request_id
        if vocabulary is not None:
            message["vocabulary"] = list(vocabulary)
        self._say(message)
        self.ready = self._next()


class LiteStream(PcmStream):
    """The words of up to a minute of English."""

    ready: dict[str, Any]

    def ping(self) -> None:
        """Keeps a stream open in which nothing is said."""
        self._say({"type": "ping"})

    def finish(self) -> dict[str, Any]:
        """Ends the recording; waits while the service has no capacity."""
        self._end({"type": "commit"})
        while True:
            message = self._next()
            if message["type"] == "final":
                self.close()
                return message
            if message["type"] == "error":
                sleep(message["retry_after_ms"] / 1_000)
                self._say({"type": "commit"})

    def start(self, vocabulary: Sequence[str] | None) -> None:
        """Waits until the service is ready for audio."""
        self.ready = self._next()
        if vocabulary is not None:
            self._say({"type": "vocabulary", "terms": list(vocabulary)})


def open_spectra_stream(
    url: str,
    *,
    task: Literal["transcription", "analysis"],
    ticket: str | None = None,
    api_key: str | None = None,
    request_id: str | None = None,
    live: LiveWishes = NO_WISHES,
) -> SpectraStream:
    """A stream with a ticket of a stream session, or with the key itself."""
    on_text = live.listener()
    protocol = _SPECTRA_PROTOCOL if on_text is None else _LIVE_SPECTRA_PROTOCOL
    protocols = [protocol] if ticket is None else [protocol, ticket]
    headers = {} if api_key is None else {"Authorization": f"Bearer {api_key}"}
    stream = SpectraStream(_connect(url, protocols, headers), on_text)
    try:
        stream.start(task, request_id, live.vocabulary)
    except SpeechServiceError:
        stream.close()
        raise
    return stream


def open_lite_stream(token: ClientToken, live: LiveWishes = NO_WISHES) -> LiteStream:
    """A stream with a client token."""
    on_text = live.listener()
    protocol = token["protocol"] if on_text is None else _LIVE_LITE_PROTOCOL
    protocols = [protocol, f"auth.{token['token']}"]
    stream = LiteStream(_connect(token["url"], protocols, {}), on_text)
    try:
        stream.start(live.vocabulary)
    except SpeechServiceError:
        stream.close()
        raise
    return stream


def _connect(url: str, protocols: list[str], headers: dict[str, str]) -> ClientConnection:
    try:
        attempt = connect(
            url,
            subprotocols=[Subprotocol(each) for each in protocols],
            additional_headers=headers,
            open_timeout=_OPEN_SECONDS,
        )
        # Entered, as versions of websockets from 17.1 on demand; the stream closes it.
        return attempt.__enter__()
    except InvalidStatus as error:
        answer = error.response
        raise error_of(answer.status_code, answer.headers, answer.body or b"") from error
    except (OSError, InvalidHandshake) as error:
        raise unreachable(f"no stream at {url}: {error}") from error
