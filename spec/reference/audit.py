"""Judging a whole log: audit.md 13 and 15.

Slow, and all in memory: it is for checking other implementations, and for reading.
"""

import json
from typing import NamedTuple, Optional

import logfiles
import tlog
from life import Finding, Life
from refused import Refused
from reported import Reported

# Ledger.md 9.3, from row 1 down.
CODES = """
    not-canonical invalid-entry no-commitment duplicate-commitment after-reveal after-void void-after-use open-round
    nonce-gap too-many-rounds seed-mismatch out-of-turn time-runs-back split-view weak-mixing beacon-round
    beacon-signature lock-mismatch unopened-hash result-mismatch late-reveal overdue tree-mismatch bad-signature
    inconsistent
""".split()
KEPT_OF_EACH = 1000
MEMBERS = ("code", "index", "commitment", "nonce", "says")
COUNTED = ("commitments", "deals", "voids", "reveals")


class Verdict(NamedTuple):
    """The verdict of audit.md 15."""

    holds: bool
    to_json: dict

    def text(self) -> str:
        """The verdict's bytes."""
        return json.dumps(self.to_json, ensure_ascii=False, separators=(",", ":"))


def _place(f: Finding) -> tuple:
    """A finding's place in a report."""
    return (-1 if f.index is None else f.index, CODES.index(f.code))


class _Findings:
    """Findings as they come, in whatever order."""

    def __init__(self) -> None:
        self.all: list = []

    def of_the_log(self, code: str, says: str) -> None:
        """What concerns no entry alone."""
        self.all.append(Finding(code, None, says))

    def kept(self) -> list:
        """In order, the first of each code."""
        kept, count = [], dict.fromkeys(CODES, 0)
        for f in sorted(self.all, key=_place):
            count[f.code] += 1
            if count[f.code] <= KEPT_OF_EACH:
                kept.append({name: getattr(f, name) for name in MEMBERS})
        return kept

    def counts(self) -> dict:
        """How many there are of each code."""
        codes = [f.code for f in self.all]
        return {code: codes.count(code) for code in sorted(set(codes))}


def _read_entries(files, size: int, found: _Findings) -> list:
    """Step 2 of 13.2."""
    entries: list = []
    while len(entries) < size:
        try:
            entries += logfiles.read_bundle(files, len(entries) // 256, size)
        except Refused as refused:
            found.of_the_log("tree-mismatch", f"{refused}; {size - len(entries)} entries are not shown")
            break
    return entries


def _compare_tiles(files, size: int, leaves: list, found: _Findings) -> None:
    """Step 3 of 13.2."""
    for level, hashes in enumerate(tlog.tile_rows(leaves)):
        promised = size >> 8 * level
        for index in range((len(hashes) + 255) // 256):
            width = min(256, promised - 256 * index)
            own = hashes[256 * index : 256 * index + width]
            if len(own) < width:
                continue  # entries that were not read are under it
            try:
                logfiles.compare_tile(files, tlog.TilePath(level, index, width), own)
            except Refused as refused:
                found.of_the_log("tree-mismatch", str(refused))


def _hold_against(name: str, note: bytes, size: int, life: Life, found: _Findings) -> None:
    """Step 6 of 13.2, for one older checkpoint."""
    old, wrong = tlog.open_checkpoint(note, life.key)
    if wrong:
        found.of_the_log("bad-signature", f"{name}: {wrong}")
    elif old.size > size:
        found.of_the_log("inconsistent", f"{name} has {old.size} entries, the log only {size}")
    elif life.has_roots and old.root != life.root_at(old.size):
        found.of_the_log("inconsistent", f"at size {old.size}, {name} has another root than the log: this is a fork")


def _judge(entries: list, life: Life, reported: Reported, found: _Findings) -> dict:
    """Steps 1 and 2 of 13.3; gives how many entries of each kind had effect."""
    counted = dict.fromkeys(COUNTED, 0)
    for index, data in enumerate(entries):
        found.all += life.apply(index, data)
        if life.effect is None:
            continue
        reported.note(life.effect)
        kind = "commitments" if life.effect.kind == "commit" else life.effect.kind + "s"
        if kind in counted:
            counted[kind] += 1
    return counted


def _judge_overdue(life: Life, as_of: Optional[int], found: _Findings) -> None:
    """Step 3 of 13.3."""
    for name, state in life.commitments.items():
        by = state.commit["reveal_by"]
        if state.ended is None and as_of is not None and as_of > by:
            says = f"neither revealed nor voided at {as_of}, reveal_by was {by}"
            found.all.append(Finding("overdue", state.index, says, name))


def audit(files, note: bytes, key: tlog.VerifierKey, as_of: Optional[int], since: list) -> Verdict:
    """Judges a log; `since` is (name, note) of older checkpoints. Raises logfiles.NotKnown."""
    found, life, reported = _Findings(), Life(key, excerpt=False), Reported()
    promised, wrong = tlog.open_checkpoint(note, key)
    size = promised.size if promised else 0
    entries = _read_entries(files, size, found)
    leaves = [tlog.leaf_hash(data) for data in entries]
    _compare_tiles(files, size, leaves, found)
    root = tlog.root_of(leaves)
    if promised and len(entries) == size and root != promised.root:
        says = f"the entries give root {root.hex()}, the checkpoint has {promised.root.hex()}"
        found.of_the_log("tree-mismatch", says)
    life.has_roots = not found.all
    if wrong:
        found.of_the_log("bad-signature", wrong)
    counted = _judge(entries, life, reported, found)
    for name, old in since:
        _hold_against(name, old, size, life, found)
    as_of = life.last_time if as_of is None else as_of
    _judge_overdue(life, as_of, found)
    holds = not found.all
    return Verdict(
        holds,
        {
            "holds": holds,
            "size": len(entries),
            "root": root.hex(),
            **counted,
            "not_judged": len(life.not_judged),
            "as_of": as_of,
            "findings": found.kept(),
            "counts": found.counts(),
            "reported": reported.to_json(life),
        },
    )
