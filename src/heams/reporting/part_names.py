"""How the two parts of an experiment are called: an agent with a memory system, or a query mode of a recipe."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from heams.reporting.saved import part

QUERY_MODE = "query_mode"
"""The type of what stands in the place of an agent where knowledge bases are asked without one."""


class PartNames(NamedTuple):
    """Words for tables and reports."""

    agent: str
    memory_system: str


def part_names(config: Mapping[str, Any]) -> PartNames:
    """The words for a saved configuration."""
    return PartNames("query mode", "recipe") if asks_without_agent(config) else PartNames("agent", "memory system")


def asks_without_agent(config: Mapping[str, Any]) -> bool:
    """Whether knowledge bases were asked, and no agent."""
    return part(config, "agent_config").get("type") == QUERY_MODE


def budget_name(config: Mapping[str, Any]) -> str:
    """What limits how much a question is given: a budget, or how many results its query asked for."""
    return "results asked for" if asks_without_agent(config) else "recall budget"


class Noun(NamedTuple):
    """A thing, and several of it."""

    one: str
    several: str


HISTORIES = Noun("history", "histories")
_KNOWLEDGE_BASES = Noun("knowledge base", "knowledge bases")


def shared(config: Mapping[str, Any]) -> Noun:
    """What questions share, so that they are alike."""
    return _KNOWLEDGE_BASES if asks_without_agent(config) else HISTORIES
