"""From a live outcome to the models that are saved."""

from collections.abc import Sequence

from heams.orchestration.projected_changes import saved_change
from heams.orchestration.results import SavedRecall, SavedWrite, Timings, TranscriptStep
from heams.scenarios.outcome import Recall, ScenarioOutcome, Step
from heta_framework.common.durable_lines import TextBook


def transcript_of(outcome: ScenarioOutcome, texts: TextBook) -> tuple[TranscriptStep, ...]:
    """The steps as they are saved; texts of recalled items go to the text book."""
    return tuple(_saved_step(step, texts) for step in outcome.steps)


def timings_of(steps: Sequence[Step], *, opened: float, evaluated: float, total: float) -> Timings:
    """Seconds per phase: opening the memory, answering (recall included), evaluating."""
    return Timings(
        open=opened,
        answer=sum(step.seconds for step in steps),
        recall=sum(recall.seconds for step in steps for recall in step.recalls),
        evaluate=evaluated,
        total=total,
    )


def _saved_step(step: Step, texts: TextBook) -> TranscriptStep:
    return TranscriptStep(
        index=step.index,
        action=step.action.model_dump(mode="json", exclude_none=True),
        status=step.status,
        at=step.at,
        principal=step.principal,
        reply=step.reply,
        reply_metadata=step.reply_metadata or None,
        tool_calls=tuple(step.tool_calls) or None,
        recalls=tuple(_saved_recall(recall, texts) for recall in step.recalls) or None,
        writes=tuple(SavedWrite(id=write.id, content=write.content) for write in step.writes) or None,
        receipt=step.receipt,
        dump=tuple(step.dump) if step.dump is not None else None,
        memory_change=saved_change(step.memory_change, texts) if step.memory_change is not None else None,
        note=step.note,
        usage=step.usage or None,
        seconds=step.seconds,
        waited=step.waited,
    )


def _saved_recall(recall: Recall, texts: TextBook) -> SavedRecall:
    return SavedRecall(
        query=recall.query,
        ids=tuple(item.id for item in recall.items),
        scores=tuple(item.score for item in recall.items),
        tokens=tuple(recall.tokens),
        texts=tuple(texts.id_of(item.text) for item in recall.items),
        withheld=recall.withheld,
        seconds=recall.seconds,
        waited=recall.waited,
    )
