"""Sends requests and repeats them, under the same id, until they are answered or rejected."""

import random
import uuid
from collections.abc import AsyncIterator
from typing import Any

import httpx

from ..calls import Call, Lines, form_fields, opened
from ..errors import SpeechServiceError, error_of, unreachable
from ..retries import Repetition, RetryLimits, repetition_after, retry_delay_seconds
from ..tasks import sleep


class AsyncTransport:
    """Calls of one service with one key."""

    def __init__(
        self, http: httpx.AsyncClient, base_url: str, api_key: str, retries: RetryLimits
    ) -> None:
        if not base_url.startswith(("http://", "https://")):
            raise ValueError(f'base_url must be an http or https URL, got "{base_url}"')
        self.http = http
        self.base_url = base_url.rstrip("/")
        self.api_key = api_key
        self._retries = retries

    async def json(self, call: Call) -> Any:
        """The answer's body. Raises SpeechServiceError."""
        response = await self._send(call, stream=False)
        return response.json()

    async def text(self, call: Call) -> str:
        """The answer's body as it is. Raises SpeechServiceError."""
        response = await self._send(call, stream=False)
        return response.text

    async def lines(self, call: Call) -> AsyncIterator[str]:
        """The answer's lines as they come. Raises SpeechServiceError, httpx.TransportError."""
        response = await self._send(call, stream=True)
        try:
            lines = Lines()
            async for data in response.aiter_bytes():
                for line in lines.feed(data):
                    yield line
            for line in lines.end():
                yield line
        finally:
            await response.aclose()

    async def _send(self, call: Call, *, stream: bool) -> httpx.Response:
        if call.id == "":
            # Each repetition of the work would get an id of its own.
            raise ValueError(f"{call.id_header} must not be empty")
        used = call.id or str(uuid.uuid4())
        repetitions: dict[Repetition, int] = {"failures": 0, "waits": 0}
        while True:
            try:
                return await self._attempt(call, used, stream=stream)
            except SpeechServiceError as error:
                delay = retry_delay_seconds(
                    error, repetitions, self._retries, jitter=random.random()
                )
                used_up = error.code == "model_busy"
                if delay is None or (used_up and call.id is not None):
                    raise
                if used_up:
                    used = str(uuid.uuid4())
                repetitions[repetition_after(error)] += 1
            await sleep(delay)

    async def _attempt(self, call: Call, used: str, *, stream: bool) -> httpx.Response:
        headers = {"Authorization": f"Bearer {self.api_key}", **call.headers}
        if call.id_header is not None:
            headers[call.id_header] = used
        part = None if call.recording is None else opened(call.recording)
        try:
            request = self.http.build_request(
                call.method,
                self.base_url + call.path,
                params=call.params or None,
                headers=headers,
                json=None if call.json is None else call.json(),
                data=form_fields(call.fields) if part else None,
                files={"file": part} if part else None,
            )
            response = await self.http.send(request, stream=stream)
            if response.is_success:
                return response
            await response.aread()
            await response.aclose()
            raise error_of(response.status_code, response.headers, response.content)
        except httpx.TransportError as error:
            raise unreachable(f"no answer from {self.base_url}: {error!r}") from error
        finally:
            if part and not isinstance(part[1], bytes):
                part[1].close()
