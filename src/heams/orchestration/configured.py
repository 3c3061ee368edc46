"""From the configuration of one component to a ``Component``: validated, its paths found, its data hashed."""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, TypeAdapter

from heams.completion import Completion, complete
from heams.orchestration.component_types import ComponentKind, component_adapter
from heams.orchestration.experiment import Component, DataFile
from heams.orchestration.naming import safe_label
from heams.orchestration.places import nearby, unusable
from heams.orchestration.plugin_code import plugin_code
from heams.orchestration.used_models import models_of
from heta_framework.common.config import (
    ConfigError,
    ConfigProblem,
    Reference,
    YamlDocument,
    file_fingerprint,
    is_secret_name,
    references,
    rewrite_paths,
    typed_secrets,
    validate,
    without_secrets,
)
from heta_framework.common.config.url_secrets import url_secrets, without_url_secrets


def configured(
    document: YamlDocument,
    kind: ComponentKind,
    *,
    label: str,
    source: str,
    root: Path,
    env: Mapping[str, str] | None = None,
    adapter: TypeAdapter[Any] | None = None,
) -> Component:
    """The component that ``document`` describes; its relative paths are resolved against ``root``.

    ``adapter`` validates another configuration than those that a run file may name as this kind.

    Raises:
        ConfigError: a field is wrong, or a file that it names cannot be used.
    """
    written = validate(document, component_adapter(kind) if adapter is None else adapter)
    config, paths = rewrite_paths(written, root)
    saved = without_url_secrets(without_secrets(_overlay(written.model_dump(mode="json"), document.raw)))
    env = os.environ if env is None else env
    used = references(document.raw, env)
    problems = list(_unusable_paths(document, saved, paths, used))
    if problems:
        raise ConfigError(problems)
    whole = complete(config, document, env)
    places: frozenset[str] = getattr(type(config), "not_data", frozenset())
    files = (
        *_hashed(document, saved, {field: path for field, path in paths.items() if field not in places}),
        *plugin_code(kind, config),
    )
    environment = {**_environment_of_files(whole, env), **_environment(document, used, paths)}
    secrets = frozenset(filter(None, (*_secrets(document, used), *_secrets_of_files(whole, env))))
    return Component(kind, safe_label(label), source, saved, whole.config, files, environment, secrets)


def _unusable_paths(
    document: YamlDocument, saved: Any, paths: Mapping[str, Path], used: Sequence[Reference]
) -> Iterator[ConfigProblem]:
    for field, path in paths.items():
        reason = unusable(path)
        if reason is not None:
            loc = _loc(field)
            empty = [reference.name for reference in used if _dotted(reference.loc) == field and not reference.text]
            hint = f"the environment variable {empty[0]} is empty" if empty else nearby(path)
            yield document.problem(loc, f"{reason}: {_shortened(repr(str(_at(saved, loc))))}", hint)


def _hashed(document: YamlDocument, saved: Any, data: Mapping[str, Path]) -> tuple[DataFile, ...]:
    files: list[DataFile] = []
    problems: list[ConfigProblem] = []
    for field, path in data.items():
        as_written = str(_at(saved, _loc(field)))
        try:
            files.append(DataFile(field, as_written, path, file_fingerprint(path)))
        except OSError as cause:
            reason = cause.strerror or str(cause)
            problems.append(document.problem(_loc(field), f"{as_written!r} cannot be read ({reason})"))
    if problems:
        raise ConfigError(problems)
    return tuple(files)


def _environment(document: YamlDocument, used: Sequence[Reference], paths: Mapping[str, Path]) -> dict[str, str]:
    """What each variable stands for; without secrets, and without those that only say where a file is."""
    secret = {reference.name for reference in used if _is_secret(document, reference)}
    texts: dict[str, set[str]] = {}
    for reference in used:
        if reference.name not in secret and _dotted(reference.loc) not in paths:
            texts.setdefault(reference.name, set()).add(reference.text)
    return {name: "\0".join(sorted(found)) for name, found in texts.items()}


def _secrets(document: YamlDocument, used: Sequence[Reference]) -> Iterator[str]:
    """Secrets from the environment, and those typed into the configuration."""
    yield from (reference.text for reference in used if _is_secret(document, reference))
    yield from typed_secrets(document.data)
    yield from url_secrets(document.data)


def _environment_of_files(whole: Completion, env: Mapping[str, str]) -> dict[str, str]:
    """The same for the files that complete a configuration; their paths are no data of a run."""
    found: dict[str, str] = {}
    for document in whole.documents:
        found |= _environment(document, references(document.raw, env), {})
    return found


def _secrets_of_files(whole: Completion, env: Mapping[str, str]) -> Iterator[str]:
    """Secrets in the files that complete a configuration, and those that models and stores are reached with."""
    for document in whole.documents:
        yield from _secrets(document, references(document.raw, env))
    yield from whole.secrets
    yield from _model_secrets(whole.config, env)


def _model_secrets(config: BaseModel, env: Mapping[str, str]) -> Iterator[str]:
    """The keys of the models that a component calls, and what their addresses hold."""
    for used in models_of(config):
        yield used.endpoint.api_key(env) or ""
        yield from url_secrets(used.endpoint.resolved_base_url(env))


def _is_secret(document: YamlDocument, reference: Reference) -> bool:
    return any(is_secret_name(str(part)) for part in (reference.name, *document.prefix, *reference.loc))


def _loc(dotted: str) -> tuple[str | int, ...]:
    return tuple(int(part) if part.isdigit() else part for part in dotted.split("."))


def _dotted(loc: tuple[str | int, ...]) -> str:
    return ".".join(str(part) for part in loc)


def _at(data: Any, loc: tuple[str | int, ...]) -> Any:
    for part in loc:
        data = data[part]
    return data


def _shortened(text: str) -> str:
    return text if len(text) <= 200 else f"{text[:200]}... ({len(text)} characters)"


def _overlay(base: Any, written: Any) -> Any:
    """``base`` (a full dump) with every value that the user wrote put back as written."""
    if isinstance(base, dict) and isinstance(written, dict):
        return {**base, **{key: _overlay(base.get(key), value) for key, value in written.items()}}
    return written
