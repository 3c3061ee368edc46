"""``hybrid_search``: several rankings of the same question, fused by weighted reciprocal rank."""

from __future__ import annotations

from dataclasses import dataclass, replace

from heta_framework.kb.search.asking_modes import ask_all, traces_of
from heta_framework.kb.search.assets import SearchAssetRef
from heta_framework.kb.search.base_modes import BASE_MODES, FEWEST_BASE_MODES, HYBRID
from heta_framework.kb.search.context import QueryContext
from heta_framework.kb.search.fusing import Ranking, fuse
from heta_framework.kb.search.issues import issues_of_all
from heta_framework.kb.search.options import (
    candidate_count,
    chosen_modes,
    mode_weights,
    passed_down,
    rrf_constant,
)
from heta_framework.kb.search.responding import respond
from heta_framework.kb.search.types import QueryRequest, QueryResponse, QueryResult, QueryTraceEvent

_FUSION = "weighted_rrf"
MODES_OPTION = "hybrid_modes"


@dataclass(frozen=True)
class HybridSearchEngine:
    """Asks every candidate mode that is available, at least two, and fuses what they find.

    Attributes:
        candidate_modes: those that can take part; the option ``hybrid_modes`` narrows them for one query.
        language_model: the name of the model that answers; None for the recipe's own.
    """

    mode: str = HYBRID
    candidate_modes: tuple[str, ...] = BASE_MODES
    language_model: str | None = None

    @property
    def required_assets(self) -> frozenset[SearchAssetRef]:
        """None of its own: the modes that it asks know what they need."""
        return frozenset()

    @property
    def base_modes(self) -> tuple[str, ...]:
        """The modes that it can ask."""
        return self.candidate_modes

    @property
    def fewest_base_modes(self) -> int:
        """How many of them it needs."""
        return FEWEST_BASE_MODES

    async def query(self, request: QueryRequest, context: QueryContext) -> QueryResponse:
        """Ask the candidate modes concurrently and fuse.

        Raises:
            ValueError: an option is wrong, or leaves fewer than two modes.
        """
        modes = self._modes(request, context)
        weights = mode_weights(request.options, "hybrid_weights", modes, self.candidate_modes)
        count = candidate_count(request)
        asked = passed_down(request, top_k=count)
        responses = await ask_all(context, [(mode, asked) for mode in modes])
        rankings = [
            Ranking(mode, response.results, weights[mode]) for mode, response in zip(modes, responses, strict=True)
        ]
        fused = fuse(rankings, k=rrf_constant(request), top_k=request.top_k, score_name="hybrid_score")
        metadata = {"candidate_modes": modes, "candidate_top_k": count, "weights": weights, "fusion": _FUSION}
        event = QueryTraceEvent(
            self.mode, f"Fused the results of {', '.join(modes)}.", {**metadata, "result_count": len(fused)}
        )
        return await respond(
            request,
            context,
            mode=self.mode,
            results=[_marked(result) for result in fused],
            metadata=metadata,
            trace=(*traces_of(responses), event),
            issues=issues_of_all(responses),
            language_model=self.language_model,
        )

    def _modes(self, request: QueryRequest, context: QueryContext) -> tuple[str, ...]:
        chosen = chosen_modes(request.options, MODES_OPTION, self.candidate_modes)
        modes = context.available(chosen or self.candidate_modes)
        if len(modes) < FEWEST_BASE_MODES:
            asked = ", ".join(chosen or self.candidate_modes)
            have = ", ".join(modes) or "none"
            raise ValueError(f"{self.mode} fuses at least {FEWEST_BASE_MODES} modes; of {asked} available: {have}")
        return modes


def _marked(result: QueryResult) -> QueryResult:
    return replace(result, metadata={**result.metadata, "fusion": _FUSION})
