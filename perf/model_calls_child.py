"""Makes model calls in a process of its own, so that its CPU time is theirs, and prints one line of JSON.

``direct``: a request of pydantic-ai through the whole call path. ``bare``: the same request without the path, by
pydantic-ai and the provider's client alone. Every call asks for something else. `wall` and `cpu` (user and system) are
seconds around all calls, after a few that load everything and open connections.
"""

import argparse
import asyncio
import json
import os
import time
from collections.abc import Callable

from pydantic_ai.direct import model_request
from pydantic_ai.messages import ModelRequest
from pydantic_ai.models import Model

from heta_framework.common.models.settings import LanguageModelConfig
from perf.peak_memory import peak_mb

WARM_UP = 5
NAME = "openai:measured"


def path_model(base_url: str, concurrency: int) -> Model:
    """Our model over the call path."""
    from heta_framework.common.models.providers.chat import PathModel

    return PathModel(LanguageModelConfig(model=NAME, base_url=base_url, max_concurrency=concurrency))


def bare_model(base_url: str, concurrency: int) -> Model:
    """pydantic-ai's own model, with the same client that the path uses."""
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    from heta_framework.common.models.providers.clients import openai_client

    config = LanguageModelConfig(model=NAME, base_url=base_url, max_concurrency=concurrency)
    client = openai_client(config, os.environ["OPENAI_API_KEY"])
    return OpenAIChatModel("measured", provider=OpenAIProvider(openai_client=client))


MODELS: dict[str, Callable[[str, int], Model]] = {"direct": path_model, "bare": bare_model}


async def ask_all(model: Model, count: int, concurrency: int, what: str) -> int:
    """All calls, so many at once; how many were answered as they should be."""
    limit = asyncio.Semaphore(concurrency)

    async def ask(number: int) -> bool:
        words = f"{what} {number}"
        async with limit:
            return (await model_request(model, [ModelRequest.user_text_prompt(words)])).text == words

    return sum(await asyncio.gather(*[ask(number) for number in range(count)]))


async def main() -> None:
    """Make the calls that the command line names."""
    parser = argparse.ArgumentParser()
    parser.add_argument("way", choices=list(MODELS))
    parser.add_argument("--calls", type=int, required=True)
    parser.add_argument("--concurrency", type=int, required=True)
    parser.add_argument("--base-url", required=True)
    options = parser.parse_args()
    model = MODELS[options.way](options.base_url, options.concurrency)
    await ask_all(model, WARM_UP, WARM_UP, "warm-up")
    wall, cpu = time.perf_counter(), time.process_time()
    at_once = options.concurrency if options.way == "bare" else options.calls  # the path holds them back by itself
    answered = await ask_all(model, options.calls, at_once, "question")
    measured = {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu, "peak_mb": peak_mb()}
    if answered != options.calls:
        raise SystemExit(f"only {answered} of {options.calls} calls were answered")
    print(json.dumps(measured))


if __name__ == "__main__":
    os.environ["OPENAI_API_KEY"] = "measured"
    asyncio.run(main())
