"""The configuration of ``knowledge_base``."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, JsonValue, Tag

from heams.completion import Completion
from heams.memory.governance.policy import Access, Retention, Screening
from heams.query_options import query_option_problems
from heta_framework.common.config import ConfigError, ConfigProblem, WholeNumber, YamlDocument, load_yaml
from heta_framework.kb.recipe_file.settings import RecipeSettings

DocumentUnit = Literal["event", "session"]


def _written_as(recipe: Any) -> str:
    return "inline" if isinstance(recipe, Mapping | BaseModel) else "file"


RecipeChoice = Annotated[
    Annotated[Path, Tag("file")] | Annotated[RecipeSettings, Tag("inline")], Discriminator(_written_as)
]


class KnowledgeBaseMemoryConfig(BaseModel):
    """A knowledge base that is built from what is heard, and asked in one of its query modes."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    type: Literal["knowledge_base"] = "knowledge_base"
    recipe: RecipeChoice = Field(description="A recipe file, or a recipe as a mapping.")
    mode: str = Field(default="hybrid_search", description="The query mode in which it is asked.")
    document: DocumentUnit = Field(
        default="event", description="What becomes one document: an event, or all events of a session."
    )
    top_k: WholeNumber = Field(default=20, ge=1, description="The most items of a recall that names no limit.")
    query_options: Mapping[str, JsonValue] = Field(
        default_factory=dict, description="Options of the query mode, such as rrf_k or max_rounds."
    )
    retention: Retention = None
    access: Access = None
    screening: Screening = None

    @property
    def recipe_settings(self) -> RecipeSettings:
        """The recipe itself, read from its file where that was not done before.

        Raises:
            ConfigError: the recipe cannot be used.
        """
        from heta_framework.kb.recipe_file import read_recipe

        return self.recipe if isinstance(self.recipe, RecipeSettings) else read_recipe(load_yaml(self.recipe))

    def completed(self, document: YamlDocument, env: Mapping[str, str]) -> Completion:
        """The configuration with its recipe in the place of the file's path; see ``heams.completion``.

        Raises:
            ConfigError: the recipe cannot be used, cannot serve ``mode``, or keeps things outside the memory's folder,
                or no mode has one of the options.
        """
        from heta_framework.kb.recipe_file import read_recipe

        inline = isinstance(self.recipe, RecipeSettings)
        written = document.sub(("recipe",)) if inline else load_yaml(self.recipe, env=env)  # type: ignore[arg-type]
        recipe = read_recipe(written)
        problems = [
            *self._mode_problems(document, recipe),
            *query_option_problems(document, self.query_options),
            *_place_problems(written, recipe),
        ]
        if problems:
            raise ConfigError(problems)
        whole = self.model_copy(update={"recipe": recipe})
        return Completion(whole, () if inline else (written,), tuple(recipe.stores.secrets(env)))

    def _mode_problems(self, document: YamlDocument, recipe: RecipeSettings) -> Iterator[ConfigProblem]:
        from heta_framework.kb.recipe_file import mode_problem

        problem = mode_problem(recipe, self.mode)
        if problem:
            yield document.problem(("mode",), problem)


def _place_problems(written: YamlDocument, recipe: RecipeSettings) -> Iterator[ConfigProblem]:
    """A memory has a folder of its own, which is copied with it and goes with it."""
    for slot, store in recipe.stores.by_slot().items():
        path = getattr(store, "path", None)
        if path is not None and not _stays_inside(path):
            message = (
                f"found {path!r}; a memory keeps its files in a folder of its own: write a relative path without '..'"
            )
            yield written.problem(("stores", slot, "path"), message)


def _stays_inside(path: str) -> bool:
    return not Path(path).is_absolute() and not {"..", "~"} & {*Path(path).parts}
