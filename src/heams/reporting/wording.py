"""Words that several reports share."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol

from heams.reporting.digest import Digest
from heams.reporting.figures import cost, count, interval, plural, score
from heams.reporting.lines import Damage
from heams.reporting.markdown import Markdown, escape
from heams.reporting.metrics import MetricSummary
from heams.reporting.part_names import HISTORIES, Noun, asks_without_agent
from heams.reporting.saved import part
from heams.reporting.spending import total
from heta_framework.common.statistics import Summary
from heta_framework.common.text.tokens import TOKENIZER_NAME

_MOST_DAMAGED = 5
ENOUGH_CLUSTERS = 10
"""From so many histories on, a clustered interval holds about what it says (simulated in the tests)."""
NO_INTERVAL = ", so there is no interval: another {} may give another mean."
TOO_NARROW = "Intervals from so few clusters are too narrow: they hold the true value less often than 95 % of the time."
REFERENCES = (
    "References are no competitors: a lower one remembers nothing, an upper one is handed everything or exactly the "
    "evidence. Where declining to answer is right, a lower one may lead. Where what surrounds the evidence helps the "
    "agent, a competitor may pass an upper one."
)
TOKENS = f"Tokens are counted with {TOKENIZER_NAME}."
NOT_REPORTED = "not reported"
_SPELLED_OUT = (
    ("mrr", re.compile("mrr"), "the mean reciprocal rank of the first labelled evidence among the recalled items"),
    ("recall@k", re.compile(r"recall@[0-9]+"), "the share of the labelled evidence among the first k recalled items"),
    ("contains", re.compile("contains"), "the share of answers in which an expected answer stands, as whole words"),
    ("exact", re.compile("exact"), "the share of answers that are an expected answer, character by character"),
    (
        "normalized_exact",
        re.compile("normalized_exact"),
        "the share of answers that are an expected answer, whatever their case, articles and punctuation",
    ),
    ("token_f1", re.compile("token_f1"), "the overlap of the words of answer and expected answer, from 0 to 1"),
    ("numeric", re.compile("numeric"), "the share of answers whose number is that of an expected answer"),
    ("regex", re.compile("regex"), "the share of answers in which the expected pattern is found"),
    ("..._legacy", re.compile(r".+_legacy"), "what the published code gives the same answers"),
)


def budget_of(digest: Digest) -> str:
    """The recall budget, and that references are not held to it; of a query mode, how many results were asked for."""
    settings = part(digest.results.config, "settings")
    budget = settings.get("recall_budget")
    if not isinstance(budget, dict):
        return "unknown (not saved)"
    limits = [f"{budget[unit]} {unit}" for unit in ("items", "tokens") if budget.get(unit) is not None]
    if asks_without_agent(digest.results.config):
        return f"at least {budget['items']}" if budget.get("items") is not None else "no number"
    words = " and ".join(limits) or "no limit"
    return f"{words}; not applied to a reference" if digest.bound is not None else words


def budget_notice(digest: Digest) -> str | None:
    """A caution where the recall budget left the agent next to nothing; None elsewhere."""
    found = digest.recalling
    if not found.mostly_starved:
        return None
    return (
        f"the recall budget withheld every item in {found.starved:,} of {plural(found.served, 'question')} for which "
        "the memory recalled something, so the numbers are close to those of an agent without a memory"
    )


def cost_of(digest: Digest) -> str:
    """What an experiment cost in USD; ``unknown`` where a price is, ``not reported`` by an outside program."""
    return _with_unreported(digest, total(digest.spent).usage.cost_usd)


def cost_by_part(digest: Digest) -> str:
    """The costs of answering, judging and ingestion in brackets; empty where one is unknown, or there is only one."""
    parts: dict[str, float | None] = {}
    for row in digest.spent:
        known, more = parts.get(row.part, 0.0), row.usage.cost_usd
        parts[row.part] = None if known is None or more is None else known + more
    if len(parts) < 2 or None in parts.values():
        return ""
    return f" ({', '.join(f'{part} {cost(usd)}' for part, usd in parts.items())})"


def full_cost_of(digest: Digest) -> str:
    """What an experiment would have cost in USD without cache and cassette, in the words of ``cost_of``."""
    return _with_unreported(digest, total(digest.spent).full_cost_usd)


def uncached_cost(digest: Digest) -> str | None:
    """``full_cost_of`` where cache or cassette saved money, or how much is unknown; None where they saved nothing."""
    saved = total(digest.spent).usage.saved_cost_usd
    return full_cost_of(digest) if answered_from_store(digest) and saved != 0 else None


def answered_from_store(digest: Digest) -> bool:
    """Whether the cache or a cassette answered any of an experiment's model calls."""
    usage = total(digest.spent).usage
    return usage.cache_hits + usage.replayed > 0


