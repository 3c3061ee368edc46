"""Which folders to show: those that were named, or the folders of results within them."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from heams.reporting.errors import ResultsError
from heams.reporting.load import load_results
from heta_framework.common.config import nearest

_MOST_NAMED = 5


def places(paths: Sequence[Path]) -> list[Path]:
    """The folders of results, each once.

    Raises:
        ResultsError: one of the paths does not exist, or has no results in it or in its folders.
    """
    found: dict[Path, Path] = {}
    for path in paths:
        for place in _within(path):
            found.setdefault(place.resolve(), place)
    return list(found.values())


def _within(path: Path) -> Iterator[Path]:
    _check(path)
    if _has_results(path):
        yield path
        return
    inside = [entry for entry in sorted(path.iterdir()) if entry.is_dir() and not entry.name.startswith((".", "_"))]
    below = [entry for entry in inside if _has_results(entry)]
    if not below:
        raise ResultsError(
            f"{path}: no results here and in none of its folders{_named(inside)}; expected a folder that "
            "`heams run` or `heams evaluate` wrote (<experiment>/experiment_config.<run_id>.yaml)"
        )
    yield from below


def _check(path: Path) -> None:
    if path.is_dir():
        return
    if path.exists():
        raise ResultsError(f"{path}: this is a file; expected a folder of results")
    parent = path.parent
    beside = [entry.name for entry in parent.iterdir() if entry.is_dir()] if parent.is_dir() else []
    near = nearest(path.name, beside)
    hint = (
        f"did you mean {str(parent / near)!r}?"
        if near
        else "name the folder that `heams run` or `heams evaluate` wrote"
    )
    raise ResultsError(f"{path}: no such folder; {hint}")


def _has_results(path: Path) -> bool:
    try:
        load_results(path)
    except ResultsError:
        return False
    return True


def _named(folders: Sequence[Path]) -> str:
    if not folders:
        return ""
    names = [folder.name for folder in folders[:_MOST_NAMED]]
    more = f" and {len(folders) - _MOST_NAMED} more" if len(folders) > _MOST_NAMED else ""
    return f" ({', '.join(names)}{more})"
