"""Which way of extraction a recipe gets."""

from __future__ import annotations

from typing import Literal, get_args

from heta_framework.kb.components import model_ref
from heta_framework.kb.context import StepExecutionContext
from heta_framework.kb.errors import StepError
from heta_framework.kb.graphing.extracting.extractor import GraphExtractor

Extraction = Literal["auto", "model", "lexical", "spacy"]


def checked_extraction(extraction: str) -> None:
    """Raise ValueError, which lists the ways, where it is none of them."""
    if extraction not in get_args(Extraction):
        raise ValueError(f"extraction must be one of: {', '.join(get_args(Extraction))}; found {extraction!r}")


def extractor_for(
    context: StepExecutionContext,
    *,
    step: str,
    extraction: Extraction,
    language_model: str | None,
    spacy_pipeline: str,
    max_attempts: int,
    temperature: float,
) -> GraphExtractor:
    """The extractor; ``auto`` is the recipe's language model, or lexical where it has none.

    Raises:
        StepError: ``model`` is asked for, or a model is named, and the recipe has none.
        ModuleNotFoundError, ValueError: ``spacy`` is asked for and not installed.
    """
    ref = model_ref("language", language_model)
    has_model = context.recipe.has_component(ref)
    if extraction == "spacy":
        from heta_framework.kb.graphing.extracting.spacy_extractor import SpacyExtractor

        return SpacyExtractor(spacy_pipeline)
    if extraction == "model" or (extraction == "auto" and (has_model or language_model is not None)):
        from heta_framework.kb.graphing.extracting.model_extractor import ModelExtractor

        if not has_model:
            raise StepError(f'the recipe has no {ref.key}; give it one, or set extraction="lexical"')
        model = context.get_component(ref.key)
        return ModelExtractor(model, step=step, max_attempts=max_attempts, temperature=temperature)
    from heta_framework.kb.graphing.extracting.lexical_extractor import LexicalExtractor

    return LexicalExtractor()
