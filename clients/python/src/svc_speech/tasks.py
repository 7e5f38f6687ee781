"""Pauses, and several pieces of work at once, with asyncio; `threads` is the same without it."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from websockets.asyncio.client import ClientConnection

sleep = asyncio.sleep
# Long enough for a message that is there to be taken.
_INSTANT_SECONDS = 0.001


async def received(socket: ClientConnection) -> str | bytes | None:
    """A message that has arrived; None without one."""
    try:
        return await asyncio.wait_for(socket.recv(), _INSTANT_SECONDS)
    except TimeoutError:
        return None


async def each(items: Iterable[Any], limit: int, work: Callable[[Any], Awaitable[None]]) -> None:
    """Works on all items, at most `limit` at once; raises the first error."""
    free = asyncio.Semaphore(limit)

    async def one(item: Any) -> None:
        async with free:
            await work(item)

    tasks = [asyncio.create_task(one(item)) for item in items]
    try:
        await asyncio.gather(*tasks)
    finally:
        # What has not ended is not wanted after an error.
        for task in tasks:
            task.cancel()
