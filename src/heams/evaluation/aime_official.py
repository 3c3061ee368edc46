"""AIME answers as Dynamic Cheatsheet reads and compares them, mistakes included.

Dynamic Cheatsheet (arXiv 2504.07952, https://github.com/suzgunmirac/dynamic-cheatsheet, commit 1cf258c9, MIT):
``extract_answer``, and ``eval_for_exact_matching_with_no_punctuation`` as ``run_benchmark.py`` calls it for AIME.
"""

NOT_FOUND = "No final answer found"
_HEADER, _FENCES = "FINAL ANSWER", ("```", "'''")
_DROPPED = str.maketrans({"\n": " ", **dict.fromkeys(',;:."')})


def official_answer(response: str) -> str:
    """What follows the last ``<answer>``, else what stands in the first fence after the last ``FINAL ANSWER``.

    Raises:
        TypeError: ``response`` is no text.
    """
    try:
        if "<answer>" in response:
            return response.split("<answer>")[-1].strip().split("</answer>")[0].strip()
        return _fenced(response)
    except (AttributeError, IndexError):
        return NOT_FOUND


def official_equal(output: str, target: str) -> bool:
    """Whether an extracted text, without ``, ; : . "``, is the target; the target is not cleaned.

    Raises:
        AttributeError: ``output`` is no text.
    """
    return output.translate(_DROPPED) == target


def official_is_right(response: str, target: str) -> bool:
    """The official verdict on a response."""
    return official_equal(official_answer(response).lower(), target.lower())


def _fenced(response: str) -> str:
    if _HEADER not in response:
        return NOT_FOUND
    rest = response.split(_HEADER)[-1].strip()
    if rest[0] == ":":
        rest = rest[1:].strip()
    fences = [fence for fence in _FENCES if fence in rest]
    content = rest.split(min(fences, key=rest.find) if fences else _FENCES[0])[1].strip()
    first, _, others = content.partition("\n")
    return others.strip() if first.strip().lower() == "python" else content
