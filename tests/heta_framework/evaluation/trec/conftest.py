"""Tests of this folder import ``official_scores`` by name."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
