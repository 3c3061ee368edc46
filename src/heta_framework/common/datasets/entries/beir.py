"""The public datasets of BEIR: zip archives whose md5 BEIR publishes in its table of datasets.

Where a sha256 is known too, it was measured by several others independently on archives of that md5. BEIR names no
licence of its own for the data it passes on ("it remains the user's responsibility"): what is said here is what the
data's first authors say, and "unknown" where that was not established.
"""

from typing import NamedTuple

from heta_framework.common.config.nearest import did_you_mean
from heta_framework.common.datasets.entries.licences import CC_BY_4, CC_BY_SA_4, unknown_licence
from heta_framework.common.datasets.entry import DatasetEntry, DatasetFile, Licence

_BASE = "https://public.ukp.informatik.tu-darmstadt.de/thakur/BEIR/datasets"
_HOMEPAGE = "https://github.com/beir-cellar/beir"
_CITATION = (
    "Thakur, Reimers, Rücklé, Srivastava and Gurevych, "
    '"BEIR: A Heterogeneous Benchmark for Zero-shot Evaluation of Information Retrieval Models", NeurIPS 2021, '
    "arXiv:2104.08663"
)

_SCIFACT = Licence(
    name="CC BY 4.0 (claims, labels) and ODC-By 1.0 (abstracts)",
    url="https://github.com/allenai/scifact/blob/master/LICENSE.md",
    terms="You may share and adapt it with credit to its authors.",
    commercial_use=True,
    needs_acceptance=False,
)
_NFCORPUS = Licence(
    name="academic use",
    url="https://www.cl.uni-heidelberg.de/statnlpgroup/nfcorpus/",
    terms="Its authors allow academic use; for any other use see their page.",
    commercial_use=None,
)
_FIQA = Licence(
    name="unnamed, non-commercial",
    url="https://sites.google.com/view/fiqa/",
    terms="Its authors name no licence; they offer the data for non-commercial use only.",
    commercial_use=False,
)


class _Archive(NamedTuple):
    dataset: str
    title: str
    md5: str
    homepage: str
    licence: Licence | None = None
    sha256: str | None = None
    size: int | None = None


