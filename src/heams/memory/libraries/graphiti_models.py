"""graphiti's clients for the models of a seat."""

from typing import TYPE_CHECKING, Any

from heams.memory.libraries.graphiti_library import load_graphiti
from heta_framework.common.models.gateway import Seat

if TYPE_CHECKING:
    from heams.memory.graphiti import GraphitiMemoryConfig

_WHOLE_VECTORS = 1_000_000
"""graphiti cuts vectors to a length that it takes from the environment."""


def seat_models(config: "GraphitiMemoryConfig", client: Any, seat: Seat) -> dict[str, Any]:
    """Language model, embedder and cross-encoder over one OpenAI client."""
    library = load_graphiti()
    named = library.llm_config.LLMConfig(api_key=seat.api_key, model=config.llm_name, base_url=seat.base_url)
    return {
        "llm_client": library.llm_client.OpenAIGenericClient(
            named, client=client, structured_output_mode=config.structured_output
        ),
        "embedder": library.embedder.OpenAIEmbedder(
            library.embedder.OpenAIEmbedderConfig(embedding_dim=_WHOLE_VECTORS), client=client
        ),
        "cross_encoder": _cross_encoder(client),
    }


def _cross_encoder(client: Any) -> Any:
    class SeatReranker(load_graphiti().cross_encoder.CrossEncoderClient):  # type: ignore[misc]
        """The seat's reranker; asked only where one is configured."""

        async def rank(self, query: str, passages: list[str]) -> list[tuple[str, float]]:
            if not passages:
                return []
            body = {"model": "seat", "query": query, "documents": passages}
            reply = await client.post("/rerank", cast_to=dict[str, Any], body=body)
            ranked = [(passages[row["index"]], float(row["relevance_score"])) for row in reply["results"]]
            return sorted(ranked, key=lambda pair: pair[1], reverse=True)

    return SeatReranker()
