"""The state of a commitment and of its rounds (ledger.md 9.2), which life.py changes."""

from typing import Optional

import beacon
from beacon import Chain


class Round:
    """One nonce of a commitment."""

    def __init__(self, nonce: int):
        self.nonce = nonce
        self.lock_index: Optional[int] = None
        self.lock: Optional[dict] = None
        self.deal_index: Optional[int] = None
        self.deal: Optional[dict] = None
        self.seeds: dict = {}  # label to seed, of the lock's hashes that the deal opens correctly
        self.mixed: Optional[list] = None  # the contributions, if it is known what was mixed
        self.randomness: Optional[bytes] = None  # the beacon's randomness, as the deal claims it
        self.chain: Optional[Chain] = None  # the known chain of which the lock names a round
        self.beacon_round_wrong = False
        self.beacon_judged = False  # whether the deal's signature was judged (beacon.md 33)
        self.beacon_signature_wrong = False
        self.result_wrong = False
        self.replayed = False
        self.voided = False  # after its lock

    def own(self) -> dict:
        """The entry that has the round's contributions and seats: its lock, or else its deal."""
        return self.deal if self.lock is None else self.lock

    def contributions(self) -> list:
        """The round's contributions, perhaps none."""
        return self.own().get("contributions", [])

    def logged_at(self) -> int:
        """The index of the entry that has the contributions."""
        return self.deal_index if self.lock is None else self.lock_index

    def opened_seed(self, contribution: dict) -> Optional[str]:
        """A contribution's seed; None if it is hashed and not correctly opened."""
        return (
            contribution["seed"] if "seed" in contribution else self.seeds.get(contribution["from"])
        )

    def beacon_out(self) -> Optional[int]:
        """The second at which the lock's round is out; None if it is of no known chain."""
        return None if self.chain is None else self.chain.out_at(self.lock["beacon"])

    def locked_before(self) -> Optional[int]:
        """The last second at which a lock that was seen by then is before the beacon; or None."""
        out = None if self.beacon_round_wrong else self.beacon_out()
        return None if out is None else out - beacon.CLOCKS

    def beacon_known(self) -> bool:
        """Whether it is known what was mixed of a beacon, as far as the reader knows its chain."""
        return not self.beacon_round_wrong and not self.beacon_signature_wrong


class Commitment:
    """One commitment's state."""

    def __init__(self, index: int, commit: dict, chain: Optional[Chain]):
        self.index, self.commit = index, commit
        self.next_nonce = 0
        self.locked: Optional[Round] = None
        self.rounds: dict = {}
        self.used = False  # a round was locked, dealt or voided
        self.ended: Optional[str] = None  # "revealed" or "voided"
        self.chain = chain  # of its beacon, if the reader knows it

    def is_used_up(self) -> bool:
        """Whether every nonce was dealt or voided."""
        return self.next_nonce >= self.commit["rounds"]

    def is_open(self) -> bool:
        """Not used up, not revealed, not voided as a whole (9.2)."""
        return self.ended is None and not self.is_used_up()

    def locked_round(self, nonce: int) -> Optional[Round]:
        """The round of this nonce if it is locked, otherwise None."""
        return self.locked if self.locked is not None and self.locked.nonce == nonce else None
