"""The reader's contributions, and the keys of players: receipt.md 11.8."""

from typing import NamedTuple, Optional

import beacon
import canonical
import contributions
import entry
import tlog
from policy import Policy
from refused import Refused
from rounds import Round


class Reader(NamedTuple):
    """A reader's own inputs, in addition to a file and a key; they convince only that reader."""

    mine: tuple = ()  # objects of section 11.8, given to the command
    players: dict = {}  # labels to public keys in hexadecimal
    seat: Optional[str] = None
    kept: tuple = ()  # objects of section 11.8, in evidence that the reader kept (11.10)
    claimed: tuple = ()  # and in other evidence, which the operator can have invented
    locks: frozenset = frozenset()  # the index and bytes of each lock that the reader kept
    policy: Optional[Policy] = None  # one for this log (policy.of_log)
    chains: dict = beacon.CHAINS  # the beacons' chains that the reader knows, by their hashes

    def compared(self, key: tlog.VerifierKey, commitment: str, nonce: Optional[int]) -> tuple:
        """What is compared with a file of this round: the reader's contributions, and claims."""
        of = (tlog.key_text(key), commitment, nonce)

        def named(brought: tuple) -> list:
            return [
                own
                for own in brought
                if "log" in own and (own["log"], own["commitment"], own["nonce"]) == of
            ]

        anywhere = [own for own in self.mine if "log" not in own]
        return anywhere + named(self.mine + self.kept), named(self.claimed)


def _log(value, where):
    if not isinstance(value, str):
        raise Refused("contribution", f"{where} is not the text of a verifier key")
    tlog.parse_key(value)


_OWN = entry.members(
    {"from": entry.FROM, "seed": entry.SEED},
    {
        "log": _log,
        "commitment": entry.HASH,
        "nonce": entry.NONCE,
        "blind": entry.HASH,
        "hash": entry.HASH,
        "key": entry.HASH,
        "signature": entry.base64_of(64),
        "seen": entry.SEEN,
        "given": entry.flag,
    },
)
TOGETHER = (("log", "commitment", "nonce"), ("blind", "hash"), ("key", "signature"))


def check(value) -> dict:
    """Refuse an object that is not a reader's contribution, or was changed since it was made."""
    try:
        _OWN(value, "what was brought")
        for names in TOGETHER:
            entry.all_or_none(value, "what was brought", *names)
        if "log" in value:
            log = tlog.parse_key(value["log"])
            if "hash" in value or "key" in value:
                of = contributions.round_of(log, value["commitment"], value["nonce"])
            if "hash" in value:
                made = contributions.hash_of(of, value, value["blind"], value["seed"])
                if made != value["hash"]:
                    raise Refused("contribution", f"its members give {made}, and not its hash")
            if "key" in value and not contributions.verifies(of, value):
                raise Refused("contribution", "its signature does not verify over its members")
            if "seen" in value and not contributions.seen_is_signed(log, value["seen"]):
                raise Refused("contribution", "its seen is not signed by its log")
    except Refused as refused:
        raise Refused("contribution", str(refused)) from None
    return value


def parse(data: bytes) -> dict:
    """A contribution that a reader kept in a file; raises canonical.NotJson and Refused."""
    return check(canonical.read(data))


def _is_signed_by(public: str, c: dict, this: Round, key: tlog.VerifierKey) -> bool:
    of = this.own()
    return c.get("key") == public and contributions.verifies(
        contributions.round_of(key, of["commitment"], of["nonce"]), c
    )


def _agrees(own: dict, c: dict, this: Round, is_signed: bool) -> bool:
    """Whether the round's contribution is the reader's, as far as the file shows it."""
    if c.get("seen") != own.get("seen") or ("key" in own and not is_signed):
        return False
    if "hash" in own and c.get("hash") != own["hash"]:
        return False
    return ("hash" in c and this.deal is None) or this.opened_seed(c) == own["seed"]


class Outcome(NamedTuple):
    """The row of 11.8's table that applies to one of the reader's contributions."""

    says: str
    is_wrong: bool = False
    is_mixed: bool = False
    agrees: bool = False  # whether the round has it


MIXED = Outcome("mixed", is_mixed=True, agrees=True)


def compare(own: dict, this: Optional[Round], key: tlog.VerifierKey) -> Outcome:
    """Compare a round with one of the reader's contributions."""
    if this is None:
        return Outcome("not mixed yet: the file shows no lock and no deal")
    c = next((c for c in this.contributions() if c["from"] == own["from"]), None)
    is_signed = c is not None and "key" in own and _is_signed_by(own["key"], c, this, key)
    agrees = c is not None and _agrees(own, c, this, is_signed)
    if this.voided:
        return Outcome("not mixed: the round was given up", agrees=agrees)
    if agrees and this.deal is None:
        return Outcome("in the lock, and not dealt yet", agrees=True)
    if agrees:
        return MIXED
    if "hash" in own:
        return Outcome("not in this round: nobody else knew its seed when the round was locked")
    if is_signed:
        return Outcome("the round has another, which your own key signed")
    says = "not in this round" if c is None else "the round has another under this label"
    return Outcome(says, is_wrong=True)


class Held(NamedTuple):
    """The result of comparing a round with its reader's inputs."""

    wrong: Optional[str]  # the finding
    is_claim: bool  # whether it accuses nobody (11.4)
    outcomes: list  # of (from, what the comparison gave), one for each contribution
    is_yours: bool
    is_in_round: bool  # whether the round has all of the reader's contributions, dealt or not
    own: set  # labels of the reader's contributions that were mixed
    signed: set  # labels of contributions that players' keys signed
    protecting: set  # labels of contributions that protect, if they are hashed (11.4)
    protecting_own: set  # those of them that the reader brought with their hash


def hold(
    mine: list, claimed: list, players: dict, this: Optional[Round], key: tlog.VerifierKey
) -> Held:
    """Compare a round with the reader's contributions, with claims, and with players' keys."""
    outcomes = [(own, compare(own, this, key)) for own in mine + claimed]
    wrong, claims = [], []
    for i, (own, out) in enumerate(outcomes):
        if out.is_wrong:
            # One that names no round can be mistyped, or be of another round.
            accuses = i < len(mine) and "log" in own
            (wrong if accuses else claims).append(f"{own['from']!r}: {out.says}")
    mixed = [own for own, out in outcomes[: len(mine)] if out.is_mixed]
    signed = set()
    for c in this.contributions() if this else []:
        if c["from"] not in players:
            continue
        if _is_signed_by(players[c["from"]], c, this, key):
            signed.add(c["from"])
        else:
            claims.append(f"the contribution of {c['from']!r} is not signed by the key given for it")
    says = [(own["from"], out.says) for own, out in outcomes]
    is_yours = bool(mine) and len(mixed) == len(mine)
    is_in_round = bool(mine) and all(out.agrees for _, out in outcomes[: len(mine)])
    # If somebody else made the hash or knew the seed, the hash protects nobody.
    hashed = {own["from"] for own in mixed if "hash" in own and "given" not in own}
    own = {own["from"] for own in mixed}
    found, is_claim = "; ".join(wrong + claims) or None, bool(claims) and not wrong
    return Held(found, is_claim, says, is_yours, is_in_round, own, signed, hashed | signed, hashed)
