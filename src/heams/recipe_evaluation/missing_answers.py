"""Says beforehand where answers are scored and none will be given: their measures would be 0 without a reason shown."""

from __future__ import annotations

from collections.abc import Iterator

from heams.recipe_evaluation.resolve import RecipeEvaluation

_COMPARE_ANSWERS = (
    "answer_contains",
    "answer_exact_match",
    "token_f1",
    "rouge_l",
    "numeric_match",
    "answer_correctness",
)
_ANSWERS_UNASKED = "heta_multihop_search"


def missing_answers(evaluation: RecipeEvaluation) -> str | None:
    """A sentence that names the measures and says what is lacking; None where nothing is."""
    measures = ", ".join(_answer_measures(evaluation))
    if not measures:
        return None
    if evaluation.recipe_settings.models.language is None:
        return f"no answer will be given, so these are 0 or unscored: {measures}. The recipe has no language model."
    if evaluation.benchmark_config.query_options.get("generate_answer"):
        return None
    silent = ", ".join(mode for mode in evaluation.experiments if mode != _ANSWERS_UNASKED)
    if not silent:
        return None
    return (
        f"no answer will be given in {silent}, so these are 0 or unscored: {measures}. "
        "`query_options: {generate_answer: true}` in the benchmark's file asks for answers."
    )


def _answer_measures(evaluation: RecipeEvaluation) -> Iterator[str]:
    chosen = evaluation.benchmark_config.evaluators
    if chosen is not None:
        yield from (choice.type for choice in chosen if choice.type in _COMPARE_ANSWERS)
        return
    for evaluator in evaluation.made.evaluators():
        if evaluator.name.startswith(_COMPARE_ANSWERS):
            yield evaluator.name
