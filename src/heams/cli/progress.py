"""How a run shows its progress: a live table on a terminal, plain lines in a log."""

from collections.abc import Iterator
from contextlib import contextmanager

from heams.orchestration.listener import RunListener


@contextmanager
def progress_listener(*, plain: bool) -> Iterator[RunListener]:
    """The listener for a terminal or for a log; live display ends with the context."""
    if plain:
        from heams.cli.progress_plain import PlainProgress

        yield PlainProgress()
    else:
        from heams.cli.progress_live import LiveProgress

        with LiveProgress() as live:
            yield live
