"""Lines that are appended to files, forced to the disk in batches, and called durable only then."""

from heta_framework.common.durable_lines.append_only import AppendOnlyFile
from heta_framework.common.durable_lines.batch_writer import BatchWriter
from heta_framework.common.durable_lines.line_files import LineFiles
from heta_framework.common.durable_lines.text_book import TextBook, content_id, known_ids
from heta_framework.common.durable_lines.torn import cut_torn_line, torn_bytes

__all__ = [
    "AppendOnlyFile",
    "BatchWriter",
    "LineFiles",
    "TextBook",
    "content_id",
    "cut_torn_line",
    "known_ids",
    "torn_bytes",
]
