"""Under which criterion a record is listed. Needs nothing else, so that whoever reads results begins at once."""

from collections.abc import Iterable, Mapping

CRITERION = "criterion"
"""The tag that names the criterion itself."""


def criterion_of(tags: Mapping[str, str], combinations: Iterable[tuple[str, ...]]) -> str | None:
    """The criterion that ``tags`` name, or the values of the first combination that they have whole, or None."""
    if CRITERION in tags:
        return tags[CRITERION]
    for combination in combinations:
        if combination and all(tag in tags for tag in combination):
            return " / ".join(tags[tag] for tag in combination)
    return None