def _with_unreported(digest: Digest, known: float | None) -> str:
    if not digest.unreported or known is None:
        return cost(known)
    return f"{cost(known)} and what was {NOT_REPORTED}" if known else NOT_REPORTED


def spelled_out(metrics: Iterable[str], notes: Mapping[str, str]) -> Iterator[Markdown]:
    """A sentence for each metric that its benchmark explains in ``notes``, or that is known by an abbreviation."""
    used = dict.fromkeys(metrics)
    for metric in used:
        if metric in notes:
            yield Markdown(f"*{escape(metric)}* is {escape(notes[metric])}.")
    for name, pattern, meaning in _SPELLED_OUT:
        if any(pattern.fullmatch(metric) for metric in used if metric not in notes):
            yield Markdown(f"*{name}* is {meaning}.")


def cell(metric: MetricSummary | None) -> Markdown:
    """Mean, interval, n and what was left out, in one cell; empty where there is no such metric."""
    if metric is None:
        return Markdown("")
    parts: list[str] = [mean(metric.summary)]
    parts.append(f"n {count(metric.summary.n)}")
    if metric.left_out:
        parts.append(f"{count(metric.left_out)} left out")
    if metric.zeroed:
        parts.append(f"{count(metric.zeroed)} counted as 0")
    return Markdown(", ".join(parts))


class Damaged(Protocol):
    """What knows which of its lines could not be read."""

    @property
    def damaged(self) -> tuple[Damage, ...]:
        """The lines."""


def damage_notice(digest: Damaged) -> str:
    """Which lines of results could not be read, by file and line."""
    places = [str(damage) for damage in digest.damaged[:_MOST_DAMAGED]]
    if len(digest.damaged) > _MOST_DAMAGED:
        places.append(f"and {count(len(digest.damaged) - _MOST_DAMAGED)} more")
    one = len(digest.damaged) == 1
    return (
        f"{plural(len(digest.damaged), 'line')} {'is' if one else 'are'} unreadable and left out: {', '.join(places)}"
    )


def few_clusters(metrics: Iterable[MetricSummary], shared: Noun = HISTORIES) -> list[str]:
    """A caution where intervals rest on few histories, or whatever is shared; empty where there are enough of them.

    Metrics whose questions share a single one are named where others have more, for these do have intervals.
    """
    clustered = [(metric.metric, number) for metric in metrics if (number := metric.summary.clusters) is not None]
    lone = list(dict.fromkeys(name for name, number in clustered if number == 1))
    others = [number for name, number in clustered if number > 1 and name not in lone]
    of = f" of {', '.join(lone)}" if others else ""
    said = [f"The questions{of} share one {shared.one}{NO_INTERVAL.format(shared.one)}"] if lone else []
    if others and min(others) < ENOUGH_CLUSTERS:
        rest = " of the other metrics" if lone else ""
        said.append(f"The questions{rest} share {min(others)} {shared.several}. {TOO_NARROW}")
    return said


def mean(summary: Summary) -> Markdown:
    """A mean with its interval where there is one."""
    bounds = f" {interval(summary.interval)}" if summary.interval is not None else ""
    return Markdown(score(summary.mean) + bounds)
