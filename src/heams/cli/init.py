"""`heams init`: a folder with starter configurations and a tiny data set, for people who installed the package."""

import shlex
from importlib.resources import as_file, files
from pathlib import Path
from typing import Annotated

import typer

_PLAY = "heams run --config configs/runs/first.yaml --output-dir results/first"
_EVALUATE = (
    "heams evaluate --recipe configs/recipes/documents.yaml --benchmark configs/benchmarks/shop.yaml "
    "--modes full_text_search,hybrid_search --output-dir results/shop"
)


def command(
    directory: Annotated[Path, typer.Argument(help="Folder to write into; made if it is not there.")],
) -> None:
    """Write starter configurations and tiny data sets, ready for `heams run` and `heams evaluate`."""
    from heams.orchestration.errors import RunRefused

    with as_file(files("heams") / "starter") as starter:
        wanted = [path.relative_to(starter) for path in sorted(starter.rglob("*")) if _belongs(path)]
        present = [path for path in wanted if (directory / path).exists()]
        if present:
            names = ", ".join(str(path) for path in present[:5])
            raise RunRefused(f"{directory} already holds {names}; nothing was written. Choose another folder.")
        try:
            for path in wanted:
                (directory / path).parent.mkdir(parents=True, exist_ok=True)
                (directory / path).write_bytes((starter / path).read_bytes())
        except OSError as cause:
            raise RunRefused(f"cannot write into {directory}: {cause.strerror or cause}") from cause
    for path in wanted:
        typer.echo(str(directory / path))
    folder = shlex.quote(str(directory))
    typer.echo(f"\nNext:\n  cd {folder}\n  {_PLAY}\nOr, for a recipe instead of an agent with a memory:\n  {_EVALUATE}")


def _belongs(path: Path) -> bool:
    return path.is_file() and path.suffix in {".yaml", ".jsonl", ".md"}
