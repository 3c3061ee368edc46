"""UDA: questions on whole documents, six subsets; labels from its repository at one commit, documents as archives.

The sha256 of three archives is the one their host shows; the other two are recorded at the first download.
"""

from heta_framework.common.datasets.entries.licences import CC_BY_SA_4
from heta_framework.common.datasets.entry import DatasetEntry, DatasetFile

_REPOSITORY = (
    "https://raw.githubusercontent.com/qinchuanhui/UDA-Benchmark/026d17457b4ba59b9117f990aa926292b2b28f1c/dataset"
)
_ARCHIVES = "https://huggingface.co/datasets/qinchuanhui/UDA-QA/resolve/main/src_doc_files"
_HOMEPAGE = "https://github.com/qinchuanhui/UDA-Benchmark"
_CITATION = (
    'Hui, Lu and Zhang, "UDA: A Benchmark Suite for Retrieval Augmented Generation in Real-world Document Analysis", '
    "NeurIPS 2024, arXiv:2406.15187"
)

_SUBSETS = {
    "fin": ("FinHybrid: financial reports", "fin_docs"),
    "tat": ("TatHybrid: financial reports", "tat_docs"),
    "paper_tab": ("PaperTab: tables of papers", "paper_docs"),
    "paper_text": ("PaperText: texts of papers", "paper_docs"),
    "feta": ("FetaTab: tables of Wikipedia", "wiki_feta_docs"),
    "nq": ("NqText: articles of Wikipedia", "wiki_nq_docs"),
}
_SHA256 = {
    "paper_docs": "74890c04b6956c1a2f04adcd7946c0b9cc133a647ccc68854d6e9b5771b7a66a",
    "wiki_feta_docs": "a2ffc4adb9da0fb6b454fb6e5e4b3f83078af68b52315030eac633403e49b371",
    "wiki_nq_docs": "ed5c77e86f7d860aff57e465e5a7d7dbb1d88e521c0ea3cb7b4d62effda0bad0",
}


def _entry(name: str, title: str, *files: DatasetFile) -> DatasetEntry:
    return DatasetEntry(name=name, title=title, files=files, licence=CC_BY_SA_4, homepage=_HOMEPAGE, citation=_CITATION)


def _labels(subset: str) -> DatasetEntry:
    return _entry(
        f"uda_{subset}",
        f"UDA, {_SUBSETS[subset][0]}, questions and evidence",
        DatasetFile(url=f"{_REPOSITORY}/qa/{subset}_qa.csv", filename=f"{subset}_qa.csv"),
        DatasetFile(
            url=f"{_REPOSITORY}/extended_qa_info_bench/bench_{subset}_qa.json", filename=f"bench_{subset}_qa.json"
        ),
    )


def _documents(folder: str) -> DatasetEntry:
    archive = DatasetFile(url=f"{_ARCHIVES}/{folder}.zip", filename=f"{folder}.zip", sha256=_SHA256.get(folder))
    return _entry(f"uda_{folder}", f"UDA, the documents of {folder}", archive)


_LABELS = {subset: _labels(subset) for subset in _SUBSETS}
_DOCUMENTS = {folder: _documents(folder) for folder in dict.fromkeys(folder for _, folder in _SUBSETS.values())}

UDA = (*_LABELS.values(), *_DOCUMENTS.values())


def uda_labels(subset: str) -> DatasetEntry:
    """The questions of a subset (``<subset>_qa.csv``) and what else is known of some (``bench_<subset>_qa.json``)."""
    return _LABELS[subset]


def uda_documents(subset: str) -> DatasetEntry:
    """The archive with the documents of a subset; ``paper_tab`` and ``paper_text`` share one."""
    return _DOCUMENTS[_SUBSETS[subset][1]]
