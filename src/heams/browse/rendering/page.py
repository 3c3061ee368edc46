"""A view model becomes a response: one template, or one block of it for the parts that htmx replaces."""

from http import HTTPStatus
from typing import Any

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse

from heams.browse.rendering.environment import environment
from heams.browse.rendering.links import Here


def render(
    request: Request,
    template: str,
    *,
    block: str | None = None,
    status: int = HTTPStatus.OK,
    section: str = "",
    **view: Any,
) -> HTMLResponse:
    """A page from ``templates/<template>``; with ``block`` only that block of it.

    Templates see what is in ``view``, and: ``here`` (the address of this page, ``here(page=2)`` with changes),
    ``csrf_field`` (for every form that posts), ``csrf_token``, ``section`` (which entry of the navigation is current),
    ``links``, ``static_url``. Blocks that are rendered alone import the macros that they use within the block.
    """
    token = request.app.state.csrf_token
    names = {
        **view,
        "section": section,
        "here": Here.of(request),
        "csrf_token": token,
        "csrf_field": Markup('<input type="hidden" name="csrf" value="{}">').format(token),
    }
    found = environment().get_template(template)
    if block is None:
        return _answer(found.render(names), status)
    return _answer("".join(found.blocks[block](found.new_context(names))), status)


def _answer(page: str, status: int) -> HTMLResponse:
    """Half characters (lone surrogates), which no encoding knows, are written as escapes."""
    return HTMLResponse(page.encode("utf-8", "backslashreplace"), status_code=status)
