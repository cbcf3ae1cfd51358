"""Vectors of whole documents, with their expected verdicts: receipts.json, several.json, evidence.json, exports.json."""

import base64
import json
from typing import Optional

import audit
import brought
import canonical
import logfiles
import logs
import policy as policies
import receipt
import several as together
import tlog
from logs import Shape
from refused import Refused

READER = frozenset({"mine", "players", "seat", "policy"})


def take(vector: dict, inputs: set, outputs: set, optional: frozenset = frozenset()) -> None:
    """Check that a vector has exactly its inputs, `name`, and its outputs or `error`."""
    names = set(vector)
    needed = inputs | {"name"} | ({"error"} if "error" in vector else outputs)
    if needed - names:
        raise Shape(f"has no {', '.join(sorted(needed - names))}")
    if names - needed - optional:
        raise Shape(f"has an unknown {', '.join(sorted(names - needed - optional))}")


def expect(vector: dict, found: dict) -> list:
    """How the result differs from the vector."""
    if "error" in vector:
        return [f"expected error {vector['error']}, found {json.dumps(found)[:300]}"]
    return [
        f"{name}: expected {json.dumps(vector.get(name))[:300]}, found {json.dumps(value)[:300]}"
        for name, value in found.items()
        if vector.get(name) != value
    ]


def policy(vector: dict, key: tlog.VerifierKey) -> Optional[policies.Policy]:
    """The text `policy` of a vector, if it has one; raises Refused."""
    if vector.get("policy") is None:
        return None
    return policies.of_log(vector["policy"].encode("utf-8"), key)


def reader(vector: dict, key: tlog.VerifierKey) -> brought.Reader:
    """The reader's inputs; raises Refused."""
    of = policy(vector, key)
    mine = tuple(brought.check(own) for own in vector.get("mine") or [])
    return brought.Reader(mine, vector.get("players") or {}, vector.get("seat"), policy=of)


def against(vector: dict, judge) -> list:
    """How a vector's exit and verdict differ; `judge` raises if there is no verdict."""
    try:
        verdict, says = judge(), None
        code = logs.exit_of(verdict)
    except together.NotJoined as error:
        verdict, code, says = error.found.to_json(), 3, str(error)
    except (canonical.NotJson, logfiles.NotKnown, together.Unread) as error:
        verdict, code, says = {}, 3, str(error)
    except Refused as error:
        verdict, code, says = {}, 2, str(error)
    wrong = [] if code == vector["exit"] else [f"expected exit {vector['exit']}, found {code}"]
    wrong += logs.differences(vector.get("verdict", {}), verdict)
    says = says or verdict["findings"]
    return wrong + ([f"it says: {says}"] if wrong and says else [])


def receipts(vector: dict) -> list:
    """receipts.json: verdicts, without the `says` of their findings."""
    take(vector, {"file", "key", "exit"}, set(), READER | {"verdict"})
    key = tlog.parse_key(vector["key"])

    def judge() -> dict:
        own = reader(vector, key)
        verdict = receipt.verify(vector["file"].encode("utf-8"), key, own)
        receipt.check_seat(own.seat, [verdict])
        if not verdict.findings:
            together.require_compared([verdict], verdict)
        return verdict.to_json()

    return against(vector, judge)


def _content(file: dict) -> bytes:
    """A file: exactly this `text`, or JSON as `file`."""
    if set(file) - {"kept"} not in ({"name", "text"}, {"name", "file"}):
        raise Shape("has a file that is not name and text, or name and file")
    return (file["text"] if "text" in file else json.dumps(file["file"])).encode("utf-8")


def given(name: str, data: bytes, of: dict) -> together.Given:
    """A file as a command is given it; `of` may have `kept`, which is true."""
    if not of.get("kept", True):
        raise Shape("has kept, which is not true")
    return together.Given(name, data, "kept" in of)


def since(vector: dict) -> Optional[bytes]:
    """The note of a saved view."""
    return vector["since"].encode("utf-8") if "since" in vector else None


def several(vector: dict) -> list:
    """several.json: the verdicts on several files."""
    take(vector, {"files", "key", "exit"}, set(), READER | {"verdict", "since"})
    files = [given(file["name"], _content(file), file) for file in vector["files"]]
    key, view = tlog.parse_key(vector["key"]), since(vector)
    return against(
        vector, lambda: together.verify(files, key, reader(vector, key), view).to_json()
    )


def evidence(vector: dict) -> list:
    """evidence.json: the verdicts on evidence, whose file is named evidence.json."""
    take(vector, {"file", "key", "exit"}, set(), frozenset({"verdict", "kept"}))
    files = [given("evidence.json", vector["file"].encode("utf-8"), vector)]
    key = tlog.parse_key(vector["key"])
    return against(vector, lambda: together.verify(files, key).to_json())


def exports(vector: dict) -> list:
    """exports.json: the verdicts on exported logs."""
    take(vector, {"export", "key", "exit"}, set(), frozenset({"verdict"}))
    data, key = base64.b64decode(vector["export"], validate=True), tlog.parse_key(vector["key"])
    return against(vector, lambda: audit.audit(logfiles.Export("export", data), key).to_json)
