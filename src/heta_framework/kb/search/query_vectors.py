"""The vector of a question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from heta_framework.kb.search.issues import QueryIssue, issue

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from heta_framework.common.models.embedding.protocol import EmbeddingModelProtocol


async def question_vector(model: EmbeddingModelProtocol, text: str, mode: str) -> npt.NDArray[np.float32] | None:
    """The vector, float32 (dimension,); None where the model has none for the text (a zero vector points nowhere).

    Raises:
        BadVectorError: the model's answer is not one finite vector.
        EmbeddingError: the model failed.
    """
    from heta_framework.common.models.embedding.rows import embed_rows

    row: npt.NDArray[np.float32] = (await embed_rows(model, [text], {"query_mode": mode}))[0]
    return row if row.any() else None


def no_vector_issue(model: EmbeddingModelProtocol) -> QueryIssue:
    """What a mode reports that found nothing because the question has no vector."""
    return issue(
        "question_without_embedding",
        f"{model.model_name} has no vector for this question: it holds no token that the model knows.",
        "returned_no_results",
    )
