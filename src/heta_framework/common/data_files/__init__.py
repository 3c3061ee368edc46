"""Files of data that others wrote, read strictly: whatever is wrong is named with its file, line and field."""

from heta_framework.common.data_files.confinement import confined_path
from heta_framework.common.data_files.errors import DatasetFormatError
from heta_framework.common.data_files.json_lines import read_rows
from heta_framework.common.data_files.reading import checked, parse_json, read_bytes

__all__ = ["DatasetFormatError", "checked", "confined_path", "parse_json", "read_bytes", "read_rows"]
