"""The addresses of pages. All state is in them, so that every view can be copied, bookmarked and gone back to."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

from starlette.requests import Request

NAVIGATION = (
    ("runs", "Runs", "/", "g r"),
    ("matrix", "Matrix", "/matrix", "g m"),
    ("compare", "Compare", "/compare", "g c"),
    ("judge", "Judge", "/judge", "g j"),
)
"""The entries of the bar on top: name, words, address, key."""
_PASSING = {"seen", "told"}
"""Parameters of requests that pages send by themselves; no address keeps them."""


@dataclass(frozen=True, slots=True)
class Here:
    """The address of the page that is being made. ``here(page=2, q=None)`` is it with other parameters."""

    path: str
    parameters: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, request: Request) -> "Here":
        """The address that was asked for."""
        path = request.scope.get("raw_path", b"").decode("ascii", "replace") or quote(request.url.path)
        kept = ((name, value) for name, value in request.query_params.multi_items() if name not in _PASSING)
        return cls(path, tuple(kept))

    def __str__(self) -> str:
        return address(self.path, self.parameters)

    def __call__(self, path: str | None = None, /, **changes: Any) -> str:
        """The address with some parameters replaced; None takes one away, a list gives it several times."""
        kept = [(name, value) for name, value in self.parameters if name not in changes]
        return address(self.path if path is None else path, [*kept, *_pairs(changes)])

    def fields(self, *without: str) -> list[tuple[str, str]]:
        """The parameters that a form has to send along, without those that it sends itself."""
        return [(name, value) for name, value in self.parameters if name not in without]


def address(path: str, parameters: Iterable[tuple[str, str]] = ()) -> str:
    """A path with parameters."""
    query = urlencode(list(parameters))
    return f"{path}?{query}" if query else path


def run(key: str) -> str:
    """The overview of an experiment."""
    return f"/run/{quote(key, safe='')}"


def samples(key: str, **state: Any) -> str:
    """The samples of an experiment: ``metric`` (``evaluator/metric``), ``q``, ``sort``, ``columns``, ``page``."""
    return address(f"{run(key)}/samples", _pairs(state))


def sample(key: str, sample_id: str, repeat: int | None = None, step: int | None = None, **state: Any) -> str:
    """One sample; ``state`` is that of the list it is in, and the ``tab``."""
    return address(f"{run(key)}/sample", _pairs({"id": sample_id, "repeat": repeat, "step": step, **state}))


def compare(a: str | None = None, b: str | None = None, **state: Any) -> str:
    """A comparison of two experiments."""
    return address("/compare", _pairs({"a": a, "b": b, **state}))


def judge(key: str | None = None, **state: Any) -> str:
    """What judges did, of all experiments or of one."""
    return address("/judge", _pairs({"run": key, **state}))


def matrix(**state: Any) -> str:
    """Memory systems by benchmarks."""
    return address("/matrix", _pairs(state))


def _pairs(state: dict[str, Any]) -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    for name, value in state.items():
        values = value if isinstance(value, list | tuple) else [value]
        pairs += [(name, str(one)) for one in values if one is not None and one != ""]
    return pairs
