"""MemoryAgentBench's published scoring, mistakes included, so that numbers can be set beside published ones.

Source: ``utils/eval_other_utils.py`` of https://github.com/HUST-AI-HYZ/MemoryAgentBench at 455306dc, which goes back to
HELMET and DrQA. Texts are normalised as in SQuAD (so "3.0" and "30" are the same), an answer that normalises to nothing
stands in every reply, and a reply is scored twice, as it is and as its first line or what follows "Answer:", of which
the better counts.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from heta_framework.common.text.overlap import Overlap, overlap
from heta_framework.common.text.squad import squad_words

OFFICIAL_METRICS: Final = (
    "exact_match",
    "f1",
    "substring_exact_match",
    "rougeL_f1",
    "rougeL_recall",
    "rougeLsum_f1",
    "rougeLsum_recall",
)
EVENT_RECALL: Final = "eventqa_recall"
NEEDLE_RECALL: Final = "ruler_recall"
_VERDICT_WORDS = ("yes", "no", "noanswer")
_NOTHING = Overlap(0.0, 0.0, 0.0)


class OfficialFailure(ValueError):  # noqa: N818 - reads as what happened
    """The official code raises an exception on this input; the message says over what."""


def normalised(text: Any) -> str:
    """Lower case, without ASCII punctuation, without the articles a, an, the, single spaces.

    Raises:
        OfficialFailure: it is no text.
    """
    return " ".join(squad_words(_text(text, "the text")))


def substring_match(reply: Any, gold: Any) -> bool:
    """Whether the normalised gold stands anywhere in the normalised reply, within words too."""
    return normalised(gold) in normalised(reply)


def exact_match(reply: Any, gold: Any) -> bool:
    """Whether both are the same when normalised."""
    return normalised(reply) == normalised(gold)


def f1(reply: Any, gold: Any) -> Overlap:
    """SQuAD's F1; 0 where one of the two is "yes", "no" or "noanswer" and the other differs, or either is empty."""
    found, wanted = normalised(reply), normalised(gold)
    if found != wanted and (found in _VERDICT_WORDS or wanted in _VERDICT_WORDS):
        return _NOTHING
    return overlap(found.split(), wanted.split())


def parsed(reply: Any, prefix: str = "Answer:") -> str:
    """What follows the first ``prefix`` up to the end of its line; without one the first line.

    A prefix that follows at once is dropped too. The prefix is a regular expression, in any case.

    Raises:
        OfficialFailure: the reply is no text, or the prefix no regular expression.
    """
    said = _text(reply, "the reply")
    for pattern in (rf"(?:{prefix})(.*)(?:\n|$)", r"(?:^)(.*)(?:\n|$)"):
        try:
            found = re.search(pattern, said, re.IGNORECASE)
        except re.error as cause:
            raise OfficialFailure(f"the prefix {prefix!r} is no regular expression: {cause}") from cause
        if found is not None:
            return re.sub(f"^{re.escape(prefix)}", "", found[1].strip(), flags=re.IGNORECASE).strip()
    raise AssertionError("the second pattern matches every text")


def alternatives(gold: Any) -> list[str]:
    """The golds of which the best counts: of a list whose first entry is a list, the entries of its entries.

    Raises:
        OfficialFailure: there are none, or not all of them are texts.
    """
    if isinstance(gold, str):
        return [gold]
    if not isinstance(gold, Sequence):
        raise OfficialFailure(f"the gold is {gold!r}; expected a text or a list of texts")
    nested = bool(gold) and isinstance(gold[0], list | tuple)
    found = [one for entry in gold for one in _entries(entry)] if nested else list(gold)
    if not found:
        raise OfficialFailure("there is no gold answer to compare with")
    return [_text(one, "a gold answer") for one in found]


