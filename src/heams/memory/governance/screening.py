"""What a memory does not take from sources that it does not trust: texts that tell it, or its reader, what to do."""

from collections.abc import Sequence

from heams.memory.base import MemoryEvent
from heams.memory.governance.policy import ScreeningPolicy
from heta_framework.common.text.anchors import anchor_tokens


class Screen:
    """Tells what is let in from what is quarantined: the whole event, for what it plants may stand beside the phrase.

    Phrases are found as whole words in any spelling that ``common.text.anchors`` knows, articles left out.
    """

    def __init__(self, policy: ScreeningPolicy) -> None:
        self._policy = policy
        self._phrases = [found for phrase in policy.phrases if (found := _spaced(phrase)).strip()]

    def admitted(self, events: Sequence[MemoryEvent]) -> list[MemoryEvent]:
        """The events that may be written, in their order."""
        return [event for event in events if self._trusts(event) or not self._instructs(event.content)]

    def _trusts(self, event: MemoryEvent) -> bool:
        if event.metadata.get("source") in self._policy.trusted_sources:
            return True
        return event.role in self._policy.trusted_roles and event.kind in self._policy.trusted_kinds

    def _instructs(self, content: str) -> bool:
        words = _spaced(content)
        return any(phrase in words for phrase in self._phrases)


def _spaced(text: str) -> str:
    return f" {' '.join(anchor_tokens(text))} "
