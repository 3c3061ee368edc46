"""A browser that notices everything that must not happen: errors, violations of the policy, requests elsewhere."""

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, ConsoleMessage, Request, Response, Route, WebError

_POLICY = """
document.addEventListener("securitypolicyviolation", (event) => console.error(
  `policy violated: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`));
"""
_LOADING = re.compile(r"Failed to load resource: the server responded with a status of (\d+)")
_OURS = ("data:", "blob:", "about:")
_BROKEN = 500
_LEFT = "net::ERR_ABORTED"
"""What becomes of a request when its page is left, or when its answer is a file to save."""
_LEFT_SAID = ("htmx:afterRequest, ", "htmx:sendAbort, ")
"""What htmx says of a request of a page that is left."""


@dataclass
class Watch:
    """What went wrong on the pages of ``origin``; ``expected`` are statuses that a test asks for on purpose."""

    origin: str
    expected: set[int] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)
    dialogs: list[str] = field(default_factory=list)

    def follow(self, context: "BrowserContext") -> None:
        """Watch every page of ``context``."""
        context.add_init_script(_POLICY)
        context.route(re.compile(rf"^(?!{re.escape(self.origin)}/|{'|'.join(_OURS)})"), self._elsewhere)
        context.on("console", self._said)
        context.on("weberror", self._failed)
        context.on("response", self._answered)
        context.on("requestfailed", self._unanswered)

    def _elsewhere(self, route: "Route") -> None:
        self.faults.append(f"a request to another host: {route.request.url}")
        route.abort()

    def _said(self, message: "ConsoleMessage") -> None:
        if message.type not in {"error", "warning"} or message.text.startswith(_LEFT_SAID):
            return
        found = _LOADING.match(message.text)
        if found is None or int(found[1]) not in self.expected:
            self.faults.append(f"console: {message.text} ({message.location.get('url')})")

    def _failed(self, error: "WebError") -> None:
        self.faults.append(f"page error: {error.error}")

    def _answered(self, response: "Response") -> None:
        if response.status >= _BROKEN and response.status not in self.expected:
            self.faults.append(f"{response.status}: {response.url}")

    def _unanswered(self, request: "Request") -> None:
        if request.failure != _LEFT:
            self.faults.append(f"no answer: {request.url}: {request.failure}")
