"""Tests of steps import ``step_bench`` by name."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
