"""Where the three files of a dataset are: ``corpus.jsonl``, ``queries.jsonl``, ``qrels/{split}.tsv``."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from heta_framework.common.config.nearest import did_you_mean

_CORPUS, _QUERIES, _QRELS = "corpus.jsonl", "queries.jsonl", "qrels"


class BeirFolder(NamedTuple):
    """A dataset on disk."""

    root: Path
    split: str

    @property
    def corpus(self) -> Path:
        """The documents."""
        return self.root / _CORPUS

    @property
    def queries(self) -> Path:
        """The queries of all splits."""
        return self.root / _QUERIES

    @property
    def qrels(self) -> Path:
        """The labels of the split."""
        return self.root / _QRELS / f"{self.split}.tsv"


def find_folder(root: Path, dataset: str, split: str) -> BeirFolder:
    """The dataset in ``root`` itself, or in its folder of the dataset's name.

    Raises:
        FileNotFoundError: there is none, or not that split; it says what is missing and what is there instead.
    """
    folders = [BeirFolder(folder, split) for folder in (root, root / dataset)]
    found = next((folder for folder in folders if not _missing(folder)), None)
    if found is not None:
        return found
    nearest = next((folder for folder in folders if folder.corpus.is_file()), folders[0])
    raise FileNotFoundError(
        f"BEIR dataset is missing required files: {_missing(nearest)} in {nearest.root}{_instead(nearest)}"
    )


def _missing(folder: BeirFolder) -> list[str]:
    wanted = (folder.corpus, folder.queries, folder.qrels)
    return [str(path.relative_to(folder.root)) for path in wanted if not path.is_file()]


def _instead(folder: BeirFolder) -> str:
    splits = sorted(path.stem for path in (folder.root / _QRELS).glob("*.tsv"))
    if splits:
        hint = did_you_mean(folder.split, splits)
        return f"; it has the splits {', '.join(splits)}" + (f"; {hint}" if hint else "")
    others = sorted(path.parent.relative_to(folder.root) for path in folder.root.glob(f"*/{_CORPUS}"))
    if others:
        return f"; there are datasets in its folders {', '.join(map(str, others))}: give one of them as data_root"
    return ""
