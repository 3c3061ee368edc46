"""What reading one document may cost, and the error of what costs more."""

from __future__ import annotations

from dataclasses import dataclass

from heta_framework.common.stores.fields import positive


class UnreadableError(Exception):
    """The content cannot be had; the message says why, the document is known to whoever asked."""


@dataclass(frozen=True)
class ContentLimits:
    """What reading one document may cost.

    Attributes:
        max_bytes: of its content.
        wait_s: seconds to wait for a connection, and for the next bytes.
        total_s: seconds for all of it, tries included.
        redirects: how many are followed.
        attempts: how often an address is asked that does not answer, or is busy.

    Raises:
        ValueError: one of them is not above 0 (``redirects``: below 0).
    """

    max_bytes: int = 256 << 20
    wait_s: float = 30.0
    total_s: float = 600.0
    redirects: int = 5
    attempts: int = 3

    def __post_init__(self) -> None:
        positive("max_bytes", self.max_bytes)
        positive("attempts", self.attempts)
        for name, seconds in (("wait_s", self.wait_s), ("total_s", self.total_s)):
            if not seconds > 0:
                raise ValueError(f"{name} must be greater than zero; found {seconds}")
        if self.redirects < 0:
            raise ValueError(f"redirects must not be negative; found {self.redirects}")

    def require(self, size: int, *, or_more: bool = False) -> None:
        """Refuse content that is too large.

        Raises:
            UnreadableError: ``size`` bytes are more than allowed.
        """
        if size > self.max_bytes:
            found = "more" if or_more else f"{size} bytes"
            raise UnreadableError(f"found {found}; at most {self.max_bytes} bytes are allowed")
