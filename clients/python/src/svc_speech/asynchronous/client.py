"""The client of one service with one key."""

import uuid
from collections.abc import Sequence
from typing import Literal, Self

import httpx

from ..calls import Call
from ..live_text import LiveWishes, OnText
from ..retries import RetryLimits
from ..schemas import (
    ClientToken,
    ModelList,
    PreparedSession,
    Pricing,
    StreamSession,
    WebhookSecret,
    WebhookTest,
)
from .audio import AsyncAudio
from .batches import AsyncBatches
from .files import AsyncFiles
from .streams import (
    SPECTRA_MODEL,
    AsyncLiteStream,
    AsyncSpectraStream,
    open_lite_stream,
    open_spectra_stream,
)
from .transport import AsyncTransport

# The service answers within 300.
_TIMEOUT_SECONDS = 330.0


class AsyncSessions:
    """Credentials of streams, for whoever records; for servers only."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def prepare(self) -> PreparedSession:
        """Reserves ids and seconds for Spectra-2 recordings of the next 30 s."""
        # A new id for each attempt: the service answers a used one with 409.
        return await self._transport.json(
            Call(
                "/v1/audio/sessions",
                "POST",
                json=lambda: {"model": SPECTRA_MODEL, "id": str(uuid.uuid4())},
            )
        )

    async def stream(
        self,
        session: PreparedSession,
        *,
        task: Literal["transcription", "analysis"],
        request_id: str,
    ) -> StreamSession:
        """A ticket for one stream; `request_id` is one of the session's that was not used.

        When its answer is lost, so is the ticket: the error is `request_in_progress`, and the
        session's next id makes another.
        """
        return await self._transport.json(
            Call(
                "/v1/audio/stream-sessions",
                "POST",
                headers={"X-Svc-Session": session["token"]},
                json=lambda: {"model": SPECTRA_MODEL, "task": task},
                id_header="X-Request-ID",
                id=request_id,
                outlives_answer=True,
            )
        )

    async def client_token(self) -> ClientToken:
        """A token for one lite stream, valid for 60 s."""
        return await self._transport.json(Call("/v1/client-token", "POST", json=dict))


class AsyncStreams:
    """Streams that this client opens itself."""

    def __init__(self, transport: AsyncTransport, sessions: AsyncSessions) -> None:
        self._transport = transport
        self._sessions = sessions

    async def spectra2(
        self,
        *,
        task: Literal["transcription", "analysis"] = "transcription",
        request_id: str | None = None,
        on_text: OnText | None = None,
        vocabulary: Sequence[str] | None = None,
    ) -> AsyncSpectraStream:
        """With the key itself; up to 60 s of audio. `on_text` hears of interim text."""
        base = "ws" + self._transport.base_url.removeprefix("http")
        return await open_spectra_stream(
            f"{base}/v1/audio/spectra-2/stream",
            task=task,
            api_key=self._transport.api_key,
            request_id=request_id,
            live=LiveWishes(on_text, vocabulary),
        )

    async def prepared(
        self,
        session: StreamSession,
        *,
        on_text: OnText | None = None,
        vocabulary: Sequence[str] | None = None,
    ) -> AsyncSpectraStream:
        """With the ticket of a stream session."""
        return await open_spectra_stream(
            session["url"],
            task=session["task"],
            ticket=session["ticket"],
            live=LiveWishes(on_text, vocabulary),
        )

    async def lite(
        self,
        token: ClientToken | None = None,
        *,
        on_text: OnText | None = None,
        vocabulary: Sequence[str] | None = None,
    ) -> AsyncLiteStream:
        """With a client token; by default a new one. `on_text` hears of interim text."""
        token = token or await self._sessions.client_token()
        return await open_lite_stream(token, LiveWishes(on_text, vocabulary))


class AsyncWebhooks:
    """The secret and a test of webhooks; `verify_webhook` checks what arrives."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create_secret(self) -> WebhookSecret:
        """A new secret; the previous one also signs for 24 hours.

        After a lost answer it is not asked for again, because a second new one would end the
        secret in use.
        """
        return await self._transport.json(Call("/v1/webhooks/secret", "POST", is_once=True))

    async def test(self, url: str) -> WebhookTest:
        """Sends one event to the receiver."""
        return await self._transport.json(
            Call("/v1/webhooks/test", "POST", json=lambda: {"url": url})
        )


class AsyncClient:
    """Everything that a key may do.

    timeout_seconds: for each pause of the network in one attempt; an answer is a pause of up to
    300 s. retries: of one call.
    http: an httpx client with settings of your own, which is yours to close.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        timeout_seconds: float = _TIMEOUT_SECONDS,
        retries: RetryLimits | None = None,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        self._own = None if http else httpx.AsyncClient(timeout=timeout_seconds)
        used = http or self._own
        assert used is not None
        transport = AsyncTransport(used, base_url, api_key, retries or RetryLimits())
        self._transport = transport
        self.audio = AsyncAudio(transport)
        self.files = AsyncFiles(transport)
        self.batches = AsyncBatches(transport, self.files)
        self.sessions = AsyncSessions(transport)
        self.streams = AsyncStreams(transport, self.sessions)
        self.webhooks = AsyncWebhooks(transport)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes idle connections."""
        if self._own:
            await self._own.aclose()

    async def models(self) -> ModelList:
        """The models, their tasks and limits."""
        return await self._transport.json(Call("/v1/models"))

    async def pricing(self) -> Pricing:
        """Reference rates."""
        return await self._transport.json(Call("/v1/pricing"))
