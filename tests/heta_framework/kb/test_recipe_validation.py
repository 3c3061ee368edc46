"""A recipe is checked before anything runs, and the messages name the step and what was probably meant."""

from typing import Any

import pytest
from tiny_recipes import Probe, SharedStores

from heta_framework.kb import (
    ComponentRef,
    KnowledgeModels,
    KnowledgeRecipe,
    KnowledgeRecipeManifest,
    KnowledgeStores,
    MissingComponentError,
    RecipeValidationError,
    SearchAsset,
    StepCapabilities,
    StepRequirements,
    model_ref,
    store_ref,
)


class Step(Probe):
    """A step with any needs and gifts."""

    def __init__(
        self, name: str, *, components: Any = (), artifacts: Any = (), queries: Any = (), **gives: Any
    ) -> None:
        super().__init__(name)
        self.requirements = StepRequirements(components, artifacts, queries)
        self.capabilities = StepCapabilities(**gives)


class Pair:
    """A procedure of two steps."""

    name = "pair"

    def steps(self) -> tuple[Step, ...]:
        return (Step("first"), Step("second"))


def test_the_steps_of_a_procedure_stand_in_its_place() -> None:
    recipe = KnowledgeRecipe(steps=(Step("before"), Pair(), Step("after")))
    assert [step.name for step in recipe.expanded_steps()] == ["before", "first", "second", "after"]


def test_what_is_no_step_is_refused_by_its_type() -> None:
    with pytest.raises(TypeError, match="steps and procedures, found int"):
        KnowledgeRecipe(steps=(3,)).expanded_steps()  # type: ignore[arg-type]


def test_components_are_found_by_slot_and_by_name() -> None:
    recipe = KnowledgeRecipe(
        models=KnowledgeModels(language="big", named={"language.cheap": "small", "tiny": "tinier"}),
        stores=KnowledgeStores(objects="objects"),
    )
    assert recipe.component_at("models.language") == "big"
    assert recipe.component_at("models.language.cheap") == "small"
    assert recipe.get_component(model_ref("embedding", "tiny")) == "tinier"
    assert recipe.has_component(store_ref("objects"))
    assert not recipe.has_component(store_ref("vector"))
    assert not recipe.has_component(ComponentRef("nothing", "objects"))  # type: ignore[arg-type]
    with pytest.raises(
        MissingComponentError, match=r"missing component: stores.vector; the recipe has: .*stores.objects"
    ):
        recipe.component_at("stores.vector")


def test_every_missing_thing_has_its_code_and_its_nearest_name() -> None:
    recipe = KnowledgeRecipe(
        stores=KnowledgeStores(objects="objects"),
        steps=(
            Step("splits", artifacts={"parsed_keys"}, components={store_ref("object")}),
            Step("asks", queries={"vector_searhc"}),
        ),
    )
    result = recipe.validate(initial_artifacts=["parsed_keyz"], initial_queries=["vector_search"])
    assert [(issue.code, issue.step_index, issue.severity) for issue in result.issues] == [
        ("missing_component", 0, "error"),
        ("missing_artifact", 0, "error"),
        ("missing_query", 1, "error"),
    ]
    component, artifact, query = (issue.message for issue in result.errors)
    assert component == "step 0 'splits' requires missing component: stores.object - did you mean 'stores.objects'?"
    assert "parsed_keys - did you mean 'parsed_keyz'?" in artifact
    assert "vector_searhc - did you mean 'vector_search'?" in query
    with pytest.raises(RecipeValidationError, match=r"requires missing component: stores\.object") as caught:
        recipe.require_valid(initial_artifacts=["parsed_keyz"], initial_queries=["vector_search"])
    assert caught.value.result == result


def test_where_no_name_is_near_all_that_there_are_are_listed() -> None:
    recipe = KnowledgeRecipe(steps=(Step("one", artifacts={"made"}), Step("two", artifacts={"zebra"})))
    result = recipe.validate(initial_artifacts=["made", "chunks"])
    assert "zebra (there are at this point: chunks, made)" in result.errors[0].message


def test_an_artifact_made_twice_is_a_warning_and_a_search_asset_made_twice_an_error() -> None:
    asset = SearchAsset("chunk_vector_index", "chunks")
    steps = (
        Step("one", artifacts=()),
        Step("two", search_assets=(asset,)),
        Step("three", search_assets=(asset,)),
    )
    steps[1].capabilities = StepCapabilities(artifacts={"keys"}, search_assets=(asset,))
    steps[2].capabilities = StepCapabilities(artifacts={"keys"}, search_assets=(asset,))
    result = KnowledgeRecipe(steps=steps).validate()
    assert [issue.code for issue in result.warnings] == ["duplicate_artifact_output"]
    assert result.warnings[0].details == {"artifact": "keys", "previous_step_index": "1"}
    assert [issue.code for issue in result.errors] == ["duplicate_search_asset"]
    assert not result.valid


def test_a_manifest_survives_being_written_as_data(tmp_path: Any) -> None:
    manifest = SharedStores(tmp_path).recipe().manifest()
    assert KnowledgeRecipeManifest.from_dict(manifest.to_dict()) == manifest
    assert manifest.component_refs == (
        "models.embedding",
        "parsers.documents",
        "stores.objects",
        "stores.text_index",
        "stores.vector",
    )
    assert manifest.capabilities_provided == ("full_text_search", "vector_search")
