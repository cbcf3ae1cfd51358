"""The command that measures docs/costs.md still runs, and its verdicts are the command's."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT


@pytest.mark.long
def test_the_measurements_run_and_every_verdict_is_the_commands(
    program: str, tmp_path: Path
) -> None:
    line = [
        sys.executable,
        ROOT / "bindings/python/scale.py",
        "--program",
        program,
        "--entries",
        "10000",
        "--output",
        tmp_path,
        "--pictures",
        tmp_path,
        "--only",
        "curves",
        "interleaving",
    ]
    done = subprocess.run(line, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    figures = json.loads((tmp_path / "figures.json").read_text())
    assert [row["entries"] // 1000 for row in figures["curves"]] == [1, 10]
    assert [(row["open"], row["same"]) for row in figures["interleaving"]] == [
        (1, True),
        (100, True),
        (10_000, True),
    ]
    assert "svg" in (tmp_path / "scale-crossing.svg").read_text()
