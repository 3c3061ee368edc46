"""Relative paths are resolved where the declared type says `Path`, and nowhere else."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Generic, Literal, NewType, TypeVar

import pytest
from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, RootModel
from typing_extensions import TypeAliasType

from heta_framework.common.config import rewrite_paths

ROOT = Path("/project")
T = TypeVar("T")
DataPath = NewType("DataPath", Path)
Files = TypeAliasType("Files", list[Path])
Table = TypeAliasType("Table", dict[str, T], type_params=(T,))


class Frozen(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Csv(Frozen):
    type: Literal["csv"] = "csv"
    file: Path


class Text(Frozen):
    type: Literal["text"] = "text"
    file: str


Source = Annotated[Csv | Text, Field(discriminator="type")]


def rewritten(annotation: Any, value: Any) -> tuple[Any, dict[str, Path]]:
    class Holder(Frozen):
        field: annotation

    model, paths = rewrite_paths(Holder(field=value), ROOT)
    return model.field, paths


def a(name: str) -> Path:
    return ROOT / name


@pytest.mark.parametrize(
    ("annotation", "value", "result", "paths"),
    [
        (Path, Path("a"), a("a"), {"field": a("a")}),
        (Path | None, Path("a"), a("a"), {"field": a("a")}),
        (Path | None, None, None, {}),
        (Annotated[Path, Field(description="x")] | None, Path("a"), a("a"), {"field": a("a")}),
        (DataPath, Path("a"), a("a"), {"field": a("a")}),
        (PurePosixPath, PurePosixPath("a"), a("a"), {"field": a("a")}),
        (list[Path], [Path("a"), Path("/b")], [a("a"), Path("/b")], {"field.0": a("a"), "field.1": Path("/b")}),
        (Sequence[Path], [Path("a")], [a("a")], {"field.0": a("a")}),
        (Files, [Path("a")], [a("a")], {"field.0": a("a")}),
        (tuple[Path, ...], (Path("a"), Path("b")), (a("a"), a("b")), {"field.0": a("a"), "field.1": a("b")}),
        (tuple[Any, Path], (Path("a"), Path("b")), (Path("a"), a("b")), {"field.1": a("b")}),
        (frozenset[Path], frozenset({Path("a")}), frozenset({a("a")}), {"field.0": a("a")}),
        (dict[str, Path], {"x": Path("a")}, {"x": a("a")}, {"field.x": a("a")}),
        (Mapping[str, list[Path]], {"x": [Path("a")]}, {"x": [a("a")]}, {"field.x.0": a("a")}),
        (Table[Path], {"x": Path("a")}, {"x": a("a")}, {"field.x": a("a")}),
        (dict[Path, int], {Path("a"): 1}, {a("a"): 1}, {"field.a": a("a")}),
        (list[Path] | dict[str, Path] | None, {"x": Path("a")}, {"x": a("a")}, {"field.x": a("a")}),
        (list[Source], [Csv(file=Path("a"))], [Csv(file=a("a"))], {"field.0.file": a("a")}),
        (Source, Csv(file=Path("a")), Csv(file=a("a")), {"field.file": a("a")}),
    ],
)  # fmt: skip
def test_declared_paths(annotation: Any, value: Any, result: Any, paths: dict[str, Path]) -> None:
    assert rewritten(annotation, value) == (result, paths)


@pytest.mark.parametrize(
    ("annotation", "value"),
    [
        (str, "a/b.json"),
        (str | Path, "a/b.json"),
        (Any, Path("a")),
        (dict[str, Any], {"x": Path("a"), "y": "b"}),
        (list[Any], [Path("a")]),
        (Source, Text(file="a/b.txt")),
        (list[Source], [Text(file="a")]),
    ],
)
def test_nothing_else_is_touched(annotation: Any, value: Any) -> None:
    found, paths = rewritten(annotation, value)
    assert found is value or found == value
    assert paths == {}


def test_nested_models_keep_their_dotted_names() -> None:
    class Middle(Frozen):
        source: Source
        more: dict[str, Csv]

    class Outer(Frozen):
        middle: Middle
        out: Path = Path("out")

    outer = Outer(middle=Middle(source=Csv(file=Path("a")), more={"k": Csv(file=Path("../b"))}))
    copy, paths = rewrite_paths(outer, ROOT)
    assert paths == {"middle.source.file": a("a"), "middle.more.k.file": a("../b"), "out": a("out")}
    assert copy.middle.source == Csv(file=a("a"))
    assert outer.middle.source == Csv(file=Path("a"))


def test_generic_and_root_models() -> None:
    class Box(BaseModel, Generic[T]):
        item: T

    class FileList(RootModel[list[Path]]):
        pass

    class Holder(Frozen):
        box: Box[Path]
        files: FileList

    copy, paths = rewrite_paths(Holder(box=Box[Path](item=Path("a")), files=FileList([Path("b")])), ROOT)
    assert paths == {"box.item": a("a"), "files.0": a("b")}
    assert copy.files.root == [a("b")]


def test_the_copy_keeps_unset_fields_private_values_and_drops_stale_caches() -> None:
    class Model(Frozen):
        file: Path = Path("a")
        name: str = "x"
        _note: str = PrivateAttr(default="")

        @cached_property
        def shown(self) -> str:
            return str(self.file)

    model = Model(name="y")
    model._note = "kept"
    assert model.shown == "a"
    copy, _ = rewrite_paths(model, ROOT)
    assert copy.model_fields_set == {"name"}
    assert copy.shown == "/project/a"
    assert copy._note == "kept"


def test_a_model_without_paths_is_returned_as_it_is() -> None:
    text = Text(file="a")
    assert rewrite_paths(text, ROOT) == (text, {})


def test_rewriting_twice_changes_nothing() -> None:
    once, paths = rewrite_paths(Csv(file=Path("a")), ROOT)
    assert rewrite_paths(once, Path("/elsewhere")) == (once, paths)


def test_a_relative_root_counts_from_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert rewrite_paths(Csv(file=Path("a")), Path("sub"))[1] == {"file": tmp_path / "sub" / "a"}


def test_a_tilde_is_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert rewrite_paths(Csv(file=Path("~/a")), ROOT)[1] == {"file": tmp_path / "a"}
