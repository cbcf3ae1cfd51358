"""Attacks, each a file with its expected verdict (fixtures/README.md)."""

import base64
import json
import os
import struct

import audit
import logfiles
import logs
import tlog
from documentvectors import Shape, against, policy, several, take

INPUTS = ("as_of", "clock", "missed", "policy")


class Files:
    """A log whose files are in a case."""

    def __init__(self, files: dict):
        self.name = "log"
        self._files = {path: _bytes(path, content) for path, content in files.items()}
        self.note = self._files["checkpoint"]

    def read(self, path: str):
        """One file's bytes; None if it is missing."""
        return self._files.get(path)


def _bytes(path: str, content) -> bytes:
    """A file: a checkpoint's text, a bundle's entries, or the base64 of a hash tile."""
    if isinstance(content, list):
        entries = [entry.encode("utf-8") for entry in content]
        return b"".join(struct.pack(">H", len(entry)) + entry for entry in entries)
    return (
        content.encode("utf-8")
        if path == "checkpoint"
        else base64.b64decode(content, validate=True)
    )


def _audit(case: dict) -> list:
    source = "export" if "export" in case else "log"
    take(case, {source, "key", "exit"}, set(), frozenset({"verdict", *INPUTS}))
    key, missed = tlog.parse_key(case["key"]), logs.read_missed(case)

    def judge() -> dict:
        of = policy(case, key)
        given = audit.Inputs(case.get("as_of"), case.get("clock"), missed=missed, policy=of)
        if source == "log":
            log = Files(case["log"])
        else:
            log = logfiles.Export("export", base64.b64decode(case["export"], validate=True))
        return audit.audit(log, key, given).to_json

    return against(case, judge)


def check(path: str) -> list:
    """What is wrong about one attack's verdict; empty if nothing is."""
    with open(path, "rb") as file:
        case = json.loads(file.read())
    command = case.pop("command")
    if command not in ("verify", "audit") or not case.pop("about"):
        raise Shape(f"has an unknown command, {command!r}, or is about nothing")
    return (several if command == "verify" else _audit)({"name": os.path.basename(path), **case})


def run(folder: str, say) -> bool:
    """Check every attack of a folder; prints each failure and the count."""
    return logs.run(folder, say, check)
