"""The result of a rerank request, from indices and scores."""

from collections.abc import Iterable

from heta_framework.common.models.rerank.types import RerankItem, RerankRequest, RerankResult


def ranked(request: RerankRequest, pairs: Iterable[tuple[int, float]], model_name: str) -> RerankResult:
    """``pairs`` of index and score, best first, with the documents' texts where they are wanted."""
    with_text = request.options is not None and request.options.return_documents
    items = (RerankItem(index, score, request.documents[index] if with_text else None) for index, score in pairs)
    return RerankResult(rankings=tuple(items), model_name=model_name, trace_context=request.trace_context)
