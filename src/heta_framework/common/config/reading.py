"""Files and text to documents; everything that can be wrong with them becomes a ConfigError."""

import os
from codecs import BOM_UTF8
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from heta_framework.common.config.document import YamlDocument, dotted
from heta_framework.common.config.environment import substitute
from heta_framework.common.config.errors import ConfigError, ConfigProblem
from heta_framework.common.config.nearest import did_you_mean
from heta_framework.common.config.source import Lines, YamlSyntaxError, compose
from heta_framework.common.config.tree import Tree, read_tree


def load_yaml(path: Path, *, env: Mapping[str, str] | None = None, substitute_env: bool = True) -> YamlDocument:
    """Read a YAML file (UTF-8, one document, a mapping at the top). Raises ConfigError; see `parse_yaml`."""
    return parse_yaml(_text_of(path), path, env, substitute_env=substitute_env)


def parse_yaml(
    text: str, path: Path | None = None, env: Mapping[str, str] | None = None, *, substitute_env: bool = True
) -> YamlDocument:
    """Read YAML text; `path` is only named in messages.

    `env` replaces the process environment as the source of `${NAME}`. With `substitute_env=False` nothing is replaced
    and `data` equals `raw`: saved artifacts are read like this, where the variables may no longer be set.

    Raises ConfigError for text that is not YAML, a top level that is no mapping, duplicate keys, tags, numbers that are
    not finite, endless aliases, and references to variables that are not set. The dialect is described in
    `heta_framework.common.config.dialect`.
    """
    tree = _tree_of(text, path)
    document = YamlDocument(path, tree.data, tree.data, tree.lines)
    return _with_environment(document, os.environ if env is None else env) if substitute_env else document


def _tree_of(text: str, path: Path | None) -> Tree:
    lines = Lines(text)
    try:
        tree = read_tree(compose(text), lambda node: lines.at(node.start_mark.index))
    except YamlSyntaxError as fault:
        raise ConfigError([ConfigProblem(path, fault.line, "", fault.message)]) from None
    faults = sorted(tree.faults, key=lambda fault: fault.line)
    problems = [ConfigProblem(path, fault.line, dotted(fault.loc), fault.message) for fault in faults]
    if not problems and not isinstance(tree.data, dict):
        problems = [ConfigProblem(path, tree.lines[()], "", _not_a_mapping(tree.data))]
    if problems:
        raise ConfigError(dict.fromkeys(problems))
    return tree


def _not_a_mapping(data: Any) -> str:
    kind = "a list" if isinstance(data, list) else "a single value"
    return f"found {kind} at the top of the file; a mapping (key: value) is needed"


def _with_environment(document: YamlDocument, environment: Mapping[str, str]) -> YamlDocument:
    substitution = substitute(document.raw, environment)
    if substitution.missing:
        raise ConfigError(document.problem(miss.loc, miss.message, miss.hint) for miss in substitution.missing)
    return replace(document, data=substitution.data, variables=substitution.used)


def _text_of(path: Path) -> str:
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise ConfigError([_missing(path)]) from None
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise ConfigError([ConfigProblem(path, None, "", f"this file cannot be read ({reason})")]) from None
    return _decoded(content.removeprefix(BOM_UTF8), path)


def _decoded(content: bytes, path: Path) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8")
        line = Lines(before + "?").at(len(before))
        message = f"found the byte 0x{content[error.start]:02x}, which is not UTF-8; save the file as UTF-8"
        raise ConfigError([ConfigProblem(path, line, "", message)]) from None


def _missing(path: Path) -> ConfigProblem:
    """Say where a path stops to exist, and what stands there instead."""
    absent = path
    while absent.parent != absent and not absent.parent.exists():
        absent = absent.parent
    where = "" if absent == path else f" (there is no folder '{absent}')"
    hint = did_you_mean(absent.name, _names_in(absent.parent) - {absent.name})
    return ConfigProblem(path, None, "", f"there is no such file{where}", hint)


def _names_in(folder: Path) -> set[str]:
    try:
        return {entry.name for entry in folder.iterdir()}
    except OSError:
        return set()
