"""The judge that is calibrated: its configuration file, and whether its policy can be put to the test."""

from dataclasses import dataclass
from pathlib import Path

from heams.calibration.cases import Case
from heams.calibration.testable import why_untestable
from heams.evaluation.llm_judge_config import LLMJudgeEvaluatorConfig
from heams.orchestration.errors import RunRefused
from heta_framework.common.config import load_yaml, validate
from heta_framework.common.judge import JudgePolicy, LabelPolicy, Material, ScalePolicy


@dataclass(frozen=True, slots=True)
class Subject:
    """A judge's configuration with the one policy that it judges by."""

    config: LLMJudgeEvaluatorConfig
    policy: LabelPolicy | ScalePolicy

    @property
    def accepting(self) -> tuple[str, str]:
        """Field and value, as JSON, of a reply that accepts: what an injected verdict looks like."""
        if isinstance(self.policy, ScalePolicy):
            return "score", f"{self.policy.high:g}"
        return "verdict", f'"{next(label.name for label in self.policy.labels if label.passes)}"'

    def material(self, question: str, expected: tuple[str, ...], answer: str) -> Material:
        """What the judge is shown; a rubric item is made of the expected answer."""
        gold = expected[0] if len(expected) == 1 else expected
        shown = {
            "question": question,
            "expected": gold,
            "answer": answer,
            "rubric_item": f"The answer states: {' or: '.join(expected)}",
        }
        return {gap: shown[gap] for gap in self.policy.gaps}

    def material_of(self, case: Case) -> Material:
        """What the judge is shown of a case."""
        return self.material(case.question, case.expected, case.answer)


def read_subject(path: Path) -> Subject:
    """The judge of a YAML file, in the form that ``evaluators`` of a benchmark have.

    Raises:
        ConfigError: the file is wrong.
        RunRefused: its policy cannot be calibrated by questions and answers.
    """
    config = validate(load_yaml(path), LLMJudgeEvaluatorConfig)
    if len(config.policies) > 1:
        members = ", ".join(config.policies)
        raise RunRefused(f"{path}: {config.policy_name!r} is a family of policies; calibrate one of them: {members}")
    return Subject(config, _testable(next(iter(config.policies.values())), path))


def _testable(policy: JudgePolicy, path: Path) -> LabelPolicy | ScalePolicy:
    problem = why_untestable(policy)
    if problem is not None or not isinstance(policy, LabelPolicy | ScalePolicy):
        raise RunRefused(f"{path}: {problem}")
    return policy
