"""The procedure for graphs: which steps it stands for, with which settings."""

from typing import Any

import pytest

from heta_framework.kb import GraphTableNames, GraphVectorCollections
from heta_framework.kb.procedures import HetaGraphProcedure, KnowledgeProcedureProtocol

SCHEMA = {"entity_types": ["person"]}


def names(procedure: HetaGraphProcedure) -> list[str]:
    return [step.name for step in procedure.steps()]


def test_the_steps_of_a_build_and_of_a_merge() -> None:
    assert isinstance(HetaGraphProcedure(), KnowledgeProcedureProtocol)
    assert HetaGraphProcedure().name == "heta_graph"
    middle = ["deduplicate_entities", "deduplicate_relations"]
    assert names(HetaGraphProcedure.build()) == ["extract_universal_graph", *middle, "build_graph"]
    assert names(HetaGraphProcedure.merge_into_store())[-1] == "merge_graph_into_store"
    assert names(HetaGraphProcedure(deduplicate=False)) == ["extract_universal_graph", "build_graph"]
    assert names(HetaGraphProcedure(schema_constraint_enabled=True, ontology_schema=SCHEMA))[1] == (
        "constrain_graph_by_ontology"
    )


@pytest.mark.parametrize("constrained", [False, True])
@pytest.mark.parametrize("deduplicate", [False, True])
@pytest.mark.parametrize("mode", ["build", "merge_into_store"])
def test_each_step_finds_what_the_one_before_leaves(mode: Any, deduplicate: bool, constrained: bool) -> None:
    procedure = HetaGraphProcedure(
        mode=mode,
        deduplicate=deduplicate,
        schema_constraint_enabled=constrained,
        ontology_schema=SCHEMA,
        entity_keys_artifact="my_entities",
        deduplicated_relation_keys_artifact="my_merged_relations",
    )
    known = {"chunk_keys"}
    for step in procedure.steps():
        assert step.requirements.artifacts <= known
        known |= step.capabilities.artifacts
    last = procedure.steps()[-1]
    assert last.capabilities.queries == {"heta_graph_search", "ppr_search"}
    assert {asset.kind for asset in last.capabilities.search_assets} == {"graph_tables", "graph_vector_index"}


def test_settings_reach_the_steps() -> None:
    procedure = HetaGraphProcedure.merge_into_store(
        object_store="cold",
        sql_store="facts",
        vector_store="near",
        language_model="small",
        embedding_model="wide",
        table_names=GraphTableNames("people"),
        vector_collections=GraphVectorCollections("people_vectors"),
    )
    extract, entities, relations, merge = procedure.steps()
    required = [{ref.key for ref in step.requirements.components} for step in procedure.steps()]
    assert required[0] == {"stores.objects.cold", "models.language.small"}
    assert required[1] == required[2] == required[0] | {"models.embedding.wide"}
    assert required[3] == required[2] | {"stores.sql.facts", "stores.vector.near"}
    assert [asset.name for asset in merge.capabilities.search_assets] == ["people", "people_vectors"]
    assert (extract.name, entities.name, relations.name) == (
        "extract_universal_graph",
        "deduplicate_entities",
        "deduplicate_relations",
    )


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"mode": "draw"}, "unsupported graph procedure mode: draw; allowed: build, merge_into_store"),
        ({"schema_constraint_enabled": True}, "ontology_schema must not be empty"),
        ({"extraction": "guess"}, "extraction must be one of"),
    ],
)
def test_settings_that_cannot_be_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        HetaGraphProcedure(**settings)
