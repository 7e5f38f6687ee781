"""Why a request was not answered with a result."""

import json
from collections.abc import Mapping


class SpeechServiceError(Exception):
    """The service rejected a request, failed, or could not be reached.

    status: HTTP status; 0 when there was no answer, or when the error came over a stream.
    code: the service's code, such as `audio_too_long`; `unreachable` when there was no answer,
        `unreadable_file` when the recording changed while it was sent.
    param: the field that was rejected.
    retry_after_seconds: whole seconds to wait before another attempt.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int,
        code: str,
        param: str | None = None,
        request_id: str | None = None,
        retry_after_seconds: int | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.code = code
        self.param = param
        self.request_id = request_id
        self.retry_after_seconds = retry_after_seconds

    @property
    def is_rejection(self) -> bool:
        """True when the same request would be rejected again."""
        return 400 <= self.status < 500  # noqa: PLR2004


def unreachable(message: str) -> SpeechServiceError:
    """There was no answer."""
    return SpeechServiceError(message, status=0, code="unreachable")


def unreadable(why: str) -> SpeechServiceError:
    """The recording could not be read to the end that it had."""
    message = f"the recording changed while it was sent: {why}"
    return SpeechServiceError(message, status=0, code="unreadable_file")


def without_json(status: int, headers: Mapping[str, str]) -> SpeechServiceError:
    """A success that is none of the service."""
    return SpeechServiceError(
        f"The service answered {status} without JSON.",
        status=status,
        code="unknown",
        request_id=headers.get("x-request-id"),
    )


def error_of(status: int, headers: Mapping[str, str], body: bytes) -> SpeechServiceError:
    """The error of an answer; a proxy's has no code of the service."""
    envelope = _envelope(body)
    retry_after = headers.get("retry-after", "")
    common = {
        "status": status,
        "request_id": headers.get("x-request-id"),
        "retry_after_seconds": int(retry_after) if retry_after.isdigit() else None,
    }
    match envelope:
        case {"error": {"code": str(code), "message": str(message), **rest}}:
            return SpeechServiceError(message, code=code, param=rest.get("param"), **common)
        # Resonance-2 names its errors so.
        case {"detail": [{"type": str(code), "msg": str(message), "loc": [*_, field]}, *_]}:
            return SpeechServiceError(message, code=code, param=str(field), **common)
    return SpeechServiceError(f"The service answered {status}.", code="unknown", **common)


def stream_error(message: dict) -> SpeechServiceError:
    """Spectra-2 sends the envelope's error, the lite stream its members."""
    error = message.get("error") or message
    return SpeechServiceError(
        error.get("message", "the stream failed"),
        status=0,
        code=error.get("code", "unknown"),
        param=error.get("param"),
        request_id=error.get("request_id"),
    )


def _envelope(body: bytes) -> dict:
    try:
        parsed = json.loads(body)
    except ValueError:
        return {}
    return parsed if isinstance(parsed, dict) else {}
