"""What an address of the application means to the file, whatever else the address says: the page it leads to."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import parse_qs, unquote, urlsplit

from heams.browse.bundle.choice import ChosenList
from heams.browse.views.sample.steps import STEPS_A_PAGE

Target = tuple[str | int | None, ...]
"""A page: its kind, and what it is about."""
TABS = ("verdict", "transcript", "recalled", "memory", "costs")
"""Parts of a sample that are in the file. The saved line itself is not: results hold it."""
COMPARISONS: Target = ("page", "compare")
"""The page of all comparisons: the one page that only the file has, where the application asks which two."""
OF_SCENARIO = ("transcript", "costs")
"""Parts that are the same for every step of a scenario."""
_OF_LIST = frozenset({"metric", "sort", "size", "page"})
_ASIDE = ("d", "history", "items", "also", "verdict")
"""Parameters of a sample that show something that the file leaves out."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A part of an address that is ours: path, parameters, fragment."""

    path: tuple[str, ...]
    parameters: Mapping[str, str]
    fragment: str


def read(href: str) -> Asked | None:
    """Take an address apart; None where it is not one of the application."""
    try:
        parts = urlsplit(href)
    except ValueError:
        return None
    if parts.scheme or parts.netloc or not parts.path.startswith("/"):
        return None
    parameters = {name: values[-1] for name, values in parse_qs(parts.query).items()}
    return Asked(tuple(unquote(one) for one in parts.path.split("/")[1:]), parameters, parts.fragment)


def candidates(asked: Asked, lists: Callable[[str], tuple[ChosenList, ...]]) -> list[Target]:
    """The pages that an address may lead to, the best first. ``lists`` gives those of an experiment."""
    match asked.path:
        case ("",) | ("matrix",) | ("help",) if not asked.parameters:
            return [("page", asked.path[0])]
        case ("judge",):
            return _judge(asked.parameters)
        case ("compare",):
            return _pair(asked.parameters)
        case ("run", key) if not asked.parameters:
            return [("run", key)]
        case ("run", key, "samples"):
            return _list(key, asked.parameters, lists(key))
        case ("run", key, "sample"):
            return _sample(key, asked.parameters)
        case _:
            return []


def _judge(parameters: Mapping[str, str]) -> list[Target]:
    if parameters.keys() - {"run"}:
        return []
    return [("judge", parameters["run"])] if "run" in parameters else [("page", "judge")]


def _pair(parameters: Mapping[str, str]) -> list[Target]:
    """The comparison of two, whichever is named first, under the metric that it shows by itself; else all of them."""
    if parameters.keys() - {"a", "b", "metric"}:
        return []
    if not {"a", "b"} <= parameters.keys():
        return [COMPARISONS]
    return [("compare", *sorted((parameters["a"], parameters["b"])))]


def _list(key: str, parameters: Mapping[str, str], lists: tuple[ChosenList, ...]) -> list[Target]:
    """A list in its own order: that of another order, or of a filter, is another list."""
    if parameters.keys() - _OF_LIST or not lists:
        return []
    metric = parameters.get("metric", lists[0].metric)
    page = _number(parameters, "page")
    return [
        ("list", key, metric, page or 1)
        for one in lists
        if one.metric == metric
        and ("size" not in parameters or parameters["size"] == str(one.size))
        and parameters.get("sort", one.sort) == one.sort
    ]


def _sample(key: str, parameters: Mapping[str, str]) -> list[Target]:
    tab = parameters.get("tab", TABS[0])
    if "id" not in parameters or tab not in TABS or any(name in parameters for name in _ASIDE):
        return []
    sample, repeat, step = parameters["id"], _number(parameters, "repeat"), _number(parameters, "step")
    if tab in OF_SCENARIO:
        return [(tab, key, sample, repeat, _page_of_steps(parameters))]
    if tab != "verdict":
        at = _number(parameters, "at")
        return [(tab, key, sample, repeat, step if at is None else at)]
    return [(tab, key, sample, repeat, step)]


def _page_of_steps(parameters: Mapping[str, str]) -> int:
    """The page of a transcript that an address means, as the page itself decides."""
    at = _number(parameters, "at") or 0
    return _number(parameters, "steps") or at // STEPS_A_PAGE + 1


def _number(parameters: Mapping[str, str], name: str) -> int | None:
    text = parameters.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= len("999999999") else None
