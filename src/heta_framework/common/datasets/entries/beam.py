"""BEAM: four of its twenty chats of 100K, from its repository at one commit."""

from heta_framework.common.datasets.entries.licences import CC_BY_SA_4
from heta_framework.common.datasets.entry import DatasetEntry, DatasetFile

_CHATS = "https://raw.githubusercontent.com/mohammadtavakoli78/BEAM/b2a3ee8ba12d68f83143dda191097dc3e028ddd3/chats/100K"
_CHAT_FILES = {
    1: ("ea71efd5dcc13f7366d3737b45d532eadb3d1497f3d6f23d1fa1c4004d5ffdf2", 564_977),
    2: ("3a3bd796f4aa24e8f34e718dc2823ae942663349eb89054f03885051e2daf1c4", 535_114),
    3: ("432d3ae5493c04a17a5b6b0ef7c012a70e70ac5cfcaef13059fca6bedb903009", 552_331),
    4: ("e0ef0f74b1f7ac911e8e0518722335c422cbc1112048e9909911b208c51fc027", 720_144),
}
_QUESTION_FILES = {
    1: ("047398ff1497674b11585e7b4829c3d64d2d5e63f7f3572c826b73ca1faaf898", 31_547),
    2: ("d188e929644c9ef9fcd4520e7b5a3daf2c2e069b1247a324bd13d5aadd1ed96e", 29_546),
    3: ("f53030f3753b0e0a93b330bc62d597cb66375c0c794094d7e69b7646df46e324", 32_522),
    4: ("f69eda522cd7325830c8f78b6f02a571c992b6cf43311fa96f28043fd3c18dae", 34_657),
}

BEAM = DatasetEntry(
    name="beam",
    title="BEAM: ten memory abilities over long chats",
    files=(
        *(
            DatasetFile(url=f"{_CHATS}/{chat}/chat.json", filename=f"100K_{chat}_chat.json", sha256=sha256, size=size)
            for chat, (sha256, size) in _CHAT_FILES.items()
        ),
        *(
            DatasetFile(
                url=f"{_CHATS}/{chat}/probing_questions/probing_questions.json",
                filename=f"100K_{chat}_probing_questions.json",
                sha256=sha256,
                size=size,
            )
            for chat, (sha256, size) in _QUESTION_FILES.items()
        ),
    ),
    licence=CC_BY_SA_4,
    homepage="https://github.com/mohammadtavakoli78/BEAM",
    citation=(
        "Tavakoli, Salemi, Ye, Abdalla, Zamani and Mitchell, "
        '"Beyond a Million Tokens: Benchmarking and Enhancing Long-Term Memory in LLMs", ICLR 2026, arXiv:2510.27246'
    ),
    notes="4 of the 20 chats of 100K, 80 questions; its repository holds all 100 chats, of up to 10M tokens.",
)
