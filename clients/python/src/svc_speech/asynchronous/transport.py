"""Sends requests and repeats them, under the same id, until they are answered or rejected."""

import random
import re
import uuid
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import httpx

from ..calls import Call, Lines, Source, form_fields, opened, require_visible
from ..errors import SpeechServiceError, error_of, unreachable, without_json
from ..retries import Repetition, RetryLimits, repetition_after, retry_delay_seconds
from ..tasks import sleep


class AsyncTransport:
    """Calls of one service with one key."""

    def __init__(
        self, http: httpx.AsyncClient, base_url: str, api_key: str, retries: RetryLimits
    ) -> None:
        if not re.match("https?://[^/]", base_url):
            raise ValueError(f'base_url must be an http or https URL, got "{base_url}"')
        self.http = http
        self.base_url = base_url.rstrip("/")
        # A key that is read from a file may have the file's last line break.
        self.api_key = require_visible("api_key", api_key.strip())
        self._retries = retries

    async def json(self, call: Call) -> Any:
        """The answer's body. Raises SpeechServiceError, or what the recording's source raised."""
        return _json_of(await self._send(call, stream=False))

    async def json_or_text(self, call: Call) -> Any:
        """The value of JSON, or the str of a plain text. Raises as `json` does."""
        response = await self._send(call, stream=False)
        if response.headers.get("content-type", "").startswith("text/plain"):
            return response.text
        return _json_of(response)

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
        # Each repetition of the work would get an id of its own.
        used = str(uuid.uuid4())
        if call.id is not None and call.id_header is not None:
            used = require_visible(call.id_header, call.id)
        limits = replace(self._retries, max_failures=0) if call.is_once else self._retries
        repetitions: dict[Repetition, int] = {"failures": 0, "waits": 0}
        while True:
            answer = await self._attempt(call, used, stream=stream)
            if isinstance(answer, httpx.Response):
                return answer
            if call.if_gone and repetitions["failures"] and answer.code == "not_found":
                return httpx.Response(200, json=call.if_gone)
            delay = retry_delay_seconds(answer, repetitions, limits, jitter=random.random())
            used_up = answer.code == "model_busy"
            lost = call.outlives_answer and answer.code == "request_in_progress"
            if delay is None or lost or (used_up and call.id is not None):
                raise answer
            if used_up:
                used = str(uuid.uuid4())
            repetitions[repetition_after(answer)] += 1
            await sleep(delay)

    async def _attempt(
        self, call: Call, used: str, *, stream: bool
    ) -> httpx.Response | SpeechServiceError:
        """A success, or an error that may pass; raises what the recording's source raised."""
        headers = {"Authorization": f"Bearer {self.api_key}", **call.headers}
        if call.id_header is not None:
            headers[call.id_header] = used
        part = None if call.recording is None else opened(call.recording)
        source = part[1] if part and isinstance(part[1], Source) else None
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
            return error_of(response.status_code, response.headers, response.content)
        except httpx.TransportError as error:
            if source and source.error:
                raise source.error from None
            failed = unreachable(f"no answer from {self.base_url}: {error!r}")
            failed.__cause__ = error
            return failed
        finally:
            if source:
                source.close()


def _json_of(response: httpx.Response) -> Any:
    try:
        return response.json()
    except ValueError as error:
        raise without_json(response.status_code, response.headers) from error
