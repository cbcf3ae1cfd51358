"""The reader's contributions, and the keys of players: receipt.md 11.8."""

from typing import NamedTuple, Optional

import canonical
import contributions
import entry
from life import Round
from refused import Refused


class Reader(NamedTuple):
    """A reader's own inputs, in addition to a file and a key; they convince only that reader."""

    mine: tuple = ()  # objects of section 11.8
    players: dict = {}  # labels to public keys in hexadecimal
    seat: Optional[str] = None


_OWN = entry.members(
    {"from": entry.FROM, "seed": entry.SEED},
    {
        "blind": entry.HASH,
        "hash": entry.HASH,
        "seen": entry.SEEN,
        "key": entry.HASH,
        "signature": entry.base64_of(64),
        "commitment": entry.HASH,
        "nonce": entry.NONCE,
    },
)
TOGETHER = (("blind", "hash"), ("key", "signature"), ("commitment", "nonce"))


def check(value) -> dict:
    """Refuse an object that is not a contribution in a reader's file."""
    try:
        _OWN(value, "what was brought")
        for pair in TOGETHER:
            entry.both_or_neither(value, "what was brought", *pair)
    except Refused as refused:
        raise Refused("contribution", str(refused)) from None
    return value


def parse(data: bytes) -> dict:
    """A contribution that a reader kept in a file; raises canonical.NotJson and Refused."""
    return check(canonical.read(data))


def _is_of_round(own: dict, this: Round) -> bool:
    of = this.own()
    return "commitment" not in own or (own["commitment"], own["nonce"]) == (
        of["commitment"],
        of["nonce"],
    )


def _of_label(this: Round, label: str) -> Optional[dict]:
    return next((c for c in this.contributions() if c["from"] == label), None)


def was_mixed(own: dict, this: Optional[Round], origin: str) -> bool:
    """Whether a round's deal mixed the reader's contribution."""
    if this is None or this.deal is None or not _is_of_round(own, this):
        return False
    c = _of_label(this, own["from"])
    if c is None or this.opened_seed(c) != own["seed"] or c.get("seen") != own.get("seen"):
        return False
    if "hash" in own and c.get("hash") != own["hash"]:
        return False
    of = this.own()
    return "key" not in own or (
        c.get("key") == own["key"]
        and contributions.verifies(origin, of["commitment"], of["nonce"], c)
    )


def may_be_mixed(own: dict, this: Optional[Round]) -> bool:
    """Whether a round without a deal may still mix the reader's contribution."""
    if this is None or (this.lock is None and this.deal is None):
        return True  # no contribution was mixed yet, or the round was voided
    if this.lock is None or this.deal is not None or not _is_of_round(own, this):
        return False
    c = _of_label(this, own["from"])
    if c is None or c.get("seed", own["seed"]) != own["seed"] or c.get("seen") != own.get("seen"):
        return False
    return all(name not in own or c.get(name) == own[name] for name in ("hash", "key"))


def is_by_player(c: dict, players: dict, this: Round, origin: str) -> bool:
    """Whether a contribution is signed by the key that the reader was given for its label."""
    of = this.own()
    return c["from"] in players and (
        c.get("key") == players[c["from"]]
        and contributions.verifies(origin, of["commitment"], of["nonce"], c)
    )


class Held(NamedTuple):
    """The result of comparing a round with its reader's inputs."""

    wrong: Optional[str]  # the finding
    yours: bool
    ours: set  # labels of the reader's contributions, and of those signed by players' keys
    hashed: set  # labels of contributions fixed by a player's own hash or signature


def hold(reader: Reader, this: Optional[Round], origin: str) -> Held:
    """Compare a round with the reader's contributions, and with players' keys."""
    wrong, ours, hashed, all_mixed = [], set(), set(), True
    for own in reader.mine:
        if was_mixed(own, this, origin):
            ours.add(own["from"])
            if "hash" in own:  # a hash that the operator made from a seed in the clear protects nobody
                hashed.add(own["from"])
            continue
        all_mixed = False
        if not may_be_mixed(own, this):
            wrong.append(f"what you brought as {own['from']!r} was not mixed")
    for c in this.contributions() if this else []:
        if is_by_player(c, reader.players, this, origin):
            ours.add(c["from"])
            hashed.add(c["from"])
        elif c["from"] in reader.players:
            wrong.append(f"the contribution of {c['from']!r} is not signed by the key given for it")
    return Held("; ".join(wrong) or None, bool(reader.mine) and all_mixed, ours, hashed)
