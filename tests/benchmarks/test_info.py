"""Every benchmark of the union is wired up: report_info, dispatch, exports, folder; and how its results are named."""

import ast
import importlib
import inspect
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import BaseModel

import heams.benchmarks
from heams.benchmarks import factory, registry
from heams.benchmarks.info import BenchmarkInfo, ReportDimension
from heams.plugins import ComponentPlugin, type_name

_MEMBERS: tuple[type[BaseModel], ...] = get_args(get_args(factory.BenchmarkConfig)[0])
_ROOM = Path(heams.benchmarks.__file__).parent

each_member = pytest.mark.parametrize("config", _MEMBERS, ids=[type_name(member) for member in _MEMBERS])


@each_member
def test_every_benchmark_declares_how_it_is_reported(config: Any) -> None:
    info = getattr(config, "report_info", None)
    assert isinstance(info, BenchmarkInfo), f"{config.__name__} declares no report_info"
    assert info.display_name
    assert isinstance(info.dimension, ReportDimension)


def test_privacy_names_what_is_protected_before_what_is_of_use() -> None:
    """A memory that stores nothing has a 1 in the first and a 0 in the second; overviews show both in this order."""
    info = {type_name(member): member.report_info for member in _MEMBERS if hasattr(member, "report_info")}
    private = {name: one.headline_metrics for name, one in info.items() if one.dimension is ReportDimension.PRIVACY}
    assert {name: metrics[:2] for name, metrics in private.items()} == {
        "ci": ("withheld", "coverage"),
        "gatemem": ("access_kept", "useful"),
        "mpbench": ("resisted_write", "benign_write"),
        "retention_policy": ("no_leak", "retained"),
        "transparency": ("transparency", "stored"),
    }


@each_member
def test_create_benchmark_has_a_branch_for_every_benchmark(config: type[BaseModel]) -> None:
    tree = ast.parse(inspect.getsource(factory.create_benchmark))
    named = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    literals = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    assert config.__name__ in named or type_name(config) in literals


@each_member
def test_every_benchmark_is_exported_by_factory_room_and_folder(config: type[BaseModel]) -> None:
    folder = importlib.import_module(f"heams.benchmarks.{_folder(config)}")
    for module in (factory, heams.benchmarks, folder):
        assert config.__name__ in module.__all__
        assert getattr(module, config.__name__) is config


def test_exports_exist() -> None:
    for module in (factory, heams.benchmarks):
        assert all(hasattr(module, name) for name in module.__all__)
        assert len(set(module.__all__)) == len(module.__all__)


def test_every_folder_is_in_the_union() -> None:
    folders = {config.parent.name for config in _ROOM.glob("*/config.py")}
    assert folders == {_folder(config) for config in _MEMBERS}


def _folder(config: type[BaseModel]) -> str:
    """Most folders are called like the type; ``ci`` is in ``contextual_integrity``."""
    return config.__module__.split(".")[-2]


def test_create_benchmark_is_typed() -> None:
    assert inspect.signature(factory.create_benchmark).return_annotation is heams.benchmarks.BaseBenchmark


def test_report_info_of_a_built_in_type() -> None:
    assert registry.report_info("locomo") is heams.benchmarks.LocomoBenchmarkConfig.report_info


def test_report_info_of_an_unknown_type_falls_back_to_its_name() -> None:
    info = registry.report_info("long_gone")
    assert (info.display_name, info.dimension) == ("long_gone", ReportDimension.PERFORMANCE)


def test_report_info_of_a_plugin(monkeypatch: pytest.MonkeyPatch) -> None:
    class Outside(BaseModel):
        type: str = "outside"
        report_info = BenchmarkInfo(display_name="From outside", dimension=ReportDimension.PRIVACY)

        model_config = {"ignored_types": (BenchmarkInfo,)}

    plugins = {"outside": ComponentPlugin(Outside, lambda config: config)}
    monkeypatch.setattr(registry, "component_plugins", lambda group: plugins)
    assert registry.report_info("outside").display_name == "From outside"


@pytest.mark.parametrize(
    ("saved", "name"),
    [
        ({"data_file": "${HEAMS_DATA_DIR}/locomo/locomo10.json"}, "LoCoMo"),
        ({"data_file": "x/locomo10.json", "gold": "audited"}, "LoCoMo (audited gold)"),
        ({"data_file": "datasets/locomo_mini/locomo_mini.json"}, "LoCoMo format: locomo_mini"),
        ({"written": "by an older version"}, "LoCoMo"),
        ({"data_file": None}, "LoCoMo"),
    ],
)
def test_only_the_published_file_is_called_locomo(saved: dict[str, Any], name: str) -> None:
    assert registry.report_info("locomo").name_for(saved) == name
