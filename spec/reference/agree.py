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
import rafflevectors
import rows
import several
import tlog
from documentvectors import given, policy, reader, since
from life import Life
from refused import Refused


def of_entry(case: dict) -> dict:
    """The grammar alone."""
    try:
        return {"code": None, "entry_kind": entry.parse_entry(bytes.fromhex(case["hex"]))[0]}
    except Refused as refused:
        return {"code": refused.code, "entry_kind": None}


def of_files(case: dict) -> dict:
    """Files as a command is given them: `files` of {name, hex, optional kept}, and `since`."""
    files = [given(file["name"], bytes.fromhex(file["hex"]), file) for file in case["files"]]
    key = tlog.parse_key(case["key"])
    try:
        found = several.verify(files, key, reader(case, key), since(case))
    except several.NotJoined as error:
        return {"exit": 3, "verdict": logs.without_says(error.found.to_json())}
    except (several.Unread, logfiles.NotKnown):
        return {"exit": 3, "verdict": None}
    except Refused:
        return {"exit": 2, "verdict": None}
    verdict = found.to_json()
    return {"exit": logs.exit_of(verdict), "verdict": logs.without_says(verdict)}


def of_entries(case: dict) -> dict:
    """A list of entries, one index after the other."""
    key, found = tlog.parse_key(case["key"]), []
    life = Life(key, case["excerpt"], policy=policy(case, key))
    for n, data in enumerate(case["entries"]):
        found += life.apply(case["first"] + n, bytes.fromhex(data))
    return {"findings": [[f.code, f.index] for f in found]}


def of_export(case: dict) -> dict:
    """An exported log, with the other inputs of its audit."""
    since, key = enumerate(case.get("since", [])), tlog.parse_key(case["key"])
    try:
        given = audit.Inputs(
            as_of=case.get("as_of"),
            clock=case.get("clock"),
            since=tuple((f"since-{at}.note", note.encode("utf-8")) for at, note in since),
            missed=tuple((one["commitment"], one["clock"]) for one in case.get("missed", [])),
            policy=policy(case, key),
        )
        log = logfiles.Export("export", bytes.fromhex(case["hex"]))
        found = audit.audit(log, key, given).to_json
    except logfiles.NotKnown:
        return {"exit": 3, "verdict": None}
    except Refused:
        return {"exit": 2, "verdict": None}
    return {"exit": logs.exit_of(found), "verdict": logs.without_says(found)}


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


def of_raffle(case: dict) -> dict:
    """A raffle's document and its list, with the other inputs of a vector (rafflevectors.py)."""
    given = {name: value for name, value in case.items() if name not in ("n", "kind")}
    code, verdict, _ = rafflevectors.verdict_of(given)
    return {"exit": code, "verdict": logs.without_says(verdict) if verdict else None}


KINDS = {
    "entry": of_entry,
    "files": of_files,
    "entries": of_entries,
    "export": of_export,
    "mine": of_mine,
    "rows": of_rows,
    "raffle": of_raffle,
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
