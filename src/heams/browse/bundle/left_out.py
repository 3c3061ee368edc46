"""What the file does not hold, in sentences: on the file itself, and in the terminal."""

from heams.browse.bundle.contents import MOST_COMPARED, Contents
from heams.reporting.figures import plural


def left_out(contents: Contents, most_samples: int) -> list[str]:
    """One sentence for each kind of page that was left out; there is always something."""
    cut = [choice for choice in contents.choices.values() if not choice.complete]
    sentences = []
    if cut:
        sentences.append(
            f"Of {plural(len(cut), 'experiment')} this file has at most {plural(most_samples, 'sample')} each, those "
            f"that failed first: {', '.join(choice.key for choice in cut)}."
        )
    if not contents.compared_all:
        sentences.append(f"Of each benchmark the first {MOST_COMPARED} experiments are compared.")
    sentences.append(
        "Lists under other metrics, filters and orders, the events of shared histories and the saved lines are not in "
        "this file; words that lead there in heams browse are plain text here."
    )
    return sentences