def metrics(reply: Any, gold: Any) -> dict[str, float | bool]:
    """The seven metrics of a reply, each with the alternative that is best for it.

    Raises:
        OfficialFailure: reply or gold cannot be compared.
    """
    from heta_framework.common.text.rouge_stemmed import rouge_l_stemmed, rouge_lsum_stemmed

    golds = alternatives(gold)
    said = _text(reply, "the reply")
    lines = [rouge_l_stemmed(said, one) for one in golds]
    summaries = [rouge_lsum_stemmed(said, one) for one in golds]
    return {
        "exact_match": any(exact_match(said, one) for one in golds),
        "f1": max(f1(said, one).f1 for one in golds),
        "substring_exact_match": any(substring_match(said, one) for one in golds),
        "rougeL_f1": max(one.f1 for one in lines),
        "rougeL_recall": max(one.recall for one in lines),
        "rougeLsum_f1": max(one.f1 for one in summaries),
        "rougeLsum_recall": max(one.recall for one in summaries),
    }


def official_scores(reply: Any, gold: Any, source: str) -> dict[str, float | bool]:
    """What the official code gives a reply, by the rule that a part of the source's name picks.

    Recommendations (``recsys``) are scored in ``memoryagentbench_movies``.

    Raises:
        OfficialFailure: the official code raises an exception.
    """
    for part, rule in _RULES.items():
        if part in source:
            return rule(_text(reply, "the reply"), gold)
    return _best_reading(_text(reply, "the reply"), gold)


def official_metrics_of(source: str) -> tuple[str, ...]:
    """The names that ``official_scores`` gives for a source."""
    if "ruler_niah" in source:
        return (NEEDLE_RECALL,)
    return (*OFFICIAL_METRICS, EVENT_RECALL) if "eventqa" in source else OFFICIAL_METRICS


def read_text(reply: str, source: str) -> str:
    """The text that is scored second: the whole reply where needles are looked for."""
    return reply if "ruler_niah" in source else parsed(reply)


def _best_reading(reply: str, gold: Any) -> dict[str, float | bool]:
    whole, part = metrics(reply, gold), metrics(parsed(reply), gold)
    return {name: max(whole[name], part[name]) for name in whole}


def _parsed_alone(reply: str, gold: Any) -> dict[str, float | bool]:
    return metrics(parsed(reply), gold)


def _events(reply: str, gold: Any) -> dict[str, float | bool]:
    every = float(_share_within(reply, gold) == 1)
    return {**_best_reading(reply, gold), EVENT_RECALL: every}


def _needles(reply: str, gold: Any) -> dict[str, float | bool]:
    return {NEEDLE_RECALL: _share_within(reply, gold)}


def _choice(reply: str, gold: Any) -> dict[str, float | bool]:
    """The second gold, be it within a word, decides the substring match, and is as good as an exact one."""
    found = _best_reading(reply, gold)
    if len(gold) < 2:
        raise OfficialFailure(f"a choice needs two gold answers; found {len(gold)}")
    within = _text(gold[1], "the second gold answer").lower() in reply.lower()
    return {**found, "substring_exact_match": within, "exact_match": found["exact_match"] or within}


def _share_within(reply: str, gold: Any) -> float:
    """The share of the golds (of a text: of its characters) that stand in the reply, in any case."""
    golds = [_text(one, "a gold answer").lower() for one in _entries(gold)]
    if not golds:
        raise OfficialFailure("there is no gold answer to look for")
    return sum(one in reply.lower() for one in golds) / len(golds)


_RULES: Mapping[str, Callable[[str, Any], dict[str, float | bool]]] = {
    "eventqa": _events,
    "ruler_niah": _needles,
    "icl": _parsed_alone,
    "infbench_choice": _choice,
}


def _entries(value: Any) -> Sequence[Any]:
    if not isinstance(value, Sequence):
        raise OfficialFailure(f"found {value!r} where a list of texts is expected")
    return value


def _text(value: Any, what: str) -> str:
    if not isinstance(value, str):
        raise OfficialFailure(f"{what} is {value!r}; expected a text")
    return value
