"""Which policies can be put to the test by questions and answers whose verdict is known."""

from heta_framework.common.judge import JudgePolicy, LabelPolicy, ScalePolicy

_KNOWN_GAPS = frozenset({"question", "expected", "answer", "rubric_item"})


def why_untestable(policy: JudgePolicy) -> str | None:
    """What keeps a judge under ``policy`` from being calibrated; None where nothing does."""
    unknown = [gap for gap in policy.gaps if gap not in _KNOWN_GAPS]
    if unknown or "answer" not in policy.gaps or not isinstance(policy, LabelPolicy | ScalePolicy):
        shows = f"it shows {{{unknown[0]}}}" if unknown else "it judges no answers by a label or a number"
        return f"the policy {policy.name!r} cannot be calibrated by questions and answers: {shows}"
    if isinstance(policy, ScalePolicy) and policy.passes_from is None:
        return f"the policy {policy.name!r} knows no passing: give it 'passes_from'"
    if isinstance(policy, LabelPolicy) and not any(label.passes for label in policy.labels):
        return f"no label of the policy {policy.name!r} passes"
    return None
