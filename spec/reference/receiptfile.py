"""Parses the files of receipts and openings: receipt.md 11.1, 11.2 and 12.1."""

from typing import NamedTuple, Optional

import canonical
import entry
import tlog
from refused import Refused

RECEIPT = "fairdeal/receipt/v1"
OPENING = "fairdeal/opening/v1"
MOST_CARDS = 4096
MAX_ITEMS = 1 << 20


class Shown(NamedTuple):
    """One of a receipt's entries."""

    index: int
    data: bytes
    proof: list
    kind: Optional[str]  # None if neither grammatical nor a commit of another protocol
    value: object  # None if the bytes are not canonical, or are too long

    def is_grammatical(self) -> bool:
        """Whether the grammar of section 8.2 accepts it."""
        return self.kind in entry.GRAMMAR


class SeenRoot(NamedTuple):
    """A root that the receipt says the log has had."""

    size: int
    root: bytes
    proof: list


class View(NamedTuple):
    """A checkpoint, and earlier roots of its log: those of a receipt, or a head of evidence."""

    note: bytes
    checkpoint: Optional[tlog.Checkpoint]  # not verified
    seen: list  # of SeenRoot


class File(NamedTuple):
    """A receipt's parts."""

    entries: list  # of Shown
    note: bytes
    checkpoint: Optional[tlog.Checkpoint]  # not verified
    seen: list  # of SeenRoot


class Opening(NamedTuple):
    """The parts of an opening other than its receipt."""

    card_seals: list
    opened: list


def invalid(says: str) -> Refused:
    """A Refused that says why a file is not a receipt."""
    return Refused("invalid-receipt", says)


def exactly(value, names: tuple, where: str, optional: tuple = ()) -> dict:
    """An object with these members and no others; refuses an `invalid-receipt`."""
    if not isinstance(value, dict):
        raise invalid(f"{where} is not an object")
    for name in value:
        if name not in names + optional:
            raise invalid(f"{where} has an unknown member {name!r}")
    for name in names:
        if name not in value:
            raise invalid(f"{where} has no {name}")
    return value


def _array(value, where: str, least: int = 0) -> list:
    if not isinstance(value, list) or len(value) < least:
        raise invalid(f"{where} is not an array" + (" of one or more" if least else ""))
    return value


def _proof(value, where: str) -> list:
    proof = []
    for i, part in enumerate(_array(value, where)):
        try:
            digest = tlog.decode_base64(part) if isinstance(part, str) else b""
        except ValueError:
            digest = b""
        if len(digest) != 32:
            raise invalid(f"{where}[{i}] is not 32 bytes in base64")
        proof.append(digest)
    return proof


def _parse_shown(value, where: str) -> Shown:
    exactly(value, ("index", "entry", "proof"), where)
    if not entry.is_integer(value["index"]):
        raise invalid(f"{where}.index is not an integer from 0 to 2^53-1")
    if not isinstance(value["entry"], str):
        raise invalid(f"{where}.entry is not a string")
    proof = _proof(value["proof"], where + ".proof")
    data = value["entry"].encode("utf-8")
    try:
        kind, parsed = entry.parse_entry(data)
    except Refused:
        kind, parsed = None, _canonical_value(data)
    return Shown(value["index"], data, proof, kind, parsed)


def _canonical_value(data: bytes):
    try:
        return canonical.parse(data) if len(data) <= entry.MAX_ENTRY else None
    except canonical.NotJson:
        return None


def _parse_seen(value, where: str) -> SeenRoot:
    exactly(value, ("size", "root", "proof"), where)
    if not entry.is_integer(value["size"], 1):
        raise invalid(f"{where}.size is not an integer from 1 to 2^53-1")
    if not entry.is_hex(value["root"], 32):
        raise invalid(f"{where}.root is not a hash")
    return SeenRoot(
        value["size"], bytes.fromhex(value["root"]), _proof(value["proof"], where + ".proof")
    )


def _check_ascending(numbers: list, what: str) -> None:
    for before, after in zip(numbers, numbers[1:]):
        if before >= after:
            raise invalid(f"{what} are not in ascending order: {after} follows {before}")


