"""Files that batches analyse."""

from ..calls import Call, Recording, given, in_path
from ..schemas import Deleted, File, FileList, PresignedFile, SourcedFileRequest
from .transport import AsyncTransport

_PATH = "/v1/files"


class AsyncFiles:
    """With an idempotency key a repeated upload returns the file that the first one created."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def upload(
        self,
        recording: Recording,
        *,
        idempotency_key: str | None = None,
        expires_after_seconds: int | None = None,
    ) -> File:
        """Keeps the recording for 30 days, or for 3,600 to 2,592,000 seconds."""
        anchor = None if expires_after_seconds is None else "created_at"
        fields = {
            "expires_after[anchor]": anchor,
            "expires_after[seconds]": expires_after_seconds,
        }
        return await self._transport.json(
            Call(
                _PATH,
                "POST",
                fields=fields,
                recording=recording,
                id_header="Idempotency-Key",
                id=idempotency_key,
            )
        )

    async def from_address(
        self,
        url: str,
        *,
        filename: str | None = None,
        idempotency_key: str | None = None,
        expires_after_seconds: int | None = None,
    ) -> File:
        """A file that the service fetches when a batch analyses it: https://… or s3://BUCKET/KEY."""
        order: SourcedFileRequest = {"source": {"url": url}}
        if filename is not None:
            order["filename"] = filename
        if expires_after_seconds is not None:
            order["expires_after"] = {"anchor": "created_at", "seconds": expires_after_seconds}
        return await self._transport.json(
            Call(
                _PATH,
                "POST",
                json=lambda: order,
                id_header="Idempotency-Key",
                id=idempotency_key,
            )
        )

    async def presign(
        self, filename: str, size: int, *, idempotency_key: str | None = None
    ) -> PresignedFile:
        """A file whose bytes are to be PUT to `upload.url` with exactly `upload.headers`."""
        return await self._transport.json(
            Call(
                f"{_PATH}/presign",
                "POST",
                json=lambda: {"filename": filename, "bytes": size},
                id_header="Idempotency-Key",
                id=idempotency_key,
            )
        )

    async def list(self, *, limit: int | None = None, after: str | None = None) -> FileList:
        """A page; `after` is the `last_id` of the page before."""
        return await self._transport.json(Call(_PATH, params=given(limit=limit, after=after)))

    async def read(self, file_id: str) -> File:
        """One file."""
        return await self._transport.json(Call(f"{_PATH}/{in_path(file_id)}"))

    async def remove(self, file_id: str) -> Deleted:
        """Deletes a file that no batch needs."""
        gone: Deleted = {"id": file_id, "object": "file", "deleted": True}
        call = Call(f"{_PATH}/{in_path(file_id)}", "DELETE", if_gone=gone)
        return await self._transport.json(call)
