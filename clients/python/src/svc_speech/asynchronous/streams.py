"""Both streams: one recording in, one result out, recognised while it arrives."""

import json
from collections.abc import Sequence
from typing import Any, Literal, Self

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus
from websockets.typing import Subprotocol

from ..errors import SpeechServiceError, error_of, stream_error, unreachable
from ..live_text import NO_WISHES, LiveReader, LiveWishes, OnText
from ..schemas import ClientToken, Spectra2Result
from ..tasks import received, sleep

SPECTRA_MODEL = "svc-spectra-2"
_SPECTRA_PROTOCOL = "svc.spectra2.v1"
_LIVE_SPECTRA_PROTOCOL = "svc.spectra2.live.v1"
_LIVE_LITE_PROTOCOL = "svceet.pcm.live.v1"
# Below the limit of 32,768 bytes, and whole samples.
_MAX_FRAME_BYTES = 32_000
# The service lets an upgrade wait for 20 s before it answers.
_OPEN_SECONDS = 30.0


class AsyncPcmStream:
    """A socket that takes PCM16, little-endian, mono, 16 kHz, in pieces of any size."""

    def __init__(self, socket: ClientConnection, on_text: OnText | None) -> None:
        self._socket = socket
        self._odd = b""
        self._is_finished = False
        self._live = None if on_text is None else LiveReader(on_text)
        # Messages that came with interim text and are not asked for yet.
        self._waiting: list[dict[str, Any]] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Before the end this is a cancellation: no result, and no charge."""
        await self._socket.close()

    async def send(self, samples: bytes) -> None:
        """Raises SpeechServiceError once the service has ended it, RuntimeError after `finish`."""
        # The service would leave it out without a word.
        if self._is_finished:
            raise RuntimeError("the stream is finished and takes no more audio")
        # A piece may end within a sample; its byte belongs to the next piece.
        data = self._odd + samples
        whole = len(data) - len(data) % 2
        self._odd = data[whole:]
        for at in range(0, whole, _MAX_FRAME_BYTES):
            await self._write(data[at : min(at + _MAX_FRAME_BYTES, whole)])
        if self._live is not None:
            await self._take_texts()

    async def _take_texts(self) -> None:
        """Interim text is read between pieces, so that no thread or task is needed for it."""
        try:
            while (data := await received(self._socket)) is not None:
                self._waiting.append(json.loads(data))
        except ConnectionClosed:
            pass  # Its reason was sent before, and is raised by what waits for a message.
        self._waiting = [each for each in self._waiting if not self._is_text(each)]

    def _is_text(self, message: dict[str, Any]) -> bool:
        return self._live is not None and self._live.take(message)

    async def _end(self, message: dict[str, Any]) -> None:
        self._is_finished = True
        await self._say(message)

    async def _say(self, message: dict[str, Any]) -> None:
        await self._write(json.dumps(message))

    async def _write(self, data: bytes | str) -> None:
        try:
            await self._socket.send(data)
        except ConnectionClosed:
            # The reason was sent before the end.
            while True:
                await self._next()

    async def _next(self) -> dict[str, Any]:
        while self._is_text(message := await self._receive()):
            pass
        # An error with a delay leaves the stream open.
        if message.get("type") == "error" and "retry_after_ms" not in message:
            raise stream_error(message)
        return message

    async def _receive(self) -> dict[str, Any]:
        if self._waiting:
            return self._waiting.pop(0)
        try:
            received_message: dict[str, Any] = json.loads(await self._socket.recv())
        except ConnectionClosed as error:
            end = error.rcvd
            why = f"{end.code} {end.reason}".strip() if end else "no reason"
            raise unreachable(f"the stream was closed: {why}") from error
        return received_message


class AsyncSpectraStream(AsyncPcmStream):
    """Words in any of the 25 languages, and 31 scores."""

    ready: dict[str, Any]

    async def finish(self) -> Spectra2Result:
        """Ends the recording. Raises SpeechServiceError."""
        await self._end({"type": "finish"})
        result: Any = await self._next()
        await self.close()
        return result

    async def cancel(self) -> None:
        """Ends the stream without a result and without a charge."""
        await self._say({"type": "cancel"})
        await self.close()

    async def start(
        self, task: str, request_id: str | None, vocabulary: Sequence[str] | None
    ) -> None:
        """Waits until the service is ready for audio."""
        message: dict[str, Any] = {"type": "start", "model": SPECTRA_MODEL, "task": task}
        if request_id is not None:
            message["request_id"] = request_id
        if vocabulary is not None:
            message["vocabulary"] = list(vocabulary)
        await self._say(message)
        self.ready = await self._next()


class AsyncLiteStream(AsyncPcmStream):
    """The words of up to a minute of English."""

    ready: dict[str, Any]

    async def ping(self) -> None:
        """Keeps a stream open in which nothing is said."""
        await self._say({"type": "ping"})

    async def finish(self) -> dict[str, Any]:
        """Ends the recording; waits while the service has no capacity."""
        await self._end({"type": "commit"})
        while True:
            message = await self._next()
            if message["type"] == "final":
                await self.close()
                return message
            if message["type"] == "error":
                await sleep(message["retry_after_ms"] / 1_000)
                await self._say({"type": "commit"})

    async def start(self, vocabulary: Sequence[str] | None) -> None:
        """Waits until the service is ready for audio."""
        self.ready = await self._next()
        if vocabulary is not None:
            await self._say({"type": "vocabulary", "terms": list(vocabulary)})


async def open_spectra_stream(
    url: str,
    *,
    task: Literal["transcription", "analysis"],
    ticket: str | None = None,
    api_key: str | None = None,
    request_id: str | None = None,
    live: LiveWishes = NO_WISHES,
) -> AsyncSpectraStream:
    """A stream with a ticket of a stream session, or with the key itself."""
    on_text = live.listener()
    protocol = _SPECTRA_PROTOCOL if on_text is None else _LIVE_SPECTRA_PROTOCOL
    protocols = [protocol] if ticket is None else [protocol, ticket]
    headers = {} if api_key is None else {"Authorization": f"Bearer {api_key}"}
    stream = AsyncSpectraStream(await _connect(url, protocols, headers), on_text)
    try:
        await stream.start(task, request_id, live.vocabulary)
    except SpeechServiceError:
        await stream.close()
        raise
    return stream


async def open_lite_stream(token: ClientToken, live: LiveWishes = NO_WISHES) -> AsyncLiteStream:
    """A stream with a client token."""
    on_text = live.listener()
    protocol = token["protocol"] if on_text is None else _LIVE_LITE_PROTOCOL
    protocols = [protocol, f"auth.{token['token']}"]
    stream = AsyncLiteStream(await _connect(token["url"], protocols, {}), on_text)
    try:
        await stream.start(live.vocabulary)
    except SpeechServiceError:
        await stream.close()
        raise
    return stream


async def _connect(url: str, protocols: list[str], headers: dict[str, str]) -> ClientConnection:
    try:
        attempt = connect(
            url,
            subprotocols=[Subprotocol(each) for each in protocols],
            additional_headers=headers,
            open_timeout=_OPEN_SECONDS,
        )
        # Entered, as versions of websockets from 17.1 on demand; the stream closes it.
        return await attempt.__aenter__()
    except InvalidStatus as error:
        answer = error.response
        raise error_of(answer.status_code, answer.headers, answer.body or b"") from error
    except (OSError, InvalidHandshake) as error:
        raise unreachable(f"no stream at {url}: {error}") from error
