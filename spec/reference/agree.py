"""Judges many documents in one process, to compare the answers of another implementation.

A file has one case on each line: an object with `n`, `kind` and the inputs of the kind.
The answer to each case is one line.
"""

import json
import sys

import audit
import brought
import canonical
import dialects
import entry
import logfiles
import logs
import receipt
import rows
import several
import tlog
from life import Life
from refused import Refused


def _reader(case: dict) -> brought.Reader:
    mine = tuple(brought.check(own) for own in case.get("mine") or [])
    return brought.Reader(mine, case.get("players") or {}, case.get("seat"))


def of_entry(case: dict) -> dict:
    """The grammar alone."""
    try:
        return {"code": None, "entry_kind": entry.parse_entry(bytes.fromhex(case["hex"]))[0]}
    except Refused as refused:
        return {"code": refused.code, "entry_kind": None}


def of_receipt(case: dict) -> dict:
    """One receipt or opening."""
    try:
        verdict = receipt.verify(
            bytes.fromhex(case["hex"]), tlog.parse_key(case["key"]), _reader(case)
        )
    except canonical.NotJson:
        return {"verdict": None}
    return {"verdict": logs.without_says(verdict.to_json())}


def of_several(case: dict) -> dict:
    """Several receipts or openings: `files` is an array of {name, hex}."""
    files = [(file["name"], bytes.fromhex(file["hex"])) for file in case["files"]]
    try:
        found = several.verify(files, tlog.parse_key(case["key"]), _reader(case))
    except several.Unread:
        return {"exit": 3, "verdict": None}
    verdict = found.to_json()
    return {"exit": logs.exit_of(verdict), "verdict": logs.without_says(verdict)}


def of_entries(case: dict) -> dict:
    """A list of entries, one index after the other."""
    life, found = Life(tlog.parse_key(case["key"]), case["excerpt"]), []
    for n, data in enumerate(case["entries"]):
        found += life.apply(case["first"] + n, bytes.fromhex(data))
    return {"findings": [[f.code, f.index] for f in found]}


def of_export(case: dict) -> dict:
    """An exported log."""
    try:
        log = logfiles.Export("export", bytes.fromhex(case["hex"]))
    except logfiles.NotKnown:
        return {"verdict": None}
    return {"verdict": logs.without_says(audit.audit(log, tlog.parse_key(case["key"])).to_json)}


def of_mine(case: dict) -> dict:
    """Whether a file can be a reader's contribution."""
    try:
        brought.parse(bytes.fromhex(case["hex"]))
    except (canonical.NotJson, Refused):
        return {"ok": False}
    return {"ok": True}


def of_rows(case: dict) -> dict:
    """The first letters of the verdicts on a file's rows."""
    try:
        found = dialects.check(case["dialect"], bytes.fromhex(case["hex"]))
    except rows.NotRead:
        return {"rows": None}
    return {"rows": "".join(row["verdict"][0] for row in found["rows"])}


KINDS = {
    "entry": of_entry,
    "receipt": of_receipt,
    "several": of_several,
    "entries": of_entries,
    "export": of_export,
    "mine": of_mine,
    "rows": of_rows,
}


def answer(line: str) -> dict:
    """The answer to one case; `error` for a case that cannot be read."""
    number = None
    try:
        case = json.loads(line)
        number = case["n"]
        return {"n": number, **KINDS[case["kind"]](case)}
    except Exception as error:  # a fault of the case or of this program: report both
        return {"n": number, "error": f"{type(error).__name__}: {error}"}


def run(data: bytes, say) -> None:
    """Answers every line."""
    for line in data.decode("utf-8").split("\n"):
        if line.strip():
            say(json.dumps(answer(line)))
    sys.stdout.flush()
