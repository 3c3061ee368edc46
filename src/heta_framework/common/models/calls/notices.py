"""What is worth a word to whoever watches a run, and stops nothing."""

import logging
from collections.abc import Callable

Say = Callable[[str], None]


def log_notice(text: str) -> None:
    """The way of telling where none is given: a warning in the log."""
    logging.getLogger("heta_framework.models").warning("%s", text)
