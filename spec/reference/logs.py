"""Folders of logs with the verdicts that are expected of them (fixtures/README.md)."""

import json
import os

import audit
import logfiles
import tlog


def _without_says(verdict: dict) -> str:
    findings = [{name: v for name, v in f.items() if name != "says"} for f in verdict["findings"]]
    return json.dumps({**verdict, "findings": findings}, sort_keys=True)


def check(folder: str) -> list:
    """What is wrong about one log's verdict; empty where nothing is."""

    def bytes_of(name: str) -> bytes:
        with open(os.path.join(folder, name), "rb") as file:
            return file.read()

    case = json.loads(bytes_of("case.json"))
    key = tlog.parse_key(bytes_of("key").decode().removesuffix("\n"))
    files, note = logfiles.read_log(folder)
    since = [(name, bytes_of(name)) for name in case["since"]]
    found = audit.audit(files, note, key, case["now"], since).to_json
    expected = case["expect"]
    if _without_says(found) == _without_says(expected):
        return []
    return [
        f"{name}: expected {json.dumps(expected.get(name))[:1000]}, found {json.dumps(found.get(name))[:1000]}"
        for name in sorted({*expected, *found})
        if expected.get(name) != found.get(name)
    ]


def run(folder: str, say) -> bool:
    """Judge every log of a folder; prints each failure and the count."""
    passed = failed = 0
    for name in sorted(os.listdir(folder)):
        if not os.path.isdir(os.path.join(folder, name)):
            continue
        try:
            wrong = check(os.path.join(folder, name))
        except (OSError, ValueError, KeyError, TypeError, logfiles.NotKnown) as error:
            wrong = [f"{type(error).__name__}: {error}"]
        if wrong:
            failed += 1
            say(f"FAILED {name}: {'; '.join(wrong)}")
        else:
            passed += 1
    say(f"{passed} passed, {failed} failed")
    return failed == 0 and passed > 0
