"""Batches: many recordings, analysed in the background."""

import json
import uuid
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Any

import httpx

from ..calls import Call, Events, Recording, given, in_path
from ..errors import unreachable
from ..schemas import (
    Batch,
    BatchList,
    BatchRequest,
    BatchResult,
    Deleted,
    ExportFormat,
    ItemList,
)
from ..tasks import each, sleep
from .files import AsyncFiles
from .transport import AsyncTransport

_PATH = "/v1/batches"
_ENDED = frozenset({"completed", "failed", "cancelled"})
_POLL_SECONDS = 1.0
# Broken connections in a row, none of which brought anything.
_MAX_BROKEN_CONNECTIONS = 4


class AsyncBatches:
    """Every call about batches, and `run`, which makes all of them for recordings."""

    def __init__(self, transport: AsyncTransport, files: AsyncFiles) -> None:
        self._transport = transport
        self._files = files

    async def create(self, order: BatchRequest, *, idempotency_key: str | None = None) -> Batch:
        """The new batch, or the one that the key created before."""
        return await self._transport.json(
            Call(
                _PATH,
                "POST",
                json=lambda: order,
                id_header="Idempotency-Key",
                id=idempotency_key,
            )
        )

    async def list(self, *, limit: int | None = None, after: str | None = None) -> BatchList:
        """A page; `after` is the `last_id` of the page before."""
        return await self._transport.json(Call(_PATH, params=given(limit=limit, after=after)))

    async def read(self, batch_id: str) -> Batch:
        """One batch."""
        return await self._transport.json(Call(f"{_PATH}/{in_path(batch_id)}"))

    async def items(
        self,
        batch_id: str,
        *,
        limit: int | None = None,
        after: str | None = None,
        status: str | None = None,
    ) -> ItemList:
        """A page of items in their order."""
        params = given(limit=limit, after=after, status=status)
        return await self._transport.json(Call(f"{_PATH}/{in_path(batch_id)}/items", params=params))

    async def results(self, batch_id: str) -> AsyncIterator[BatchResult]:
        """Results of ended items, in order; continued when the connection breaks."""
        seen: set[int] = set()
        broken = 0
        while True:
            try:
                async for line in self._transport.lines(
                    Call(f"{_PATH}/{in_path(batch_id)}/results")
                ):
                    result = json.loads(line)
                    if result["index"] not in seen:
                        seen.add(result["index"])
                        broken = 0
                        yield result
                return
            except (httpx.TransportError, json.JSONDecodeError):
                # A line that is cut off is read again whole.
                broken = await self._pause(broken)

    async def events(self, batch_id: str) -> AsyncIterator[Batch]:
        """The batch whenever it has changed, until it has ended; reconnects."""
        broken = 0
        while True:
            events = Events("batch")
            try:
                async for line in self._transport.lines(
                    Call(f"{_PATH}/{in_path(batch_id)}/events")
                ):
                    for batch in events.feed(line):
                        broken = 0
                        yield batch
                        if batch["status"] in _ENDED:
                            return
            except httpx.TransportError:
                pass
            broken = await self._pause(broken)

    async def export(self, batch_id: str, index: int, export_format: ExportFormat) -> str:
        """One item's result in another format."""
        path = f"{_PATH}/{in_path(batch_id)}/items/{index}/export"
        return await self._transport.text(Call(path, params={"format": export_format}))

    async def wait(
        self,
        batch_id: str,
        *,
        on_progress: Callable[[Batch], None] | None = None,
        poll_seconds: float = _POLL_SECONDS,
    ) -> Batch:
        """The batch once it has ended, whether its items were completed or not."""
        while True:
            batch = await self.read(batch_id)
            if on_progress:
                on_progress(batch)
            if batch["status"] in _ENDED:
                return batch
            await sleep(poll_seconds)

    async def cancel(self, batch_id: str) -> Batch:
        """Running items stop within seconds and are not charged."""
        return await self._transport.json(Call(f"{_PATH}/{in_path(batch_id)}/cancel", "POST"))

    async def remove(self, batch_id: str) -> Deleted:
        """Deletes an ended batch with its results and files."""
        gone: Deleted = {"id": batch_id, "object": "batch", "deleted": True}
        call = Call(f"{_PATH}/{in_path(batch_id)}", "DELETE", if_gone=gone)
        return await self._transport.json(call)

    async def run(
        self,
        order: Mapping[str, Any],
        recordings: Mapping[str, Recording],
        *,
        idempotency_key: str | None = None,
        concurrency: int = 4,
        on_upload: Callable[[int, int], None] | None = None,
        on_progress: Callable[[Batch], None] | None = None,
    ) -> Batch:
        """Uploads recordings by their custom ids, creates their batch and waits for its end.

        order: task, model, options and so on; no items. With an idempotency key a repeated run
        uploads nothing twice and continues with the same batch. on_upload gets the uploaded and
        all recordings.
        """
        if idempotency_key == "":
            raise ValueError("idempotency_key must not be empty")
        key = idempotency_key or str(uuid.uuid4())
        ids: dict[str, str] = {}

        async def upload(numbered: tuple[int, tuple[str, Recording]]) -> None:
            i, (custom_id, recording) = numbered
            file = await self._files.upload(recording, idempotency_key=f"{key}/{i}")
            ids[custom_id] = file["id"]
            if on_upload:
                on_upload(len(ids), len(recordings))

        numbered: Sequence[tuple[int, tuple[str, Recording]]] = [*enumerate(recordings.items())]
        await each(numbered, concurrency, upload)
        items: list[Any] = [
            {"custom_id": custom_id, "file_id": ids[custom_id]} for custom_id in recordings
        ]
        whole: Any = {**order, "items": items}
        batch = await self.create(whole, idempotency_key=key)
        return await self.wait(batch["id"], on_progress=on_progress)

    async def _pause(self, broken: int) -> int:
        if broken >= _MAX_BROKEN_CONNECTIONS:
            raise unreachable("the connection broke before the answer was complete")
        await sleep(_POLL_SECONDS)
        return broken + 1
