"""The code of components that other packages bring: part of what a run depends on, like a data file."""

import sys
from hashlib import sha256
from importlib.metadata import packages_distributions, version
from pathlib import Path

from pydantic import BaseModel

from heams.orchestration.component_types import ComponentKind, plugins_of
from heams.orchestration.experiment import DataFile

FIELD = "code"


def plugin_code(kind: ComponentKind, config: BaseModel) -> tuple[DataFile, ...]:
    """The package behind a plugin's component, with a hash over its Python files; nothing for built-in components."""
    plugin = plugins_of(kind).get(getattr(config, "type", ""))
    if plugin is None or not isinstance(config, plugin.config):
        return ()
    return code_file(plugin.config.__module__)


def code_file(module: str) -> tuple[DataFile, ...]:
    """The package that a loaded module belongs to, with a hash over its Python files; nothing for a namespace."""
    package = module.partition(".")[0]
    file = getattr(sys.modules.get(package), "__file__", None)
    if file is None:
        return ()
    return (DataFile(FIELD, _described(package), Path(file), _hash(Path(file))),)


def _described(package: str) -> str:
    distributions = packages_distributions().get(package, [])
    return f"{package} ({', '.join(f'{name} {version(name)}' for name in distributions) or 'not installed'})"


def _hash(file: Path) -> str:
    """sha256 over a module, or over all Python files of a package by their names."""
    if file.name != "__init__.py":
        return sha256(file.read_bytes()).hexdigest()
    digest = sha256()
    for source in sorted(file.parent.rglob("*.py")):
        digest.update(f"{source.relative_to(file.parent).as_posix()}\0".encode())
        digest.update(sha256(source.read_bytes()).digest())
    return digest.hexdigest()
