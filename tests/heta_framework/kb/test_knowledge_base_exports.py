"""Every name of the two packages can be imported, and naming the packages imports none of the heavy libraries."""

import importlib
import subprocess
import sys

import pytest

HEAVY = ("numpy", "tantivy", "sqlalchemy", "obstore", "pypdfium2", "selectolax", "rich", "pydantic")


@pytest.mark.parametrize("package", ["heta_framework.kb", "heta_framework.kb.steps"])
def test_every_exported_name_is_there(package: str) -> None:
    module = importlib.import_module(package)
    for name in module.__all__:
        assert getattr(module, name) is not None, name
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        module.nonsense  # noqa: B018


def test_naming_the_package_costs_nothing() -> None:
    program = (
        "import sys, heta_framework.kb, heta_framework.kb.steps\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert said.strip() == "[]"
