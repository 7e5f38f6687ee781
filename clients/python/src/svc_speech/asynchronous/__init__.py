"""The client for asyncio; `synchronous` is generated from it."""
