"""A long context in chunks, as the memory hears it: in order, without overlap, cut where the text allows it best."""

from heams.scenarios.actions import SharedHistory, Turn


def chunks(context: str, most_tokens: int) -> list[str]:
    """The pieces of a context, each of at most ``most_tokens`` tokens of the shipped tokenizer.

    A piece takes as many whole paragraphs (between blank lines) as fit, of what does not fit whole lines, then whole
    sentences, then words. So an example with its label, or a numbered fact, is cut only where it alone is too long.
    White space around a piece is left out.
    """
    from heta_framework.kb.chunking.splitter import Splitter

    splitter = Splitter(encoding="wordllama", rule="semantic", chunk_size=most_tokens, overlap=0, marks=())
    (spans,) = splitter.split([context])
    return [context[span.char_start : span.char_end] for span in spans]


def history_of(context: str, most_tokens: int, name: str) -> SharedHistory:
    """A context as turns ``chunk-1``, ``chunk-2``, ... that the user says."""
    pieces = enumerate(chunks(context, most_tokens), start=1)
    return SharedHistory(id=name, events=tuple(Turn(id=f"chunk-{number}", content=text) for number, text in pieces))
