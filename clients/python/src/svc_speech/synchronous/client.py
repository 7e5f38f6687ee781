# Generated from the asynchronous client by clients/generator/run.ts; do not edit.
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
from .audio import Audio
from .batches import Batches
from .files import Files
from .streams import (
    SPECTRA_MODEL,
    LiteStream,
    SpectraStream,
    open_lite_stream,
    open_spectra_stream,
)
from .transport import Transport

# The service answers within 300.
_TIMEOUT_SECONDS = 330.0


class Sessions:
    """Credentials of streams, for whoever records; for servers only."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def prepare(self) -> PreparedSession:
        """Reserves ids and seconds for Spectra-2 recordings of the next 30 s."""
        # A new id for each attempt: the service answers a used one with 409.
        return self._transport.json(
            Call(
                "/v1/audio/sessions",
                "POST",
                json=lambda: {"model": SPECTRA_MODEL, "id": str(uuid.uuid4())},
            )
        )

    def stream(
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
        return self._transport.json(
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

    def client_token(self) -> ClientToken:
        """A token for one lite stream, valid for 60 s."""
        return self._transport.json(Call("/v1/client-token", "POST", json=dict))


class Streams:
    """Streams that this client opens itself."""

    def __init__(self, transport: Transport, sessions: Sessions) -> None:
        self._transport = transport
        self._sessions = sessions

    def spectra2(
        self,
        *,
        task: Literal["transcription", "analysis"] = "transcription",
        request_id: str | None = None,
        on_text: OnText | None = None,
        vocabulary: Sequence[str] | None = None,
    ) -> SpectraStream:
        """With the key itself; up to 60 s of audio. `on_text` hears of interim text."""
        base = "ws" + self._transport.base_url.removeprefix("http")
        return open_spectra_stream(
            f"{base}/v1/audio/spectra-2/stream",
            task=task,
            api_key=self._transport.api_key,
            request_id=request_id,
            live=LiveWishes(on_text, vocabulary),
        )

    def prepared(
        self,
        session: StreamSession,
        *,
        on_text: OnText | None = None,
        vocabulary: Sequence[str] | None = None,
    ) -> SpectraStream:
        """With the ticket of a stream session."""
        return open_spectra_stream(
            session["url"],
            task=session["task"],
            ticket=session["ticket"],
            live=LiveWishes(on_text, vocabulary),
        )

    def lite(
        self,
        token: ClientToken | None = None,
        *,
        on_text: OnText | None = None,
        vocabulary: Sequence[str] | None = None,
    ) -> LiteStream:
        """With a client token; by default a new one. `on_text` hears of interim text."""
        token = token or self._sessions.client_token()
        return open_lite_stream(token, LiveWishes(on_text, vocabulary))


class Webhooks:
    """The secret and a test of webhooks; `verify_webhook` checks what arrives."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create_secret(self) -> WebhookSecret:
        """A new secret; the previous one also signs for 24 hours.

        After a lost answer it is not asked for again, because a second new one would end the
        secret in use.
        """
        return self._transport.json(Call("/v1/webhooks/secret", "POST", is_once=True))

    def test(self, url: str) -> WebhookTest:
        """Sends one event to the receiver."""
        return self._transport.json(
            Call("/v1/webhooks/test", "POST", json=lambda: {"url": url})
        )


class Client:
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
        http: httpx.Client | None = None,
    ) -> None:
        self._own = None if http else httpx.Client(timeout=timeout_seconds)
        used = http or self._own
        assert used is not None
        transport = Transport(used, base_url, api_key, retries or RetryLimits())
        self._transport = transport
        self.audio = Audio(transport)
        self.files = Files(transport)
        self.batches = Batches(transport, self.files)
        self.sessions = Sessions(transport)
        self.streams = Streams(transport, self.sessions)
        self.webhooks = Webhooks(transport)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes idle connections."""
        if self._own:
            self._own.close()

    def models(self) -> ModelList:
        """The models, their tasks and limits."""
        return self._transport.json(Call("/v1/models"))

    def pricing(self) -> Pricing:
        """Reference rates."""
        return self._transport.json(Call("/v1/pricing"))
