"""Client of the speech-analysis service: files, batches, streams, webhooks."""

from .asynchronous.client import AsyncClient
from .errors import SpeechServiceError
from .live_text import LiveText, LiveWord
from .synchronous.client import Client
from .webhooks import WebhookRejected, verify_webhook

__version__ = "0.1.0"
__all__ = [
    "AsyncClient",
    "Client",
    "LiveText",
    "LiveWord",
    "SpeechServiceError",
    "WebhookRejected",
    "verify_webhook",
]
