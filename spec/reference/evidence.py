"""Evidence: the records of a player's program, in one file: receipt.md 11.10."""

from typing import NamedTuple

import brought
import canonical
import receiptfile
from refused import Refused

FORMAT = "fairdeal/evidence/v1"


class Evidence(NamedTuple):
    """The parts of evidence that a verifier uses."""

    files: list  # of (name, the file's JSON value)
    mine: list  # objects of section 11.8
    heads: list  # of receiptfile.View, not verified


def _exactly(value, where: str, **kinds) -> dict:
    receiptfile.exactly(value, tuple(kinds), where)
    for name, kind in kinds.items():
        if not isinstance(value[name], kind):
            raise Refused("invalid-receipt", f"{where}.{name}: expected another kind of value")
    return value


def is_evidence(value) -> bool:
    """Whether a file's JSON names this format."""
    return isinstance(value, dict) and value.get("format") == FORMAT


def parse(value) -> Evidence:
    """Take evidence apart; refuses another shape; raises canonical.NotJson if it has no files."""
    _exactly(
        value, "evidence", format=str, key=str, files=list, mine=list, since=list, findings=list
    )
    for at, file in enumerate(value["files"]):
        _exactly(file, f"files[{at}]", name=str, file=dict)
    heads = []
    for at, head in enumerate(value["since"]):
        receiptfile.exactly(head, ("checkpoint",), f"since[{at}]", ("seen",))
        heads.append(receiptfile.parse_view(head))
    for at, finding in enumerate(value["findings"]):
        _exactly(finding, f"findings[{at}]", code=str, says=str)
    mine = [brought.check(own) for own in value["mine"]]
    if not value["files"]:
        raise canonical.NotJson("evidence without files: nothing can be judged")
    return Evidence([(file["name"], file["file"]) for file in value["files"]], mine, heads)
