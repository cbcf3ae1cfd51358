"""Folders of logs with their expected verdicts (fixtures/README.md)."""

import json
import os
from typing import Optional

import audit
import logfiles
import policy as policies
import tlog

MEMBERS = {"about", "as_of", "clock", "skip_signatures", "since", "missed", "verdict"}


class Shape(ValueError):
    """A case does not have the shape of its kind."""


def bytes_of(folder: str, name: str) -> bytes:
    """A file in the folder of a case."""
    with open(os.path.join(folder, name), "rb") as file:
        return file.read()


def read_case(folder: str) -> dict:
    """A folder's case.json."""
    case = json.loads(bytes_of(folder, "case.json"))
    if not isinstance(case, dict):
        raise Shape("case.json is not an object")
    return case


def check_members(case: dict, members: set) -> None:
    """Refuse a case with other members than these."""
    if set(case) != members:
        raise Shape(
            f"case.json: expected {', '.join(sorted(members))}, found {', '.join(sorted(case))}"
        )


def read_key(folder: str) -> tlog.VerifierKey:
    """The key in the folder of a case."""
    return tlog.parse_key(bytes_of(folder, "key").decode().removesuffix("\n"))


def read_policy(folder: str, key: tlog.VerifierKey) -> Optional[policies.Policy]:
    """The policy in the folder of a case, if there is one; raises Refused."""
    if not os.path.exists(os.path.join(folder, "policy")):
        return None
    return policies.of_log(bytes_of(folder, "policy"), key)


def read_missed(case: dict) -> tuple:
    """The input `missed` of a case."""
    missed = case.get("missed") or []
    if any(set(of) != {"commitment", "clock"} for of in missed):
        raise Shape("missed: expected objects of commitment and clock")
    return tuple((of["commitment"], of["clock"]) for of in missed)


def without_says(verdict: dict) -> dict:
    """A verdict without the `says` of its findings and of its receipts."""
    bare = dict(verdict)
    if "error" in verdict:
        bare["error"] = {"code": verdict["error"]["code"]}
    if "findings" in verdict:
        bare["findings"] = [
            {name: v for name, v in f.items() if name != "says"} for f in verdict["findings"]
        ]
    if "receipts" in verdict:
        bare["receipts"] = [without_says(r) for r in verdict["receipts"]]
    return bare


def differences(expected: dict, found: dict) -> list:
    """Where two verdicts differ, except in `says`."""
    a, b = without_says(expected), without_says(found)
    return [
        f"{name}: expected {json.dumps(a.get(name))[:1000]}, found {json.dumps(b.get(name))[:1000]}"
        for name in sorted({*a, *b})
        if json.dumps(a.get(name), sort_keys=True) != json.dumps(b.get(name), sort_keys=True)
    ]


def exit_of(verdict: dict) -> int:
    """The exit code of a command that gives this verdict."""
    if verdict["holds"]:
        return 0
    is_found = any(v.get("findings") for v in (verdict, *verdict.get("receipts", [])))
    return 1 if is_found else 3  # 3: a file could not be read (receipt.md 11.5)


def read_log(folder: str):
    """The log in the folder of a case: a folder, or one file."""
    export = os.path.join(folder, "export")
    return logfiles.read_log(export if os.path.exists(export) else folder)


def judge(folder: str, case: dict) -> dict:
    """The verdict on a case's log; raises logfiles.NotKnown."""
    since = tuple((name, bytes_of(folder, name)) for name in case["since"])
    missed, key = read_missed(case), read_key(folder)
    of = read_policy(folder, key)
    given = audit.Inputs(case["as_of"], case["clock"], case["skip_signatures"], since, missed, of)
    return audit.audit(read_log(folder), key, given).to_json


def check(folder: str) -> list:
    """The faults of one log's verdict; empty if there is none."""
    case = read_case(folder)
    check_members({"missed": None, **case}, MEMBERS)
    return differences(case["verdict"], judge(folder, case))


def run(folder: str, say, checks=check) -> bool:
    """Judge every case of a folder; prints each failure and the count."""
    passed = failed = 0
    for name in sorted(os.listdir(folder)):
        try:
            wrong = checks(os.path.join(folder, name))
        except (
            OSError,
            ValueError,
            KeyError,
            TypeError,
            AttributeError,
            logfiles.NotKnown,
        ) as error:
            wrong = [f"{type(error).__name__}: {error}"]
        if wrong:
            failed += 1
            say(f"FAILED {name}: {'; '.join(wrong)}")
        else:
            passed += 1
    say(f"{passed} passed, {failed} failed")
    return failed == 0 and passed > 0
