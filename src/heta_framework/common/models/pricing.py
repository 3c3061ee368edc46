"""What a reply costs: by the prices of the configuration, else by the list prices that come with pydantic-ai."""

from heta_framework.common.models.settings import EndpointConfig, Prices, split_model

PER_MILLION = 1_000_000


def cost_of(
    endpoint: EndpointConfig, *, input_tokens: int, output_tokens: int = 0, cached_tokens: int = 0
) -> float | None:
    """USD for one reply; None where no price is known. ``cached_tokens`` are part of ``input_tokens``.

    A list price holds for a provider's own endpoint alone: what another endpoint charges for a model of the same name
    is unknown until ``prices`` say it.
    """
    cached = min(cached_tokens, input_tokens)
    if endpoint.prices is not None:
        return _by_prices(endpoint.prices, input_tokens, output_tokens, cached)
    if endpoint.resolved_base_url():
        return None
    return _by_list(endpoint.model_id, input_tokens, output_tokens, cached)


def has_price(endpoint: EndpointConfig) -> bool:
    """Whether replies of this endpoint have a known cost."""
    return cost_of(endpoint, input_tokens=1, output_tokens=1) is not None


def _by_prices(prices: Prices, input_tokens: int, output_tokens: int, cached: int) -> float:
    cached_price = prices.input if prices.cached_input is None else prices.cached_input
    spent = (input_tokens - cached) * prices.input + cached * cached_price + output_tokens * prices.output
    return spent / PER_MILLION


def _by_list(model_id: str, input_tokens: int, output_tokens: int, cached: int) -> float | None:
    from genai_prices import Usage, calc_price

    provider, model = split_model(model_id)
    usage = Usage(input_tokens=input_tokens, output_tokens=output_tokens, cache_read_tokens=cached)
    try:
        return float(calc_price(usage, model_ref=model, provider_id=provider).total_price)
    except LookupError:
        return None
