"""Pauses, and several pieces of work at once, with threads."""

import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from websockets.sync.client import ClientConnection

sleep = time.sleep


def received(socket: ClientConnection) -> str | bytes | None:
    """A message that has arrived; None without one."""
    try:
        return socket.recv(timeout=0)
    except TimeoutError:
        return None


def each(items: Iterable[Any], limit: int, work: Callable[[Any], None]) -> None:
    """Works on all items, at most `limit` at once; raises the first error."""
    with ThreadPoolExecutor(limit) as pool:
        tasks = [pool.submit(work, item) for item in items]
        try:
            for task in tasks:
                task.result()
        finally:
            # What has not begun is not wanted after an error.
            for task in tasks:
                task.cancel()
