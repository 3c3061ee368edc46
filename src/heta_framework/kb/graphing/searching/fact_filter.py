"""Recognition memory: a language model picks from the facts that a search brought up those that a question is about.

HippoRAG 2 (arXiv 2502.14802, section 3) filters the facts that become the seeds of its walk in this way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from heta_framework.kb.graphing.asking import NoUsableReplyError, Reply, UnusableReplyError, ask_until_usable
from heta_framework.kb.graphing.prompts import graph_prompt
from heta_framework.kb.search.issues import QueryIssue, issue

if TYPE_CHECKING:
    from heta_framework.common.models.language.protocol import LanguageModelProtocol

_ATTEMPTS = 2


async def relevant_facts(
    model: LanguageModelProtocol, question: str, facts: list[str], *, mode: str
) -> tuple[list[int], QueryIssue | None]:
    """Positions of the facts that help; all of them, and an issue, where the model gives no usable reply."""

    def read(reply: Reply) -> list[int]:
        return _positions(reply, len(facts))

    try:
        chosen = await ask_until_usable(
            model,
            graph_prompt("filter_facts"),
            {"question": question, "facts": facts},
            read,
            keys=("relevant",),
            trace_context={"query_mode": mode, "stage": "fact_filter"},
            max_attempts=_ATTEMPTS,
            temperature=0.0,
        )
    except NoUsableReplyError as error:
        problem = issue("fact_filter_failed", f"The facts were not filtered: {error}.", "kept_all_facts")
        return list(range(len(facts))), problem
    return chosen, None


def _positions(reply: Reply, count: int) -> list[int]:
    numbers = reply.get("relevant")
    if not isinstance(numbers, list):
        raise UnusableReplyError('"relevant" must be a list of numbers')
    whole = [int(one) for one in numbers if isinstance(one, int | str) and str(one).strip().isdecimal()]
    positions = list(dict.fromkeys(number - 1 for number in whole if 1 <= number <= count))
    if numbers and not positions:
        raise UnusableReplyError(f'"relevant" must hold numbers from 1 to {count}')
    return positions
