"""Client of the speech-analysis service: files, batches, streams, webhooks."""

from .asynchronous.client import AsyncClient
from .errors import SpeechServiceError
from .synchronous.client import Client
from .webhooks import WebhookRejected, verify_webhook

__version__ = "0.1.0"
__all__ = ["AsyncClient", "Client", "SpeechServiceError", "WebhookRejected", "verify_webhook"]
