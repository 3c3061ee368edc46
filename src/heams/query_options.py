"""Options of query modes in a configuration: a slip that a query would pass over changes results, so it is refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from heta_framework.common.config import ConfigProblem, YamlDocument
from heta_framework.common.config.nearest import did_you_mean


def query_option_problems(document: YamlDocument, options: Mapping[str, Any]) -> Iterator[ConfigProblem]:
    """What is wrong with the ``query_options`` of a document: names that no mode has, and values that are refused."""
    from heta_framework.kb.search.option_check import option_problems
    from heta_framework.kb.search.options import BUILT_IN_OPTIONS

    for name in options:
        if name not in BUILT_IN_OPTIONS:
            allowed = ", ".join(sorted(BUILT_IN_OPTIONS))
            message = f"no query mode has this option; allowed: {allowed}"
            yield document.problem(("query_options", name), message, did_you_mean(name, BUILT_IN_OPTIONS))
    for name, refusal in option_problems(options):
        yield document.problem(("query_options", name), refusal)