def _check_entries(entries: list) -> None:
    """Refuse entries that are not those of one commitment and one round, from its commit on."""
    first = entries[0]
    if first.kind not in ("commit", "other-protocol"):
        raise invalid(f"the first entry, {first.index}, is not a commit")
    for e in entries:
        of = entry.commitment_of(e.value)
        if of is not None and of != first.value["commitment"]:
            raise invalid(f"entry {e.index} is not under the commitment of entry {first.index}")
    if first.kind == "other-protocol":
        return
    nonces = {e.value["nonce"] for e in entries if e.is_grammatical() and "nonce" in e.value}
    if len(nonces) > 1:
        raise invalid(f"entries of several rounds: {', '.join(map(str, sorted(nonces)))}")
    indices = {e.index for e in entries}
    for e in entries:
        if e.kind == "deal" and e.value.get("lock", e.index) not in indices:
            raise invalid(f"the deal at {e.index} names the lock {e.value['lock']}, not shown")


def parse_view(value: dict) -> View:
    """The members `checkpoint` and `seen` of an object (11.1); refuses an `invalid-receipt`."""
    if not isinstance(value["checkpoint"], str):
        raise invalid("checkpoint is not a string")
    seen = []
    if "seen" in value:
        seen = [
            _parse_seen(s, f"seen[{i}]") for i, s in enumerate(_array(value["seen"], "seen", 1))
        ]
        _check_ascending([s.size for s in seen], "sizes of seen")
    note = value["checkpoint"].encode("utf-8")
    try:
        checkpoint = tlog.parse_checkpoint(tlog.parse_note(note).text)
    except Refused:
        checkpoint = None
    if checkpoint and seen and seen[-1].size > checkpoint.size:
        raise invalid(f"a size seen, {seen[-1].size}, is over the checkpoint's, {checkpoint.size}")
    return View(note, checkpoint, seen)


def parse_receipt(value) -> File:
    """A receipt (11.1); refuses an `invalid-receipt`."""
    exactly(value, ("format", "entries", "checkpoint"), "the receipt", ("seen",))
    if value["format"] != RECEIPT:
        raise invalid(f"format is {value['format']!r}, expected {RECEIPT}")
    view = parse_view(value)
    entries = [
        _parse_shown(e, f"entries[{i}]")
        for i, e in enumerate(_array(value["entries"], "entries", 1))
    ]
    _check_ascending([e.index for e in entries], "entries")
    if view.checkpoint and entries[-1].index >= view.checkpoint.size:
        raise invalid(
            f"index {entries[-1].index} is not under the checkpoint's size, {view.checkpoint.size}"
        )
    _check_entries(entries)
    return File(entries, *view)


def parse_opening(value) -> tuple:
    """An opening's own parts and its receipt (12.1); refuses an `invalid-receipt`."""
    exactly(value, ("format", "receipt", "card_seals", "opened"), "the opening")
    seals, opened = value["card_seals"], value["opened"]
    for name in ("card_seals", "opened"):
        if len(_array(value[name], name, 1)) > MOST_CARDS:
            raise invalid(f"{name} is an array of over {MOST_CARDS}")
    if not all(entry.is_hex(s, 32) for s in seals):
        raise invalid("card_seals are not all hashes")
    for i, o in enumerate(opened):
        exactly(o, ("t", "item", "salt"), f"opened[{i}]")
        for name, limit in (("t", MOST_CARDS), ("item", MAX_ITEMS)):
            if not entry.is_integer(o[name], 0, limit - 1):
                raise invalid(f"opened[{i}].{name} is not an integer under {limit}")
        if not entry.is_hex(o["salt"], 16):
            raise invalid(f"opened[{i}].salt is not 16 bytes in hexadecimal")
    if len({o["t"] for o in opened}) != len(opened):
        raise invalid("opened opens a card twice")
    file = parse_receipt(value["receipt"])
    if not any(e.kind == "deal" and "seal" in e.value["result"] for e in file.entries):
        raise invalid("the receipt of an opening holds a sealed deal, and this one does not")
    return Opening([bytes.fromhex(s) for s in seals], opened), file
