"""What an experiment took: latency, recalled tokens, model usage, and the hearing of histories."""

from collections.abc import Iterator

from heams.reporting.digest import Digest
from heams.reporting.figures import count, plural, seconds
from heams.reporting.ingestion import Ingestion
from heams.reporting.markdown import Table, bullets, clipped, heading, joined
from heams.reporting.part_names import asks_without_agent
from heams.reporting.recalling import Recalling
from heams.reporting.report_models import model_usage
from heams.reporting.wording import TOKENS

_MOST_NOTES = 10
_LEGEND = (
    "Seconds are per scenario, over scenarios that were played to their end, every repeat counted; *answer* includes "
    "*recall*. *total* also includes waiting: until the shared history is heard, and for a free slot. The first "
    "questions of a run take longer, because they load libraries and models. Recalled tokens are those of items that "
    f"reached the agent, per question. {TOKENS}"
)


_LEGEND_OF_QUERIES = (
    "Seconds are per question, from its last request to the response, over questions that did not fail; *answer* "
    "includes *recall*. Waiting for other questions of the run is part of them. The first questions of a run take "
    f"longer, because they load libraries and models. Recalled tokens are those of all results of a question. {TOKENS}"
)


def costs(digest: Digest) -> Iterator[str]:
    """Latency and cost."""
    yield f"{heading(2, 'Latency and recall')}\n\n{_latency_table(digest)}"
    yield _LEGEND_OF_QUERIES if asks_without_agent(digest.results.config) else _LEGEND
    yield from _recall_remarks(digest.recalling)
    yield from model_usage(digest)


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
    if found.tallies:
        counted = [f"{clipped(name)} {number:,}" for name, number in found.tallies.most_common(_MOST_NOTES)]
        yield f"Counted by the memory while hearing: {', '.join(counted)}."


def _latency_table(digest: Digest) -> Table:
    table = Table("phase", ">p50", ">p95", ">n")
    for phase, times in digest.latencies.items():
        table.add(phase, seconds(times.p50), seconds(times.p95), count(times.n))
    found = digest.recalling
    if found.waited.n:
        table.add(
            "waiting for a busy agent or memory",
            seconds(found.waited.p50),
            seconds(found.waited.p95),
            count(found.waited.n),
        )
    rows = [("recalled tokens", found.tokens)]
    if not asks_without_agent(digest.results.config):
        rows.append(("items withheld by the recall budget", found.withheld))
    for name, numbers in rows:
        table.add(name, count(numbers.p50), count(numbers.p95), count(numbers.n))
    return table


def _recall_remarks(found: Recalling) -> Iterator[str]:
    if found.affected:
        share = found.affected / found.questions
        everything = f", and every one in {found.starved:,}" if found.starved else ""
        yield (
            f"The recall budget withheld items in {found.affected:,} of {plural(found.questions, 'question')} "
            f"({share:.0%}){everything}. Items that a memory left out by itself, because it was asked for no more, are "
            "not counted."
        )
    if found.waited.n:
        yield (
            "*waiting for a busy agent or memory* is the time per question that was spent waiting while an outside "
            "program served other questions; it is part of *total* alone."
        )


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
