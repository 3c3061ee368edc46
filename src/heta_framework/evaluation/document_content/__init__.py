"""The bytes of a benchmark's document: at hand, in a file, or fetched from its address; limited and checked.

An address is ``http://`` or ``https://`` (fetched with httpx) or ``file://`` (only below the benchmark's folder). Where
the document's metadata holds ``sha256``, its bytes must have that hash, wherever they come from.
"""

from heta_framework.evaluation.document_content.limits import ContentLimits
from heta_framework.evaluation.document_content.reader import ContentReader, read_content

__all__ = ["ContentLimits", "ContentReader", "read_content"]
