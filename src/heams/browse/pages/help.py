"""What everything on the pages means: verdicts, scores, the filter language, and every key."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from heams.browse.filters import FIELDS
from heams.browse.rendering.page import render

VERDICTS = (
    ("pass", "The evaluator accepted it, or its value is 1."),
    ("partial", "A value between 0 and 1, of a metric that knows no passing."),
    ("fail", "The evaluator did not accept it, or its value is 0."),
    ("unscored", "There is no value: a judge could not be read, or nothing was labelled. Left out of the mean."),
    ("error", "The scenario or its scoring failed. Counted as 0."),
    ("unsupported", "Agent or memory system cannot do what was asked. Counted as 0."),
    ("skipped", "The benchmark leaves it out on purpose. In no mean and no n."),
)
FILTERS = (
    ("verdict:fail", "everything that failed"),
    ("verdict:fail,partial", "either of them; OR joins longer terms"),
    ("value<0.5", "a number below another; also <=, >, >=, =, !="),
    ("tag.category:temporal", "a tag with this value"),
    ('criterion:"Time is over"', "values with spaces stand in quotes"),
    ('text~"Paris"', "the words of question, expected, observed or reason contain it"),
    ("NOT outcome:scored", "whatever has no score"),
)


def routes() -> list[Route]:
    """``/help``."""
    return [Route("/help", _help)]


def _help(request: Request) -> Response:
    return render(
        request, "help.html", section="help", verdicts=VERDICTS, filters=FILTERS, fields=tuple(FIELDS.values())
    )
