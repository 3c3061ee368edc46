"""YAML configuration with errors that point at file, line and field."""

from heta_framework.common.config.document import YamlDocument
from heta_framework.common.config.environment import Reference, references
from heta_framework.common.config.errors import ConfigError, ConfigProblem
from heta_framework.common.config.fingerprint import file_fingerprint
from heta_framework.common.config.nearest import nearest
from heta_framework.common.config.numbers import Number, WholeNumber
from heta_framework.common.config.paths import rewrite_paths
from heta_framework.common.config.project import project_root
from heta_framework.common.config.python_data import mapping_document
from heta_framework.common.config.reading import load_yaml, parse_yaml
from heta_framework.common.config.secrecy import is_secret_name, typed_secrets, without_secrets
from heta_framework.common.config.validation import validate
from heta_framework.common.config.writing import dump_yaml

__all__ = [
    "ConfigError",
    "ConfigProblem",
    "Number",
    "Reference",
    "WholeNumber",
    "YamlDocument",
    "dump_yaml",
    "file_fingerprint",
    "is_secret_name",
    "load_yaml",
    "mapping_document",
    "nearest",
    "parse_yaml",
    "project_root",
    "references",
    "rewrite_paths",
    "typed_secrets",
    "validate",
    "without_secrets",
]
