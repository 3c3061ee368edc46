"""How the knowledge bases of a recipe were built: how many, how long, and what went otherwise."""

from collections.abc import Iterator

from heams.reporting.digest import Digest
from heams.reporting.figures import count, plural, seconds
from heams.reporting.ingestion import Ingestion
from heams.reporting.markdown import Table, bullets, clipped, heading, joined

_MOST_NOTES = 10
_ONE, _SEVERAL = "knowledge base", "knowledge bases"


def builds(digest: Digest) -> Iterator[str]:
    """The section."""
    found = digest.ingestion
    yield heading(2, "Knowledge bases")
    if not found.histories:
        yield "None was built."
        return
    yield str(_table(found))
    if found.restored:
        yield "*Taken as they were* are those that an earlier run had built of the same recipe and documents."
    if found.lost:
        yield f"{plural(len(found.lost), _ONE, _SEVERAL)} could not be built at all."
    if found.failures:
        yield str(_failures(found))
    if found.unsupported:
        notes = found.unsupported.most_common(_MOST_NOTES)
        yield "What building them reported:\n\n" + bullets(
            joined([clipped(note), f"({plural(times, _ONE, _SEVERAL)})"], " ") for note, times in notes
        )
    if found.tallies:
        counted = [f"{number:,} {clipped(name)}" for name, number in found.tallies.most_common(_MOST_NOTES)]
        yield f"In the indexes: {', '.join(counted)}."


def _table(found: Ingestion) -> Table:
    table = Table(
        f">{_SEVERAL}", ">built", ">taken as they were", ">documents", ">seconds, all", ">p50", ">p95",
        ">failed attempts",
    )  # fmt: skip
    times = found.latency()
    table.add(
        *(count(number) for number in (len(found.histories), found.heard, found.restored, found.events)),
        *(seconds(value) for value in (sum(found.seconds), times.p50, times.p95)),
        count(found.failed),
    )
    return table


def _failures(found: Ingestion) -> Table:
    table = Table("error while building", ">attempts", f"example: {_ONE}", "message")
    for failure in found.failures.values():
        table.add(failure.type, count(failure.count), clipped(failure.example), clipped(failure.message))
    return table
