"""A judge: one model or a panel of several, each with one or more votes, under one policy."""

from collections.abc import Sequence

from heta_framework.common.judge.aggregation import Tie, aggregate
from heta_framework.common.judge.fencing import Material
from heta_framework.common.judge.judgement import Judgement, Vote
from heta_framework.common.judge.policy import ClaimsPolicy, JudgePolicy, ListPolicy
from heta_framework.common.judge.prompting import JudgePrompt, judge_prompt, policy_hash
from heta_framework.common.judge.reading import Unreadable, read_reply
from heta_framework.common.models.errors import CallFailed, ModelError, ModelRequestError, ModelResponseError
from heta_framework.common.models.language.protocol import LanguageModelProtocol
from heta_framework.common.models.language.types import ModelRequest, ModelResult
from heta_framework.common.models.many import in_order

LONGEST_RAW = 4_000
"""Characters that are kept of a reply."""
_REFUSED_FOR_GOOD = (400, 413, 422)
"""HTTP statuses of requests that no endpoint will answer, however often they are made."""


class Judge:
    """Asks every model ``votes`` times and makes one verdict of the answers.

    A reply that cannot be read is asked for again, at most ``reminders`` times; then the vote is not readable. A model
    that cannot be reached costs its votes, not the judgement.
    """

    def __init__(
        self,
        policy: JudgePolicy,
        models: Sequence[LanguageModelProtocol],
        *,
        votes: int = 1,
        tie: Tie = "unscored",
        reminders: int = 2,
    ) -> None:
        if not models:
            raise ValueError("a judge needs at least one model")
        if votes < 1 or reminders < 0:
            raise ValueError(f"votes must be at least 1 and reminders at least 0; found {votes} and {reminders}")
        self.policy = policy
        self.policy_hash = policy_hash(policy)
        self._models = tuple(models)
        self._votes = votes
        self._tie: Tie = tie
        self._reminders = reminders

    @property
    def model_names(self) -> tuple[str, ...]:
        """The models that vote, in order."""
        return tuple(model.model_name for model in self._models)

    async def ask(self, material: Material) -> Judgement:
        """The verdict on ``material``: what the gaps of the policy's prompt are filled with.

        Raises:
            KeyError: a gap has no material.
            CostLimitReached, ReplayMiss, ModelSetupError: no call can be made.
        """
        prompt = judge_prompt(self.policy, material)
        asked = [
            self._vote(model, prompt, number, before + number)
            for model, before in zip(self._models, self._votes_before(), strict=True)
            for number in range(self._votes)
        ]
        votes = tuple(await in_order(asked))
        return Judgement(
            policy=self.policy.name,
            policy_version=self.policy.version,
            policy_hash=self.policy_hash,
            prompt_hash=prompt.prompt_hash,
            models=self.model_names,
            votes=votes,
            **aggregate(self.policy, votes, self._tie, _entries(self.policy, material)),
        )

    def _votes_before(self) -> list[int]:
        """How often each model is asked by an earlier member of that name, so that no cache answers for both."""
        return [self._votes * self.model_names[:place].count(name) for place, name in enumerate(self.model_names)]

    async def _vote(self, model: LanguageModelProtocol, prompt: JudgePrompt, number: int, repetition: int) -> Vote:
        raw: list[str] = []
        failures: list[str] = []
        asked, reached = prompt.prompt, True
        for attempt in range(self._reminders + 1):
            try:
                result = await model.invoke(_request(prompt, asked, repetition))
            except ModelError as error:
                failures.append(_without_answer(error))
                reached = not _may_answer_later(error)
                break
            raw.append(_bounded(result.text))
            reading = read_reply(self.policy, _said(result), prompt.material)
            if not isinstance(reading, Unreadable):
                return Vote(
                    model=model.model_name,
                    number=number,
                    readable=True,
                    value=reading.value,
                    label=reading.label,
                    chosen=reading.chosen,
                    claims=reading.claims,
                    reason=_bounded(reading.reason),
                    raw=tuple(raw),
                    failures=tuple(failures),
                )
            failures.append(_problem(reading, result))
            asked = prompt.reminded(attempt + 1, reading.problem)
        return Vote(
            model=model.model_name,
            number=number,
            readable=False,
            raw=tuple(raw),
            failures=tuple(failures),
            reached=reached,
        )


def _request(prompt: JudgePrompt, asked: str, vote: int) -> ModelRequest:
    return ModelRequest(
        prompt=asked,
        system_prompt=prompt.system,
        response_schema=prompt.schema,
        trace_context={"stage": "judge"},
        vote=vote,
    )


def _said(result: ModelResult) -> str:
    """The text of an answer; where a provider gave only parsed output, that as text."""
    if result.text.strip() or result.parsed is None:
        return result.text
    import json

    return json.dumps(result.parsed, ensure_ascii=False, default=str)


def _problem(unreadable: Unreadable, result: ModelResult) -> str:
    cut = " (cut off at 'max_tokens')" if result.finish_reason == "length" else ""
    return f"unreadable reply: {unreadable.problem}{cut}"


def _without_answer(error: ModelError) -> str:
    kind = "unusable answer" if isinstance(error, ModelResponseError) else "no answer"
    return f"{kind}: {_bounded(str(error), 300)}"


def _may_answer_later(error: ModelError) -> bool:
    """Whether the endpoint is to blame, and not what it was asked."""
    cause = error.__cause__
    refused = isinstance(cause, CallFailed) and cause.status in _REFUSED_FOR_GOOD
    return isinstance(error, ModelRequestError) and not refused


def _bounded(text: str, longest: int = LONGEST_RAW) -> str:
    from heta_framework.common.text.surrogates import replace_surrogates

    sound = replace_surrogates(text)
    return sound if len(sound) <= longest else f"{sound[:longest]} ... ({len(sound):,} characters)"


def _entries(policy: JudgePolicy, material: Material) -> int:
    if not isinstance(policy, ListPolicy | ClaimsPolicy):
        return 0
    entries = material[policy.items]
    return 1 if isinstance(entries, str) else len(entries)
