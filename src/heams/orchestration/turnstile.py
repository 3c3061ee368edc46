"""Lets scenarios through one at a time, so that the event loop turns between them.

Components that never wait keep the loop busy while they play. When hundreds of scenarios become ready in the same
moment (a history was heard), the writer, the progress and the signals would wait for all of them.
"""

import asyncio


class Turnstile:
    """One scenario per turn of the event loop."""

    def __init__(self) -> None:
        self._gate = asyncio.Lock()

    async def passed(self) -> None:
        """Return when it is this scenario's turn."""
        async with self._gate:
            await asyncio.sleep(0)
