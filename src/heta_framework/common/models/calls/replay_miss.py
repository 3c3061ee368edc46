"""Words for a call that a cassette does not hold: which recorded call comes nearest, and in what it differs."""

from heta_framework.common.models.calls.call import ModelCall
from heta_framework.common.models.calls.call_difference import CallIdentity, describe_difference
from heta_framework.common.models.calls.cassette_index import CassetteIndex
from heta_framework.common.models.calls.cassette_lines import cassette_lines
from heta_framework.common.models.calls.nearest_call import Sketch, finalists, likeness, sketch

_ADVICE = "Replay with what was recorded, or record again"
_MOST_EXPLAINED = 100
"""Where everything is missing, nobody reads more, and every search takes its time."""


class MissExplainer:
    """Explains misses of one cassette. The first one reads all of it and keeps sketches. For one thread."""

    def __init__(self, index: CassetteIndex) -> None:
        self._index = index
        self._lines = cassette_lines(index.path)
        self._sketches: list[tuple[int, Sketch]] | None = None
        self._explained = 0

    def explain(self, call: ModelCall) -> str:
        """Why ``call`` has no answer, and what comes nearest.

        Raises:
            CassetteError: the cassette is damaged, or cannot be read any more.
        """
        about = f"{self._index.path} holds no reply to this call ({call.model}, {call.role}, epoch {call.epoch})"
        self._explained += 1
        if self._explained > _MOST_EXPLAINED:
            return f"{about}; the nearest recorded one is named for the first {_MOST_EXPLAINED} misses alone. {_ADVICE}"
        if self._sketches is None:
            self._sketches = [(number, sketch(self._recorded(number))) for number in self._index.numbers]
        if not self._sketches:
            return f"{about}: it is empty"
        wanted = CallIdentity(call.kind, call.model, call.epoch, call.request)
        best = [(number, self._recorded(number)) for number in finalists(sketch(wanted), self._sketches)]
        number, found = max(best, key=lambda entry: likeness(wanted, entry[1]))
        difference = describe_difference(found, wanted)
        return f"{about}. The nearest recorded one is in line {number}; {difference}. {_ADVICE}"

    def _recorded(self, number: int) -> CallIdentity:
        record = self._index.record(number, self._lines)
        return CallIdentity(record.kind, record.model, record.epoch, record.request)
