"""What an experiment took: latency, recalled tokens, model usage, and the hearing of histories."""

from collections.abc import Iterator

from heams.reporting.digest import Digest
from heams.reporting.figures import cost, count, plural, seconds
from heams.reporting.ingestion import Ingestion
from heams.reporting.markdown import Table, bullets, clipped, heading, joined
from heams.reporting.spending import Spent, total

_MOST_NOTES = 10


def costs(digest: Digest) -> Iterator[str]:
    """Latency and cost."""
    yield f"{heading(2, 'Latency and recall')}\n\n{_latency_table(digest)}"
    yield (
        "Seconds are per scenario, over scenarios that were played to their end; *answer* includes *recall*. "
        "Tokens are those of recalled items that reached the agent, per question."
    )
    yield f"{heading(2, 'Model usage')}\n\n{_usage_table(digest) or 'No model was called.'}"


def ingestion(digest: Digest) -> Iterator[str]:
    """The histories: how many, how long, and what went wrong."""
    found = digest.ingestion
    yield heading(2, "Ingestion")
    if not found.histories:
        yield "No shared histories were heard."
        return
    yield str(_ingestion_table(found))
    if found.lost:
        yield f"{plural(len(found.lost), 'history', 'histories')} could not be heard at all."
    if found.failures:
        yield str(_failure_table(found))
    if found.unsupported:
        notes = found.unsupported.most_common(_MOST_NOTES)
        yield "Not supported while hearing:\n\n" + bullets(
            joined([clipped(note), f"({plural(times, 'history', 'histories')})"], " ") for note, times in notes
        )


def _latency_table(digest: Digest) -> Table:
    table = Table("phase", ">p50", ">p95", ">n")
    for phase, times in digest.latencies.items():
        table.add(phase, seconds(times.p50), seconds(times.p95), count(times.n))
    tokens = digest.recalled_tokens
    table.add("recalled tokens", count(tokens.p50), count(tokens.p95), count(tokens.n))
    return table


def _usage_table(digest: Digest) -> str:
    if not digest.spent:
        return ""
    table = Table("part", "role", ">calls", ">input tokens", ">output tokens", ">cached tokens", ">cost, USD")
    for row in digest.spent:
        table.add(row.part, row.role, *_usage_cells(row))
    if len(digest.spent) > 1:
        table.add("total", "", *_usage_cells(total(digest.spent)))
    estimated = any(row.estimated for row in digest.spent)
    return f"{table}\n\n≈ marks tokens that are estimated, at least in part." if estimated else str(table)


def _usage_cells(row: Spent) -> Iterator[str]:
    mark = "≈" if row.estimated else ""
    yield count(row.calls)
    for tokens in (row.input_tokens, row.output_tokens, row.cached_tokens):
        yield f"{mark}{count(tokens)}"
    yield cost(row.cost_usd)


def _ingestion_table(found: Ingestion) -> Table:
    table = Table(
        "way", "isolation", ">histories", ">heard", ">restored", ">events heard", ">seconds, all", ">p50", ">p95",
        ">failed attempts", ">unsupported",
    )  # fmt: skip
    times = found.latency()
    table.add(
        ", ".join(sorted(found.modes)),
        ", ".join(sorted(found.isolations)),
        *(count(number) for number in (len(found.histories), found.heard, found.restored, found.events)),
        *(seconds(value) for value in (sum(found.seconds), times.p50, times.p95)),
        count(found.failed),
        count(found.unsupported.total()),
    )
    return table


def _failure_table(found: Ingestion) -> Table:
    table = Table("error while hearing", ">attempts", "example: history", "message")
    for failure in found.failures.values():
        table.add(failure.type, count(failure.count), clipped(failure.example), clipped(failure.message))
    return table
