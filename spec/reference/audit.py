"""Judges a whole log: audit.md 13 and 15.

Slow, with the whole log in memory: for checking other implementations, and for reading.
"""

import json
from bisect import bisect_left
from collections import Counter
from typing import NamedTuple, Optional

import beacon
import cosigned
import logfiles
import policy as policies
import tlog
from finding import CODES, Finding, accuses, class_of
from life import Effect, Life
from refused import Refused
from reported import Reported

KEPT_OF_EACH = 1000
COUNTED = ("commitments", "deals", "voids", "reveals")
MOST_AHEAD = 300_000


class Inputs(NamedTuple):
    """The inputs of an audit other than the log and its key (13.1)."""

    as_of: Optional[int] = None
    clock: Optional[int] = None
    skip_signatures: bool = False
    since: tuple = ()  # (name, note) of older checkpoints
    missed: tuple = ()  # (commitment, clock) of what was once found overdue by the clock
    policy: Optional[policies.Policy] = None  # one for this log (policies.of_log)
    chains: dict = beacon.CHAINS  # the beacons' chains that are known; none if beacons are skipped


class Verdict(NamedTuple):
    """The verdict of audit.md 15."""

    holds: bool
    to_json: dict
    saved: list  # the sizes of the older checkpoints that are part of the log

    def text(self) -> str:
        """The verdict's bytes."""
        return json.dumps(self.to_json, ensure_ascii=False, separators=(",", ":"))


def _place(f: Finding) -> tuple:
    """A finding's place in a report."""
    return (-1 if f.index is None else f.index, CODES.index(f.code))


class _Findings:
    """Findings in the order in which they are found."""

    def __init__(self, root_is_signed: bool) -> None:
        self.all: list = []
        self.root_is_signed = root_is_signed  # the promised root (13.4)

    def of_the_log(self, code: str, says: str) -> None:
        """A finding about the log, not about one entry."""
        self.all.append(Finding(code, None, says))

    def kept(self, has_roots: bool, is_early: bool) -> list:
        """The first findings of each code, in the order of a report, and whom they accuse.

        `is_early`: whether overdue is judged at a time that is still to come."""
        kept, count = [], dict.fromkeys(CODES, 0)
        are_signed = has_roots and self.root_is_signed  # the entries
        is_early = is_early or any(f.code == "rolled-back" for f in self.all)
        for f in sorted(self.all, key=_place):
            count[f.code] += 1
            if count[f.code] <= KEPT_OF_EACH:
                at = {"index": f.index, "commitment": f.commitment, "nonce": f.nonce}
                # Without roots, only two roots of the promised size can be inconsistent.
                is_signed = self.root_is_signed if f.code == "inconsistent" else are_signed
                is_signed = is_signed and not (is_early and f.code == "overdue")
                found = {"code": f.code, "class": class_of(f.code), **at}
                kept.append({**found, "accuses": accuses(f.code, is_signed), "says": f.says})
        return kept

    def counts(self) -> dict:
        """How many findings each code has."""
        return dict(sorted(Counter(f.code for f in self.all).items()))


