"""Shared by the tests: the repository's root, the fixtures, and the command."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]

Command = Callable[..., tuple[int, dict[str, Any]]]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests marked ``long`` run with FAIRDEAL_LONG=1, which ``./check --long`` sets."""
    if os.environ.get("FAIRDEAL_LONG") != "1":
        for item in items:
            if item.get_closest_marker("long"):
                item.add_marker(pytest.mark.skip(reason="./check --long runs it"))


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
    subprocess.run(
        [program, "generate", "--deals", "3000", "-o", folder], check=True, capture_output=True
    )
    return folder


def without_says(verdict: dict[str, Any]) -> dict[str, Any]:
    """A verdict in the form of the fixtures: without texts for people."""
    plain: dict[str, Any] = json.loads(json.dumps(verdict))
    for findings in [
        plain.get("findings", []),
        *(one.get("findings", []) for one in plain.get("receipts", [])),
    ]:
        for finding in findings:
            finding.pop("says", None)
    for one in plain.get("receipts", []):
        one.get("error", {}).pop("says", None)
    return plain


def under_policy(folder: Path) -> tuple[dict[str, Any], list[object]]:
    """The policy of a case, for the package and for the command; nothing if it has none."""
    path = folder / "policy"
    return ({"policy": path}, ["--policy", path]) if path.exists() else ({}, [])


def vectors(name: str) -> list[Any]:
    """The vectors of a file, each a separate case."""
    read = json.loads((ROOT / "fixtures/vectors" / f"{name}.json").read_text())["vectors"]
    return [pytest.param(one, id=one["name"]) for one in read]


UNPACKED = tempfile.TemporaryDirectory()


def content(path: str, value: Any) -> bytes:
    """A log's file in an attack: a checkpoint's text, a bundle's entries, or the base64 of anything else."""
    if isinstance(value, list):
        entries = [entry.encode() for entry in value]
        return b"".join(len(entry).to_bytes(2, "big") + entry for entry in entries)
    return value.encode() if path == "checkpoint" else base64.b64decode(value)


def unpack(path: Path) -> Path:
    """A folder with the files of an attack, and a case.json that names them."""
    case = json.loads(path.read_text())
    log = {"export": case["export"]} if "export" in case else case.get("log", {})
    files = {name: content(name, value) for name, value in log.items()}
    texts = {
        one["name"]: one["text"] if "text" in one else json.dumps(one["file"])
        for one in case.get("files", [])
    }
    kept = [one["name"] for one in case.get("files", []) if "kept" in one]
    mine = {f"mine-{at}.json": json.dumps(own) for at, own in enumerate(case.get("mine", []))}
    absent = {
        "as_of": None,
        "clock": None,
        "skip_signatures": False,
        "since": [],
        "players": {},
        "seat": None,
    }
    given = [name for name in texts if name not in kept]
    case = {**absent, **case, "files": given, "mine": [*mine, *kept]}
    texts = {**texts, **mine, "key": case["key"], "case.json": json.dumps(case)}
    if "policy" in case:
        texts["policy"] = case["policy"]
    folder = Path(UNPACKED.name) / path.stem
    for name, data in {**files, **{name: text.encode() for name, text in texts.items()}}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


def cases(fixtures: str, command: str | None = None) -> list[Any]:
    """The folders of the logs with their case.json, or those of the attacks on a command."""
    found = sorted(
        (ROOT / "fixtures" / fixtures).glob("*/case.json" if command is None else "*.json")
    )
    assert len(found) > 50, f"only {len(found)} cases in {fixtures}"
    if command is None:
        folders = [path.parent.relative_to(ROOT) for path in found]
    else:
        folders = [
            unpack(path) for path in found if json.loads(path.read_text())["command"] == command
        ]
    return [pytest.param(folder, id=folder.name) for folder in folders]
