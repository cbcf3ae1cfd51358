"""Evidence: the records of a player's program, in one file: receipt.md 11.10."""

from typing import NamedTuple

import brought
import canonical
from refused import Refused

FORMAT = "fairdeal/evidence/v1"


class Evidence(NamedTuple):
    """The parts of evidence that a verifier uses."""

    files: list  # of (name, bytes)
    mine: tuple  # objects of section 11.8
    heads: list  # texts that should be signed notes
    says: list  # the claims of the player's program: objects with "code" and "says"


def is_evidence(data: bytes) -> bool:
    """Whether JSON names this format; raises canonical.NotJson."""
    value = canonical.read(data)
    return isinstance(value, dict) and value.get("format") == FORMAT


def _exactly(value, where: str, **kinds) -> dict:
    if not isinstance(value, dict) or set(value) != set(kinds):
        raise Refused("invalid-receipt", f"{where}: expected an object of {', '.join(kinds)}")
    for name, kind in kinds.items():
        if not isinstance(value[name], kind):
            raise Refused("invalid-receipt", f"{where}.{name}: expected another kind of value")
    return value


def parse(data: bytes) -> Evidence:
    """Take evidence apart; raises Refused, and canonical.NotJson if it cannot be read or has no files."""
    value = _exactly(
        canonical.read(data),
        "evidence",
        format=str,
        key=str,
        files=list,
        mine=list,
        since=list,
        findings=list,
    )
    files = [
        _exactly(file, f"files[{at}]", name=str, file=dict)
        for at, file in enumerate(value["files"])
    ]
    for at, finding in enumerate(value["findings"]):
        _exactly(finding, f"findings[{at}]", code=str, says=str)
    if not all(isinstance(head, str) for head in value["since"]):
        raise Refused("invalid-receipt", "since: expected texts")
    mine = tuple(brought.check(own) for own in value["mine"])
    if not files:
        raise canonical.NotJson("evidence without files: nothing can be judged")
    return Evidence(
        [(file["name"], canonical.text_of(file["file"]).encode("utf-8")) for file in files],
        mine,
        value["since"],
        value["findings"],
    )
