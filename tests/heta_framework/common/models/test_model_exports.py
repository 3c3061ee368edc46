"""``heta_framework.common.models``: all names, imported only when used."""

import ast
import inspect
import subprocess
import sys

import pytest

import heta_framework.common.models as models


def test_every_name_is_there_and_lives_where_type_checkers_look() -> None:
    declared = {
        alias.name: node.module
        for node in ast.walk(ast.parse(inspect.getsource(models)))
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("heta_framework")
        for alias in node.names
    }
    assert set(declared) == set(models.__all__) == set(models._HOME_OF)
    for name, module in declared.items():
        assert f"{models.__name__}.{models._HOME_OF[name]}" == module
        assert getattr(models, name) is not None


def test_another_name_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'LanguageModle'"):
        models.LanguageModle  # noqa: B018


def test_naming_models_imports_none_of_the_heavy_packages() -> None:
    script = (
        "import sys; import heta_framework.common.models as m; light = set(sys.modules);"
        "m.LanguageModel, m.EmbeddingModel, m.RerankModel, m.open_embedding_model, m.FunctionLanguageModel;"
        "print('pydantic' in light, sorted({'pydantic_ai', 'openai', 'numpy', 'httpx', 'httpx2'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "False []\n"


def test_nobody_is_called_when_models_are_imported_and_made() -> None:
    script = """
import sys

def watch(event, args):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "urllib.Request"):
        print(event, args)

sys.addaudithook(watch)
from heta_framework.common.models import EmbeddingModel, LanguageModel, RerankModel, open_embedding_model
from heta_framework.common.models.pricing import cost_of
from heta_framework.common.models.settings import EndpointConfig

LanguageModel(model_name="openai/gpt-4o-mini", api_key="none")
EmbeddingModel(model_name="openai/text-embedding-3-small", api_key="none")
RerankModel(model_name="a-reranker", api_key="none", api_base="http://127.0.0.1:9")
open_embedding_model("wordllama")
cost_of(EndpointConfig(model="openai:gpt-4o-mini"), input_tokens=1)
import threading
print([thread.name for thread in threading.enumerate()])
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "['MainThread']\n"
