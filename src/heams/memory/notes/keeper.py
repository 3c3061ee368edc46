"""The model at the desk: it calls tools until it says that it is done."""

from typing import Any

import pydantic_ai
from pydantic_ai.exceptions import UnexpectedModelBehavior, UsageLimitExceeded
from pydantic_ai.models import Model
from pydantic_ai.usage import UsageLimits

from heams.memory.notes.config import NotesMemoryConfig
from heams.memory.notes.desk import Desk
from heams.memory.notes.tools import FORGETTING, desk_toolset
from heta_framework.common.models.errors import CallFailed, ModelRequestError, ModelResponseError
from heta_framework.common.text.surrogates import replace_surrogates

_WORDS: Any = str | None
"""None lets a model end without a word."""


class NothingDone(ModelResponseError):  # noqa: N818 - reads as what happened
    """The model used up its steps, or ended in disorder, and changed nothing."""


class NoteKeeper:
    """Two agents over one model: one that keeps notes, and one that takes something out of them."""

    def __init__(self, config: NotesMemoryConfig, model: Model) -> None:
        pydantic_ai.BANNER_ENABLED = False
        self._limits = UsageLimits(request_limit=config.step_limit)
        forgetting = {name: config.tools[name] for name in FORGETTING}
        self._keeping = _agent(model, config, config.policy, dict(config.tools))
        self._forgetting = _agent(model, config, config.forget_policy, forgetting)

    async def keep(self, prompt: str, desk: Desk) -> None:
        """Let the model write down what it is shown.

        Raises:
            NothingDone: it used up its steps or ended in disorder, and changed nothing.
            ModelRequestError, ModelResponseError, CostLimitReached, ReplayMiss: the model could not be asked.
        """
        await self._work(self._keeping, prompt, desk)

    async def forget(self, prompt: str, desk: Desk) -> None:
        """Let the model take out what it is shown. Raises what ``keep`` raises."""
        await self._work(self._forgetting, prompt, desk)

    async def _work(self, agent: "pydantic_ai.Agent[Desk, str | None]", prompt: str, desk: Desk) -> None:
        before = desk.state()
        try:
            await agent.run(replace_surrogates(prompt), deps=desk, usage_limits=self._limits)
        except CallFailed as failure:
            raised = ModelResponseError if failure.kind == "response" else ModelRequestError
            raise raised(f"the model could not be asked: {failure}") from failure
        except (UsageLimitExceeded, UnexpectedModelBehavior) as end:
            if desk.state() == before:
                raise NothingDone(f"the model ended without a change to the notes: {end}") from end


def _agent(
    model: Model, config: NotesMemoryConfig, policy: str, tools: dict[Any, str]
) -> "pydantic_ai.Agent[Desk, str | None]":
    return pydantic_ai.Agent(
        model,
        name=config.type,
        output_type=_WORDS,
        instructions=replace_surrogates(policy),
        deps_type=Desk,
        # a wrong call is answered with what is wrong; the step limit ends a model that does not learn
        retries={"tools": config.step_limit, "output": 0},
        toolsets=[desk_toolset(tools)],
    )