def _read_entries(files, size: int, found: _Findings) -> list:
    """Step 2 of 13.2."""
    entries: list = []
    while len(entries) < size:
        try:
            entries += logfiles.read_bundle(files, len(entries) // 256, size)
        except Refused as refused:
            found.of_the_log(
                "tree-mismatch", f"{refused}; {size - len(entries)} entries are not shown"
            )
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
                continue  # the tile covers entries that were not read
            try:
                logfiles.compare_tile(files, tlog.TilePath(level, index, width), own)
            except Refused as refused:
                found.of_the_log("tree-mismatch", str(refused))


def _hold_against(
    name: str, old: tlog.Checkpoint, promised: Optional[tlog.Checkpoint], life: Life, found
) -> Optional[int]:
    """Step 6 of 13.2, for one older checkpoint; returns its size if it is part of the log."""
    size = promised.size if promised else 0
    if old.size > size:
        found.of_the_log("rolled-back", f"{name} has {old.size} entries, the log only {size}")
        return None
    if promised and old.size == size:
        root = promised.root
    elif life.has_roots:
        root = life.roots.at[old.size]
    else:
        return None
    if old.root == root:
        return old.size
    says = f"at size {old.size}, {name} has another root than the log: this is a fork"
    found.of_the_log("inconsistent", says)
    return None


class _Course:
    """Steps 1, 2, 3 and 5 of 13.3: the counts of entries with effect, and the latest times."""

    def __init__(self) -> None:
        self.counted = dict.fromkeys(COUNTED, 0)
        self.latest: list = []  # the entries with effect, each later than all before it
        self.due = cosigned.Due([], [], [])

    def judge(self, entries: list, life: Life, reported: Reported, found: _Findings) -> None:
        """Judge all entries in order."""
        for index, data in enumerate(entries):
            found.all += life.apply(index, data)
            effect = life.effect
            if effect is None:
                continue
            reported.note(effect)
            kind = "commitments" if effect.kind == "commit" else effect.kind + "s"
            if kind in self.counted:
                self.counted[kind] += 1
            self._note_due(effect)
            if not self.latest or effect.value["time"] > self.latest[-1].value["time"]:
                self.latest.append(effect)

    def _note_due(self, effect: Effect) -> None:
        """Note what witnesses should have seen in time (15.1)."""
        this, at = effect.round, effect.index
        if effect.kind == "reveal":
            by = cosigned.last_second(effect.state.commit["reveal_by"])
            self.due.reveals.append((at, by))
        elif effect.kind == "deal" and "beacon" in effect.value:
            self.due.locks.append((this.lock_index, this.locked_before()))
        elif effect.kind == "void" and this is not None and "beacon" in this.lock:
            self.due.voids.append((at, this.beacon_out()))

    def judge_ahead(self, bounds: list, found: _Findings) -> None:
        """Judge `time-ahead` by bounds: each has a size, a time, and who says it in which words."""
        ahead: dict = {}  # an entry has it once
        for size, bound, who, says in bounds:
            at = bisect_left(self.latest, size, key=lambda effect: effect.index) - 1
            if at >= 0 and self.latest[at].value["time"] > bound:
                ahead.setdefault(at, {}).setdefault(who, says)
        for at, said in ahead.items():
            index, e = self.latest[at].index, self.latest[at].value
            says = f"time is {e['time']}, {'; '.join(said.values())}"
            found.all.append(
                Finding("time-ahead", index, says, e.get("commitment"), e.get("nonce"))
            )


def _overdue(life: Life, as_of: Optional[int]) -> list:
    """The commitments, by name, that are overdue at a time."""
    return [
        (name, state)
        for name, state in life.commitments.items()
        if state.ended is None and as_of is not None and as_of > state.commit["reveal_by"]
    ]


def _missed(given: Inputs) -> dict:
    """What earlier audits missed, unless by a clock that was ahead of today's (13.5)."""
    latest = None if given.clock is None else given.clock + 300_000
    return {name: clock for name, clock in given.missed if latest is None or clock <= latest}


def _bounds(entries: int, clock: Optional[int], proving: list) -> list:
    """What bounds the times of entries (step 5 of 13.3)."""
    bounds = []
    if clock is not None:
        bounds.append((entries, clock + MOST_AHEAD, "clock", f"the reader's clock says {clock}"))
    for c in proving:
        if c.by is not None:
            says = f"under your policy, {c.who_by()} had signed {c.size} entries by {c.by} s"
            bounds.append((c.size, 1000 * c.by + cosigned.TOLERANCE, "witnesses", says))
    return bounds


def audit(log, key: tlog.VerifierKey, given: Inputs = Inputs()) -> Verdict:
    """Judges a log of logfiles.py; raises logfiles.NotKnown."""
    logfiles.check_note(log)
    found = _Findings(tlog.signs_root(log.note, key))
    policy = given.policy
    life, reported, course = Life(key, excerpt=False, policy=policy), Reported(), _Course()
    life.skip_signatures, life.missed = given.skip_signatures, _missed(given)
    life.chains = given.chains
    older = [(name, logfiles.read_older(name, note, key)) for name, note in given.since]
    promised, wrong = policies.open_checkpoint(log.note, key, policy)
    is_export = isinstance(log, logfiles.Export)
    another = tlog.another_log(log.note, key)
    if another:  # nothing is read (13.2, step 1)
        promised, wrong, older, is_export = None, another, [], False
    size = promised.size if promised else 0
    entries = log.entries if is_export else _read_entries(log, size, found)
    leaves = [tlog.leaf_hash(data) for data in entries]
    if not is_export:
        _compare_tiles(log, size, leaves, found)
    root = tlog.root_of(leaves)
    if promised and len(entries) == size and root != promised.root:
        says = f"the entries give root {root.hex()}, the checkpoint has {promised.root.hex()}"
        found.of_the_log("tree-mismatch", says)
    # A wrong hash tile changes nothing: nobody signs it.
    life.has_roots = bool(promised) and len(entries) == size and root == promised.root
    if wrong:
        found.of_the_log("bad-signature", wrong)
    course.judge(entries, life, reported, found)
    held = [_hold_against(name, old, promised, life, found) for name, old in older]
    as_of = life.last_time if given.as_of is None else given.as_of
    for name, state in _overdue(life, as_of):
        says = f"neither revealed nor voided at {as_of}, reveal_by was {state.commit['reveal_by']}"
        found.all.append(Finding("overdue", state.index, says, name))
    checkpoint = None
    if policy is not None and wrong is None:
        checkpoint = cosigned.of_checkpoint(policy, log.note, promised)
    proving = cosigned.proving(life.anchors, checkpoint, life.roots if life.has_roots else None)
    seen = {at for at, second in course.due.reveals if cosigned.is_seen(at, second, proving)}
    late = {("late-reveal", at) for at in life.only_missed & seen}  # step 3 of 13.3
    found.all = [one for one in found.all if (one.code, one.index) not in late]
    course.judge_ahead(_bounds(len(entries), given.clock, proving), found)
    known = [time for time in (given.clock, life.last_time) if time is not None]
    is_early = given.clock is not None and as_of is not None and as_of > max(known)
    to_json = {
        "holds": not found.all,
        "size": len(entries),
        "root": root.hex(),
        **course.counted,
        "not_judged": len(life.not_judged),
        "last_time": life.last_time,
        "as_of": as_of,
        "clock": given.clock,
        "overdue_by_clock": None if given.clock is None else len(_overdue(life, given.clock)),
        "unverified": {
            "beacons": reported.unverified_beacons,
            "commitments": len(life.not_judged),
            "signatures": reported.signatures if given.skip_signatures else 0,
        },
        "findings": found.kept(life.has_roots, is_early),
        "counts": found.counts(),
        "reported": reported.to_json(life),
    }
    if policy is not None:
        to_json["witnesses"] = cosigned.report(
            policy, life.anchors, proving, len(entries), course.due
        )
    return Verdict(not found.all, to_json, [old for old in held if old is not None])
