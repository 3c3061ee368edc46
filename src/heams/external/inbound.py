"""What a line from a program says: the answer to a request, or a question to the memory."""

from heams.external.checking import Misfit, problem_of
from heams.external.codec import decode, quoted
from heams.external.exchange import AskedBack
from heams.external.protocol import CALL_ID, RESPONSE, Response


class NoMessage(Exception):  # noqa: N818 - what was read, in words
    """A line breaks the protocol."""


def read_message(line: bytes) -> Response | AskedBack:
    """The message in a line.

    Raises:
        NoMessage: the line is none; names the fault and quotes the line's beginning.
    """
    try:
        message = decode(line)
    except ValueError as error:
        raise NoMessage(
            f"it wrote a line that is no message ({error}; logs belong on stderr): {quoted(line)}"
        ) from None
    if "call" in message:
        name = problem_of(CALL_ID, message["call"], "call")
        if isinstance(name, Misfit):
            raise NoMessage(f"it wrote a line that is no message ({name.text}): {quoted(line)}")
        return AskedBack(message)
    response = problem_of(RESPONSE, message)
    if isinstance(response, Misfit):
        raise NoMessage(f"it wrote a line that is no message ({response.text}): {quoted(line)}")
    return response
