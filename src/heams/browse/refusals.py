"""Answers to requests that never reach a page: plain text, because nothing about the asker is known to be right."""

from http import HTTPStatus

from starlette.responses import PlainTextResponse


def refusal(status: HTTPStatus, words: str) -> PlainTextResponse:
    """A refusal in words."""
    return PlainTextResponse(f"{status.value} {status.phrase}\n\n{words}\n", status_code=status)
