"""What cosignatures show to a reader who has a policy: receipt.md 11.11, audit.md 13.3 and 15.1."""

from typing import NamedTuple, Optional

import policy as policies
import tlog
from policy import Policy

TOLERANCE = 300_000  # in milliseconds, between the operator's clock and those of the witnesses
KINDS = ("lock", "deal", "reveal")


class Cosigned(NamedTuple):
    """A size and a root with cosignatures: an anchor's, or the checkpoint's."""

    policy: Policy
    index: Optional[int]  # the anchor's; None for the checkpoint
    size: int
    root: bytes
    signed: dict  # for each witness by name, the time of its line that counts, or None
    is_quorum: bool
    by: Optional[int]
    since: Optional[int]

    def _who(self, makes_it) -> str:
        quorum = policies.in_quorum(self.policy)
        seconds = {name: policies.second_of(time) for name, time in self.signed.items()}
        names = [n for n, s in seconds.items() if n in quorum and s is not None and makes_it(s)]
        return ", ".join(repr(name_of(name)) for name in names)

    def who_by(self) -> str:
        """The witnesses whose cosignatures made the quorum by *by*."""
        return self._who(lambda second: second <= self.by)

    def who_since(self) -> str:
        """The witnesses whose cosignatures made the quorum, and are not before *since*."""
        return self._who(lambda second: second >= self.since)


def name_of(name: bytes) -> str:
    """A witness's NAME as text; octets that are not UTF-8 are replaced."""
    return name.decode("utf-8", "replace")


def _of(policy: Policy, index: Optional[int], view, signed: dict) -> Cosigned:
    times = policies.quorum_times(policy, signed)
    by, since = (None, None) if times is None else times
    return Cosigned(policy, index, *view, signed, times is not None, by, since)


def of_anchor(policy: Policy, origin: str, index: int, anchor: dict) -> Cosigned:
    """A grammatical anchor of a log."""
    size, root = anchor["size"], bytes.fromhex(anchor["root"])
    lines = "".join(line + "\n" for line in anchor["cosignatures"])
    note = f"{tlog.checkpoint_text(origin, size, root)}\n{lines}"
    signed = policies.signed(policy, note.encode("utf-8"), is_anchor=True)
    return _of(policy, index, (size, root), signed)


def of_checkpoint(policy: Policy, note: bytes, checkpoint: tlog.Checkpoint) -> Cosigned:
    """A log's checkpoint, which policy.open_checkpoint did not refuse."""
    view = (checkpoint.size, checkpoint.root)
    return _of(policy, None, view, policies.signed(policy, note))


# receipt.md 11.11


class Covering:
    """The sizes that cover the entries of a receipt that is `logged`."""

    def __init__(self, anchors: list, checkpoint: Cosigned, proved: dict):
        shown = [a for a in anchors if proved.get(a.size) == a.root]
        self._all = [c for c in (*shown, checkpoint) if c.is_quorum]

    def of(self, index: int) -> list:
        """Those that cover the entry at an index."""
        return [c for c in self._all if c.size > index]

    def by(self, index: int) -> Optional[int]:
        """The *by* of an entry, if it has one."""
        return min((c.by for c in self.of(index) if c.by is not None), default=None)

    def is_timed(self, index: int, time: int) -> bool:
        """Whether the *by* of the deal at an index shows its time."""
        by = self.by(index)
        return by is not None and 1000 * by - TOLERANCE <= time <= 1000 * by + TOLERANCE

    def to_json(self, places: dict) -> dict:
        """The object `witnessed`; `places` has the index of the round's entry of each kind."""
        at = {kind: places[kind] for kind in KINDS if kind in places}
        return {kind: self._seen_by(index) for kind, index in at.items() if self.of(index)}

    def _seen_by(self, index: int) -> dict:
        by, names = self.by(index), []
        for name in self.of(index)[0].signed:
            times = [c.signed[name] for c in self.of(index) if c.signed[name] is not None]
            if by is not None:
                times = [t for t in map(policies.second_of, times) if t is not None and t <= by]
            if times:
                names.append(name_of(name))
        return {**({} if by is None else {"by": by}), "witnesses": names}


# audit.md 13.3 and 15.1


def proving(anchors: list, checkpoint: Optional[Cosigned], roots: Optional[tlog.Roots]) -> list:
    """What proves, in ascending order of the sizes; `checkpoint` if 13.2, step 1 found nothing."""
    if roots is None:  # the log has none
        return []
    shown = [
        a for a in anchors if a.is_quorum and a.size <= a.index and roots.at[a.size] == a.root
    ]
    if checkpoint is not None and checkpoint.is_quorum and checkpoint.size > 0:
        shown.append(checkpoint)
    return shown


class Due(NamedTuple):
    """The entries that witnesses should have seen in time: 15.1 counts those that are not shown."""

    reveals: list  # the index of each, and the last second
    locks: list  # in these two, None in the place of the second of a beacon that is not known
    voids: list


def last_second(reveal_by: int) -> int:
    """The last second at which a reveal is in time."""
    return (reveal_by + TOLERANCE) // 1000


def is_seen(index: int, second: Optional[int], proving: list) -> bool:
    """Whether what proves shows that witnesses had seen an entry by a second."""
    if second is None:
        return False
    return any(c.size > index and c.by is not None and c.by <= second for c in proving)


def report(policy: Policy, anchors: list, proving: list, entries: int, due: Due) -> dict:
    """The member `witnesses` of 15.1."""
    last = proving[-1] if proving else None
    bys = [c.by for c in proving if c.by is not None]
    gaps = [after - before for before, after in zip(bys, bys[1:])]

    def not_seen(of: list) -> int:
        return sum(not is_seen(*one, proving) for one in of)

    return {
        "policy": policy.hash.hex(),
        "anchors": len(anchors),
        "proving": sum(c.index is not None for c in proving),
        "size": last and last.size,
        "by": last and last.by,
        "longest": max(0, *gaps) if gaps else None,
        "not_covered": entries - (last.size if last else 0),
        "reveals_not_in_time": not_seen(due.reveals),
        "locks_not_before_beacon": not_seen(due.locks),
        "voids_not_before_beacon": not_seen(due.voids),
    }
