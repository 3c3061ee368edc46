"""What an experiment consumed of models: calls, tokens and money, and how the calls went."""

from collections.abc import Callable, Iterator, Sequence

from heams.reporting.digest import Digest
from heams.reporting.figures import cost, count, plural, seconds, share
from heams.reporting.markdown import Table, heading, joined
from heams.reporting.spending import Spent, total
from heams.reporting.wording import NOT_REPORTED, answered_from_store, cost_of, full_cost_of

_Cells = Callable[[Spent], Iterator[str]]


def model_usage(digest: Digest) -> Iterator[str]:
    """The section: usage, and the calls behind it."""
    yield f"{heading(2, 'Model usage')}\n\n{_usage_table(digest) or 'No model was called.'}"
    if digest.unreported:
        yield f"An outside program that does not report its usage leaves the cost unknown: {joined(digest.unreported)}."
    yield from _calls(digest)


def usage_side_by_side(digests: Sequence[Digest]) -> str:
    """What each experiment of a table consumed, by part and role; empty where no model was called."""
    if not any(digest.spent for digest in digests):
        return ""
    table = Table(
        "agent", "memory system", "part", "role",
        ">calls", ">input tokens", ">output tokens", ">cached tokens", ">cost, USD",
    )  # fmt: skip
    for digest in digests:
        labels = digest.results.labels
        for row in digest.spent:
            table.add(labels.agent, labels.memory_system, row.part, row.role, *_usage_cells(row))
    return str(table)


def _usage_table(digest: Digest) -> str:
    if not digest.spent and not digest.unreported:
        return ""
    table = Table("part", "role", ">calls", ">input tokens", ">output tokens", ">cached tokens", ">cost, USD")
    for row in digest.spent:
        table.add(row.part, row.role, *_usage_cells(row))
    for kind in digest.unreported:
        table.add(kind, "", *[NOT_REPORTED] * 5)
    if len(digest.spent) + len(digest.unreported) > 1:
        *counts, _ = _usage_cells(total(digest.spent))
        table.add("total", "", *counts, cost_of(digest))
    estimated = any(row.usage.estimated for row in digest.spent)
    return f"{table}\n\n≈ marks tokens that are estimated, at least in part." if estimated else str(table)


def _usage_cells(row: Spent) -> Iterator[str]:
    usage = row.usage
    mark = "≈" if usage.estimated else ""
    yield count(usage.calls)
    for tokens in (usage.input_tokens, usage.output_tokens, usage.cached_tokens):
        yield f"{mark}{count(tokens)}"
    yield cost(usage.cost_usd)


def _calls(digest: Digest) -> Iterator[str]:
    """How calls went; nothing where that was not measured (older results, programs that report sums)."""
    everything = total(digest.spent).usage
    if not (everything.seconds or everything.retries or everything.possibly_billed or answered_from_store(digest)):
        return
    stored = answered_from_store(digest)
    yield str(_calls_table(digest, stored=stored))
    yield "Seconds are those of whole replies of the provider, without waiting for a free slot and without retries."
    if everything.possibly_billed:
        yield (
            f"{plural(everything.possibly_billed, 'attempt')} may have been billed although no whole reply came: "
            "a connection broke, an answer was garbage, or time was up. No token and no cost of theirs is known."
        )
    if stored:
        yield (
            "What came from the cache or a cassette was not paid for in this run; *cost without cache* adds what it "
            f"would have cost: {full_cost_of(digest)} in all. Compare that, and not the cost, between experiments."
        )


def _calls_table(digest: Digest, *, stored: bool) -> Table:
    columns = ["part", "role", ">seconds a call", ">retries", ">possibly billed"]
    if stored:
        columns += [">from the cache", ">hit rate", ">from a cassette", ">saved, USD", ">cost without cache, USD"]
    cells: list[_Cells] = [_call_cells, *([_stored_cells] if stored else [])]
    table = Table(*columns)
    rows = [*digest.spent, *([total(digest.spent)] if len(digest.spent) > 1 else [])]
    for row in rows:
        table.add(row.part, row.role, *(cell for make in cells for cell in make(row)))
    return table


def _call_cells(row: Spent) -> Iterator[str]:
    yield seconds(row.seconds_per_call)
    yield count(row.usage.retries)
    yield count(row.usage.possibly_billed)


def _stored_cells(row: Spent) -> Iterator[str]:
    yield count(row.usage.cache_hits)
    yield share(row.hit_rate)
    yield count(row.usage.replayed)
    yield cost(row.usage.saved_cost_usd)
    yield cost(row.full_cost_usd)
