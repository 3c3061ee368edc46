"""In what two experiments differ besides their scores.

Exactly one of agent and memory system may differ, for that is what is compared. Everything else that could change
scores is a difference with a name.
"""

from collections.abc import Iterator, Mapping

from heams.reporting.bounds import bound_of
from heams.reporting.compare.evaluator_settings import evaluator_settings, judge_facts
from heams.reporting.compare.metric_choice import MetricKey
from heams.reporting.compare.side import Side
from heams.reporting.compare.unlike import Unlike
from heams.reporting.figures import count
from heams.reporting.ingestion import ingestion_of
from heams.reporting.likeness import benchmark_settings, data_facts, setting_facts, settings_apart
from heams.reporting.metrics import LLM_JUDGE
from heams.reporting.part_names import budget_name, part_names
from heams.reporting.progress import Progress, progress_of
from heams.reporting.saved import part

_NOT_SAVED = "not saved"
_EVALUATORS = "evaluators"


def components_apart(a: Side, b: Side) -> list[Unlike]:
    """The settings in which agents differ, and those in which memory systems do; the type alone where that differs."""
    found: list[Unlike] = []
    for kind in ("agent", "memory_system"):
        called = str(getattr(part_names(a.config), kind))
        apart = settings_apart(kind, {"a": a.config, "b": b.config})
        shown = {"type": apart["type"]} if "type" in apart else apart
        found += [
            Unlike(called.replace(" ", "_"), f"{called}: {setting}", values["a"], values["b"])
            for setting, values in shown.items()
        ]
    return found


def differences(a: Side, b: Side, key: MetricKey, components: list[Unlike]) -> list[Unlike]:
    """Everything in which two experiments differ besides the one of ``components`` that is compared, for a metric."""
    both = len({component.name for component in components}) > 1
    return [
        *_benchmark(a, b),
        *_evaluators(a, b, key),
        *_budget(a, b),
        *_settings(a, b),
        *_extent(a, b),
        *(components if both else ()),
    ]


def _benchmark(a: Side, b: Side) -> Iterator[Unlike]:
    yield from _apart("data", "", dict(data_facts(a.config)), dict(data_facts(b.config)))
    left, right = dict(benchmark_settings(a.config)), dict(benchmark_settings(b.config))
    for setting in dict.fromkeys([*left, *right]):
        if setting != _EVALUATORS and left.get(setting) != right.get(setting):
            values = left.get(setting, _NOT_SAVED), right.get(setting, _NOT_SAVED)
            yield Unlike(_name_of(setting), f"benchmark: {setting}", *values)


def _name_of(setting: str) -> str:
    if setting in ("limit", "seed"):
        return setting
    return "prompt" if "prompt" in setting else "benchmark"


def _evaluators(a: Side, b: Side, key: MetricKey) -> Iterator[Unlike]:
    name = "judge" if key.evaluator == LLM_JUDGE else "benchmark"
    yield from _apart(name, "", evaluator_settings(a, key), evaluator_settings(b, key))
    yield from _apart("judge", "judge: ", judge_facts(a, key), judge_facts(b, key))


def _budget(a: Side, b: Side) -> Iterator[Unlike]:
    """References are not held to a budget, so theirs may be any."""
    if all(bound_of(side.config, ingestion_of(side.results).modes) is None for side in (a, b)):
        budgets = [part(side.config, "settings", "recall_budget") for side in (a, b)]
        left, right = ({unit: str(limit) for unit, limit in budget.items()} for budget in budgets)
        yield from _apart("budget", f"{budget_name(a.config)}: ", left, right)


def _settings(a: Side, b: Side) -> Iterator[Unlike]:
    left, right = dict(setting_facts(a.config)), dict(setting_facts(b.config))
    for setting in dict.fromkeys([*left, *right]):
        yield from _apart(setting, "", *({setting: found.get(setting, _NOT_SAVED)} for found in (left, right)))


def _extent(a: Side, b: Side) -> Iterator[Unlike]:
    """Runs with other limits, and runs that are not finished; of runs whose state was not saved nothing is known."""
    left, right = (progress_of(side.results, side.tables) for side in (a, b))
    if left.state is not None and right.state is not None and left.limit != right.limit:
        yield Unlike("limit", "how many samples were played", _limit(left), _limit(right))
    if any(progress.state is not None and not progress.complete for progress in (left, right)):
        yield Unlike("unfinished", "what was played", left.extent, right.extent)


def _limit(progress: Progress) -> str:
    return "all" if progress.limit is None else f"the first {count(progress.limit)}"


def _apart(name: str, prefix: str, a: Mapping[str, str], b: Mapping[str, str]) -> Iterator[Unlike]:
    for key in dict.fromkeys([*a, *b]):
        if a.get(key) != b.get(key):
            yield Unlike(name, f"{prefix}{key}", a.get(key, _NOT_SAVED), b.get(key, _NOT_SAVED))
