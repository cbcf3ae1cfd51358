"""Folders of attacks, each with its expected verdict (fixtures/README.md)."""

import brought
import canonical
import logfiles
import logs
import several
from refused import Refused

VERIFY = {"about", "command", "exit", "files", "mine", "players", "seat"}
AUDIT = {"about", "command", "exit", "as_of", "clock", "skip_signatures", "since"}


def _verify(folder: str, case: dict) -> dict:
    """The verdict on a case's files; raises canonical.NotJson, and Refused."""
    mine = tuple(brought.parse(logs.bytes_of(folder, name)) for name in case["mine"])
    files = [(name, logs.bytes_of(folder, name)) for name in case["files"]]
    reader = brought.Reader(mine, case["players"], case["seat"])
    found = several.verify(files, logs.read_key(folder), reader)
    return found.verdicts[0].to_json() if len(files) == 1 else found.to_json()


def _found(folder: str, case: dict) -> tuple:
    """The exit code, and the verdict or the reason why there is none."""
    try:
        verdict = _verify(folder, case) if case["command"] == "verify" else logs.judge(folder, case)
    except (canonical.NotJson, logfiles.NotKnown, Refused) as error:
        return 3, str(error)
    return (0 if verdict["holds"] else 1), verdict


def check(folder: str) -> list:
    """The faults of one attack's verdict; empty if there is none."""
    case = logs.read_case(folder)
    command = case.get("command")
    if command not in ("verify", "audit"):
        raise logs.Shape(f"case.json: an unknown command, {command!r}")
    members = VERIFY if command == "verify" else AUDIT
    logs.check_members(case, members if case.get("exit") == 3 else members | {"expect"})
    code, verdict = _found(folder, case)
    wrong = [] if code == case["exit"] else [f"expected exit {case['exit']}, found {code}"]
    if code == 3 or case["exit"] == 3:
        return wrong + ([f"it says: {verdict}"] if wrong else [])
    return wrong + logs.differences(case["expect"], verdict)


def run(folder: str, say) -> bool:
    """Check every attack of a folder; prints each failure and the count."""
    return logs.run(folder, say, check)
