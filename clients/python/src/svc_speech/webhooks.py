"""Verifies webhooks of the service, which are signed according to standardwebhooks.com."""

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from typing import Any, TypedDict

# A shorter one is no key of the service: an empty one would sign what anybody writes.
_MIN_KEY_BYTES = 16


class WebhookEvent(TypedDict):
    """`batch.completed`, `batch.failed`, `batch.cancelled` or `webhook.test`, with its data."""

    type: str
    timestamp: str
    data: dict[str, Any]


class WebhookRejected(Exception):  # noqa: N818
    """A message that the service did not sign, or that somebody sends again later."""


def verify_webhook(
    secret: str,
    headers: Mapping[str, str],
    body: bytes | str,
    *,
    tolerance_seconds: float = 300,
    now: float | None = None,
) -> WebhookEvent:
    """The event, once its signature holds.

    secret: `whsec_…` of `POST /v1/webhooks/secret`. body: as it was received, because parsing and
    writing it again would change the signed bytes. now: Unix seconds. Raises WebhookRejected for
    the message, and ValueError for a secret that is none.
    """
    key = _key(secret)
    names = {name.lower(): value for name, value in headers.items()}
    try:
        parts = [names[f"webhook-{part}"] for part in ("id", "timestamp", "signature")]
    except KeyError as error:
        raise WebhookRejected(f"{error.args[0]} is missing") from None
    message_id, timestamp, signatures = parts
    age = (time.time() if now is None else now) - _seconds(timestamp)
    if abs(age) > tolerance_seconds:
        raise WebhookRejected(f"webhook-timestamp is more than {tolerance_seconds:g} s off")
    content = body if isinstance(body, bytes) else body.encode()
    # Some servers decode bytes of headers that are no text as surrogates.
    signed = f"{message_id}.{timestamp}.".encode(errors="surrogatepass") + content
    expected = hmac.new(key, signed, hashlib.sha256).digest()
    if not any(hmac.compare_digest(expected, each) for each in _signatures(signatures)):
        raise WebhookRejected("no signature of the message is valid for the secret")
    return json.loads(content)


def _key(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except ValueError:
        key = b""
    if len(key) < _MIN_KEY_BYTES:
        # Without the secret, which may be right but for a character.
        raise ValueError("the secret of webhooks is `whsec_` and base64 of at least 16 bytes")
    return key


def _seconds(timestamp: str) -> float:
    is_number = timestamp.isascii() and timestamp.isdigit()
    return float(timestamp) if is_number else float("-inf")


def _signatures(header: str) -> list[bytes]:
    """Those of version 1; what is no base64 is none."""
    found = []
    for each in header.split(" "):
        version, _, encoded = each.partition(",")
        try:
            signature = base64.b64decode(encoded, validate=True)
        except ValueError:
            continue
        if version == "v1":
            found.append(signature)
    return found
