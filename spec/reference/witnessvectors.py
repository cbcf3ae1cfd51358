"""Vectors of witness.md: policy.json, cosignature.json, quorum.json."""

import json
from typing import Optional

import policy as policies
import tlog
from documentvectors import Shape, expect, take
from refused import Refused

MAX_NUMBER = 1 << 53  # a time above it is text (fixtures/README.md)


def _policy_bytes(vector: dict) -> bytes:
    if ("policy" in vector) == ("hex" in vector) or ("repeat" in vector) != ("times" in vector):
        raise Shape("has not exactly one of policy and hex, or has one of repeat and times alone")
    data = vector["policy"].encode("utf-8") if "policy" in vector else bytes.fromhex(vector["hex"])
    return vector.get("repeat", "").encode("utf-8") * vector.get("times", 0) + data


def policy(vector: dict) -> list:
    """policy.json"""
    outputs = {"hash", "logs", "witnesses", "q", "v", "counted_twice"}
    given = frozenset({"policy", "hex", "repeat", "times"})
    take(vector, set(), outputs, given | {"line"} if "error" in vector else given)
    try:
        of = policies.parse(_policy_bytes(vector))
    except policies.Fault as fault:
        if fault.code == vector.get("error") and fault.line != vector["line"]:
            return [f"expected a fault of line {vector['line']}, found {fault}"]
        raise
    return expect(
        vector,
        {
            "hash": of.hash.hex(),
            "logs": [tlog.key_text(key) for key in of.logs],
            "witnesses": [tlog.key_text(key) for key in of.witnesses().values()],
            "q": policies.liars_for_times(of),
            "v": policies.liars_for_views(of),
            "counted_twice": [
                [tlog.key_text(key) for key in pair] for pair in policies.counted_twice(of)
            ],
        },
    )


def _in_json(time: Optional[int]):
    return str(time) if time is not None and time > MAX_NUMBER else time


def cosignature(vector: dict) -> list:
    """cosignature.json: the note as a checkpoint, and as an anchor."""
    in_anchor = "signed_in_anchor"
    take(vector, {"policy", "note", in_anchor}, {"signed"})
    of, note = policies.parse(_policy_bytes(vector)), vector["note"].encode("utf-8")
    try:
        signed = policies.signed(of, note, is_anchor=True)
        found = [_in_json(time) for time in signed.values()]
    except Refused:
        found = None
    if found != vector[in_anchor]:
        return [
            f"{in_anchor}: expected {json.dumps(vector[in_anchor])}, found {json.dumps(found)}"
        ]
    try:
        times = policies.signed(of, note)
    except Refused as refused:
        raise Refused("refused", str(refused)) from None
    return expect(vector, {"signed": [_in_json(time) for time in times.values()]})


def quorum(vector: dict) -> list:
    """quorum.json"""
    take(vector, {"policy", "signed"}, {"quorum"})
    of, signed = policies.parse(_policy_bytes(vector)), vector["signed"]
    names = list(of.witnesses())
    if len(names) != len(signed):
        raise Shape(f"has {len(signed)} times for {len(names)} witnesses")
    times = {name: time and int(time) for name, time in zip(names, signed)}
    found = policies.quorum_times(of, times)
    return expect(vector, {"quorum": found and found._asdict()})
