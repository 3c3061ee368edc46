"""What the step cache keeps of a parsed document: its pages, and a summary of them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from heta_framework.common.text.surrogates import replace_surrogates
from heta_framework.kb.derived.fast_json import decode_json, decode_many, encode_json
from heta_framework.kb.parsing.types import Heading, ParsedDocument, ParsedPage, ParseIssue

if TYPE_CHECKING:
    from heta_framework.kb.context import StepExecutionContext
    from heta_framework.kb.derived.step_cache import StepCache

_FORMAT = 1


@dataclass(frozen=True, slots=True)
class ParseSummary:
    """What a listing needs to know of a parsed document, without its pages.

    Attributes:
        words: how many the pages have, parted by white space.
        is_blank: whether there is nothing to split.
    """

    words: int
    is_blank: bool
    issues: tuple[ParseIssue, ...] = ()


def encoded_document(document: ParsedDocument) -> bytes:
    """What is kept of a document: a line with the summary, then the pages.

    Characters that no store takes are U+FFFD.
    """
    pages = [_clean(page) for page in document.pages]
    summary = {
        "words": sum(len(page.text.split()) for page in pages),
        "is_blank": not any(page.text.strip() for page in pages),
        "issues": [[issue.code, issue.message, issue.severity] for issue in getattr(document, "issues", ())],
    }
    kept = [[page.page_index, page.text, *([page.headings] if page.headings else [])] for page in pages]
    return encode_json(summary) + b"\n" + encode_json(kept)


def decoded_summaries(kept: Mapping[str, bytes]) -> dict[str, ParseSummary]:
    """The summaries of what `encoded_document` kept of documents, by their parse keys."""
    found = decode_many(data[: data.index(b"\n")] for data in kept.values())
    return dict(zip(kept, map(_summary, found), strict=True))


def _summary(found: Mapping[str, Any]) -> ParseSummary:
    issues = tuple([ParseIssue(*issue) for issue in found["issues"]])
    return ParseSummary(found["words"], found["is_blank"], issues)


def decoded_pages(data: bytes) -> tuple[ParsedPage, ...]:
    """The pages of what `encoded_document` kept."""
    return tuple(
        ParsedPage(index, text, tuple(Heading(*heading) for heading in (headings[0] if headings else ())))
        for index, text, *headings in decode_json(data[data.index(b"\n") + 1 :])
    )


def parse_key(content_sha256: str, file_type: str, parser_identity: str) -> str:
    """The key of what this parser makes of these bytes as a document of this type."""
    joined = "\n".join((content_sha256, file_type, parser_identity))
    return hashlib.sha256(joined.encode("utf-8", "backslashreplace")).hexdigest()[:40]


def parse_cache(context: StepExecutionContext, store: str | None) -> StepCache:
    """Where the records of an object store are."""
    return context.cache("parse", _FORMAT, store=store)


def _clean(page: ParsedPage) -> ParsedPage:
    text = page.text.replace("\0", "\ufffd")
    text = text if text.isascii() else replace_surrogates(text)
    return page if text is page.text else ParsedPage(page.page_index, text, getattr(page, "headings", ()))
