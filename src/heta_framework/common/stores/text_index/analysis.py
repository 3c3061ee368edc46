"""How text becomes terms: the same for what is indexed and for what is asked.

A question is never parsed: quotes, `AND`, `:` and `^` are words or separators, so no text can be a syntax error.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cached_property

import tantivy

from heta_framework.common.stores.text_index.stop_words import ENGLISH
from heta_framework.common.stores.text_index.types import Stemmer, StopWords
from heta_framework.common.text.surrogates import replace_surrogates

_LONGEST_TERM_BYTES = 40
# Han and Hiragana are written without spaces: each character is a word, as Unicode's word boundaries (UAX 29) have it
_UNSPACED = re.compile("([\u3005-\u3007\u3041-\u309f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])")


class Analysis:
    """Words, lower-cased and stemmed; those of over 40 bytes are noise (keys, base64) and left out.

    With the stemmer "english" this is tantivy's `en_stem` (Snowball English). Text beyond ASCII is brought to NFKC
    first, so that composed and decomposed accents and full-width forms agree.
    """

    def __init__(self, stemmer: Stemmer = "english", stop_words: StopWords = "none") -> None:
        self.stemmer = stemmer
        self.stop_words = stop_words

    @property
    def tokenizer_name(self) -> str:
        """The name under which an index registers `analyzer`."""
        return f"heta_{self.stemmer}"

    @cached_property
    def analyzer(self) -> tantivy.TextAnalyzer:
        """tantivy's analyzer for text that went through `clean`."""
        return self._builder().build() if self.stemmer == "none" else self._stemming(self._builder()).build()

    @cached_property
    def _asking(self) -> tantivy.TextAnalyzer:
        builder = self._builder()
        if self.stop_words == "english":
            builder = builder.filter(tantivy.Filter.custom_stopword(sorted(ENGLISH)))
        return builder.build() if self.stemmer == "none" else self._stemming(builder).build()

    @staticmethod
    def clean(text: str) -> str:
        """The text as the analyzer is to see it."""
        if text.isascii():
            return text
        return _UNSPACED.sub(r" \1 ", unicodedata.normalize("NFKC", replace_surrogates(text)))

    def query_terms(self, text: str) -> list[str]:
        """The distinct terms of a question in order of first mention, without stop words where these are left out.

        Stop words go from the question alone: documents keep them, so an index serves both ways of asking.
        """
        return list(dict.fromkeys(self._asking.analyze(self.clean(text))))

    @staticmethod
    def _builder() -> tantivy.TextAnalyzerBuilder:
        return (
            tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
            .filter(tantivy.Filter.remove_long(_LONGEST_TERM_BYTES))
            .filter(tantivy.Filter.lowercase())
        )

    @staticmethod
    def _stemming(builder: tantivy.TextAnalyzerBuilder) -> tantivy.TextAnalyzerBuilder:
        return builder.filter(tantivy.Filter.stemmer("english"))
