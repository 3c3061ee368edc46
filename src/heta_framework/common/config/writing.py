"""JSON-like data to YAML text that reads back equal."""

import json
import sys
from typing import IO, Any

import yaml
from yaml.emitter import Emitter
from yaml.nodes import ScalarNode
from yaml.representer import SafeRepresenter
from yaml.serializer import Serializer

from heta_framework.common.config.dialect import STR, CoreResolver

_FOREIGN_BREAKS = frozenset("\r\x85\u2028\u2029")


def dump_yaml(data: Any) -> str:
    """Return JSON-like data as YAML in the dialect of `parse_yaml`; keys keep their order, long texts read as blocks.

    References such as `${NAME}` are written as they stand, so what is saved should be a document's `raw`, and
    `parse_yaml(text, substitute_env=False)` gives it back. Raises ValueError for numbers that are not finite, cycles
    and text that is not valid Unicode, TypeError for values that JSON does not know.
    """
    exact = json.dumps(data, allow_nan=False, ensure_ascii=False)
    exact.encode()
    text: str = yaml.dump(json.loads(exact), Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=sys.maxsize)
    return text


def _style(text: str) -> str | None:
    if not _FOREIGN_BREAKS.isdisjoint(text):
        return '"'  # PyYAML adds spaces after these in single quotes
    return "|" if "\n" in text else None


class _Dumper(Emitter, Serializer, SafeRepresenter, CoreResolver):
    def __init__(self, stream: IO[str], *, sort_keys: bool, allow_unicode: bool, width: int, **_: object) -> None:
        Emitter.__init__(self, stream, allow_unicode=allow_unicode, width=width)
        Serializer.__init__(self)
        SafeRepresenter.__init__(self, default_flow_style=False, sort_keys=sort_keys)
        CoreResolver.__init__(self)

    def ignore_aliases(self, data: Any) -> bool:
        return True

    def represent_str(self, data: str) -> ScalarNode:
        return self.represent_scalar(STR, data, style=_style(data))


_Dumper.add_representer(str, _Dumper.represent_str)
