"""When a request is repeated.

Lost answers and failures are repeated a few times, a service without capacity as often as the
caller is willing to wait.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from .errors import SpeechServiceError

_RETRIED = frozenset({0, 429, 500, 502, 503, 504})
_BASE_DELAY_SECONDS = 0.5
_MAX_DELAY_SECONDS = 15.0
_TOO_MANY_REQUESTS = 429


@dataclass(frozen=True)
class RetryLimits:
    """How often a request is repeated.

    max_failures: after a lost answer, 500, 502, 503 or 504.
    max_waits: after 429, and while an earlier attempt is still in progress.
    """

    max_failures: int = 2
    max_waits: int = 10


Repetition = Literal["failures", "waits"]
"""Counted apart: a service that let the caller wait has not failed."""


def repetition_after(error: SpeechServiceError) -> Repetition:
    """Which of the limits a repetition after the error counts against."""
    # After a server error or a lost answer the first attempt may still be running.
    waits = error.status == _TOO_MANY_REQUESTS or error.code == "request_in_progress"
    return "waits" if waits else "failures"


def retry_delay_seconds(
    error: SpeechServiceError,
    repetitions: Mapping[Repetition, int],
    limits: RetryLimits,
    *,
    jitter: float,
) -> float | None:
    """Seconds until the request is repeated with the same id; None when it is abandoned.

    repetitions: so far. jitter: 0 to 1.
    """
    kind = repetition_after(error)
    if kind == "failures" and error.status not in _RETRIED:
        return None
    before = repetitions[kind]
    if before >= (limits.max_waits if kind == "waits" else limits.max_failures):
        return None
    backoff = min(_MAX_DELAY_SECONDS, _BASE_DELAY_SECONDS * 2 ** min(before, 10))
    return (error.retry_after_seconds or 0) + backoff * (0.5 + 0.5 * jitter)
