"""Shared by the tests: the repository's root, the fixtures, and the command."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]

Command = Callable[..., tuple[int, dict[str, Any]]]


@pytest.fixture(autouse=True)
def at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    """The examples of the documentation name the fixtures from there."""
    monkeypatch.chdir(ROOT)
    monkeypatch.delenv("FAIRDEAL_TRUST", raising=False)


@pytest.fixture(scope="session")
def program() -> str:
    """The command: FAIRDEAL names it. Without it the tests fail."""
    program = os.environ.get("FAIRDEAL")
    assert program, "expected the command's path in FAIRDEAL"
    return program


@pytest.fixture(scope="session")
def command(program: str) -> Command:
    """Runs the command with --json; returns its exit code and its object."""

    def run(*arguments: object, stdin: bytes = b"") -> tuple[int, dict[str, Any]]:
        line = [program, *(str(one) for one in arguments), "--json"]
        done = subprocess.run(line, input=stdin, capture_output=True, cwd=ROOT, check=False)
        assert done.stdout, done.stderr.decode()
        return done.returncode, json.loads(done.stdout)

    return run


@pytest.fixture(scope="session")
def generated(program: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log of some thousand entries."""
    folder = tmp_path_factory.mktemp("logs") / "generated"
    subprocess.run([program, "generate", "--deals", "3000", "-o", folder], check=True, capture_output=True)
    return folder


def without_says(verdict: dict[str, Any]) -> dict[str, Any]:
    """A verdict in the form of the fixtures: without texts for people."""
    plain: dict[str, Any] = json.loads(json.dumps(verdict))
    for findings in [plain.get("findings", []), *(one.get("findings", []) for one in plain.get("receipts", []))]:
        for finding in findings:
            finding.pop("says", None)
    return plain


def vectors(name: str) -> list[Any]:
    """The vectors of a file, each a separate case."""
    read = json.loads((ROOT / "fixtures/vectors" / f"{name}.json").read_text())["vectors"]
    return [pytest.param(one, id=one["name"]) for one in read]


def cases(folder: str, command: str | None = None) -> list[Any]:
    """The folders with a case.json, or those whose case is for this command."""
    found = sorted((ROOT / "fixtures" / folder).glob("*/case.json"))
    assert len(found) > 50, f"only {len(found)} cases in {folder}"
    if command is not None:
        found = [path for path in found if json.loads(path.read_text())["command"] == command]
    return [pytest.param(path.parent.relative_to(ROOT), id=path.parent.name) for path in found]