_ARCHIVES = (
    _Archive(
        "scifact",
        "SciFact: scientific claims",
        "5f7d1de60b170fc8027bb7898e2efca1",
        "https://github.com/allenai/scifact",
        _SCIFACT,
        "536e14446a0ba56ed1398ab1055f39fe852686ecad24a6306c80c490fa8e0165",
        2_816_079,
    ),
    _Archive(
        "nfcorpus",
        "NFCorpus: questions on nutrition, medical abstracts",
        "a89dba18a62ef92f7d323ec890a0d38d",
        "https://www.cl.uni-heidelberg.de/statnlpgroup/nfcorpus/",
        _NFCORPUS,
        "efe5be03f8c5b86a5870102d0599d227c8c6e2484328e68c6522560385671b0b",
        2_448_432,
    ),
    _Archive(
        "fiqa",
        "FiQA-2018: financial questions",
        "17918ed23cd04fb15047f73e6c3bd9d9",
        "https://sites.google.com/view/fiqa/",
        _FIQA,
        "32c7df99ed21252fdfb2cf3f5673502a8d245ee0c44c4a133570d92ce2b3ad02",
        17_948_027,
    ),
    _Archive(
        "hotpotqa",
        "HotpotQA: questions that need two articles of Wikipedia",
        "f412724f78b0d91183a0e86805e16114",
        "https://hotpotqa.github.io",
        CC_BY_SA_4,
    ),
    _Archive(
        "arguana",
        "ArguAna: counterarguments",
        "8ad3e3c2a5867cdced806d6503f29b99",
        "https://zenodo.org/records/3973258",
        CC_BY_4,
    ),
    _Archive(
        "msmarco",
        "MS MARCO: web passages",
        "444067daf65d982533ea17ebd59501e4",
        "https://microsoft.github.io/msmarco/",
    ),
    _Archive(
        "trec-covid",
        "TREC-COVID: the pandemic's literature",
        "ce62140cb23feb9becf6270d0d1fe6d1",
        "https://ir.nist.gov/covidSubmit/index.html",
    ),
    _Archive(
        "nq",
        "Natural Questions: questions to a search engine",
        "d4d3d2e48787a744b6f6e691ff534307",
        "https://ai.google.com/research/NaturalQuestions",
    ),
    _Archive(
        "webis-touche2020",
        "Touché 2020: arguments",
        "46f650ba5a527fc69e0a6521c5a23563",
        "https://webis.de/events/touche-20/shared-task-1.html",
    ),
    _Archive(
        "cqadupstack",
        "CQADupStack: questions asked twice, twelve forums",
        "4e41456d7df8ee7760a7f866133bda78",
        "http://nlp.cis.unimelb.edu.au/resources/cqadupstack/",
    ),
    _Archive(
        "quora",
        "Quora: questions asked twice",
        "18fb154900ba42a600f84b839c173167",
        "https://www.quora.com/q/quoradata/First-Quora-Dataset-Release-Question-Pairs",
    ),
    _Archive(
        "dbpedia-entity",
        "DBpedia-Entity: entities",
        "c2a39eb420a3164af735795df012ac2c",
        "https://github.com/iai-group/DBpedia-Entity/",
    ),
    _Archive(
        "scidocs",
        "SCIDOCS: citations",
        "38121350fc3a4d2f48850f6aff52e4a9",
        "https://allenai.org/data/scidocs",
    ),
    _Archive("fever", "FEVER: claims and Wikipedia", "5a818580227bfb4b35bb6fa46d9b6c03", "http://fever.ai"),
    _Archive(
        "climate-fever",
        "Climate-FEVER: claims on the climate",
        "8b66f0a9126c521bae2bde127b4dc99d",
        "http://climatefever.ai",
    ),
)


def _registered(archive: _Archive) -> DatasetEntry:
    return DatasetEntry(
        name=f"beir_{archive.dataset.replace('-', '_')}",
        title=f"BEIR, {archive.title}",
        files=(
            DatasetFile(
                url=f"{_BASE}/{archive.dataset}.zip",
                filename=f"{archive.dataset}.zip",
                sha256=archive.sha256,
                md5=archive.md5,
                size=archive.size,
            ),
        ),
        licence=archive.licence or unknown_licence(archive.homepage),
        homepage=archive.homepage,
        citation=_CITATION,
    )


BEIR = tuple(_registered(archive) for archive in _ARCHIVES)
_BY_DATASET = {archive.dataset: entry for archive, entry in zip(_ARCHIVES, BEIR, strict=True)}


def beir_entry(dataset: str, url: str | None = None) -> DatasetEntry:
    """The entry of a dataset in BEIR's format.

    Args:
        dataset: its id with BEIR, e.g. ``trec-covid``; or another one, of which nothing is known beforehand.
        url: another place to download it from; what is registered of the dataset holds there too.
    """
    known = _BY_DATASET.get(dataset)
    if known is None:
        address = url or f"{_BASE}/{dataset}.zip"
        return DatasetEntry(
            name=f"beir_{''.join(letter if letter in _IN_NAMES else '_' for letter in dataset)}",
            title=f"{dataset}, in BEIR's format{_not_registered(dataset) if url is None else ''}",
            files=(DatasetFile(url=address, filename=f"{dataset}.zip"),),
            licence=unknown_licence(address),
            homepage=_HOMEPAGE if url is None else url,
            citation=_CITATION if url is None else dataset,
        )
    if url is None:
        return known
    return known.model_copy(update={"files": (known.files[0].model_copy(update={"url": url}),)})


def _not_registered(dataset: str) -> str:
    guess = did_you_mean(dataset, _BY_DATASET)
    return f"; none of its datasets that are known here{f', {guess}' if guess else ''}"


_IN_NAMES = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_")
