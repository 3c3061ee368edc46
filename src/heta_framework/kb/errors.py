"""What can go wrong with a knowledge base as a whole.

RuntimeError
├── KnowledgeBaseAlreadyExistsError   the name is taken by a finished knowledge base
├── KnowledgeBaseBusyError            another build, update or deletion of it is going on
├── KnowledgeBaseNotFoundError        there is none of that name
├── KnowledgeBaseNotReadyError        its build did not finish
├── KnowledgeBuildError               a step failed
└── StepError                         what a step may raise to say at which document it failed
ValueError
├── RecipeMismatchError               the recipe is not the one that built it
└── RecipeValidationError             the recipe cannot run (in `heta_framework.kb.validation`)
LookupError
└── MissingComponentError             a component is not in the recipe (in `heta_framework.kb.components`)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from heta_framework.kb.run_record import RecipeRunRecord


class KnowledgeBaseAlreadyExistsError(RuntimeError):
    """A finished knowledge base has this name."""


class KnowledgeBaseBusyError(RuntimeError):
    """Another build, update or deletion of this knowledge base is going on."""


class KnowledgeBaseNotFoundError(RuntimeError):
    """The object store holds no knowledge base of this name."""


class KnowledgeBaseNotReadyError(RuntimeError):
    """The knowledge base's build did not finish."""


class RecipeMismatchError(ValueError):
    """The recipe differs from the one that built the knowledge base in a way that would give wrong results."""


class StepError(RuntimeError):
    """A step failed.

    Attributes:
        document: id or key of the document at which it failed, where the step knows it.
    """

    def __init__(self, message: str, *, document: str | None = None) -> None:
        super().__init__(message)
        self.document = document


class KnowledgeBuildError(RuntimeError):
    """A build or an update failed in a step; ``__cause__`` is what the step raised.

    Attributes:
        step: the step's name.
        document: the document at which it failed, where the step said so.
        run_record: the run so far; the next build of this knowledge base resumes it.
    """

    def __init__(
        self, message: str, *, step: str, document: str | None = None, run_record: RecipeRunRecord | None = None
    ) -> None:
        super().__init__(message)
        self.step = step
        self.document = document
        self.run_record = run_record
