"""The life of a commitment and of its table (ledger.md 9). Only this module judges entries.

audit.py finds `overdue`, `time-ahead`, and the faults of a whole log's tiles.
"""

from typing import NamedTuple, Optional

import beacon
import canonical
import contributions
import cosigned
import deal
import entry
import layout
import results
import tlog
from cosigned import Cosigned
from finding import Finding
from policy import Policy
from refused import Refused
from rounds import Commitment, Round


class Ends(Exception):
    """A finding that leaves its entry without effect."""

    def __init__(self, code: str, says: str):
        super().__init__(says)
        self.code = code


class Effect(NamedTuple):
    """An entry's effect: its kind and value, its commitment's state, and its round, if any."""

    index: int
    kind: str
    value: dict
    state: Optional[Commitment]  # None for an anchor
    round: Optional[Round]  # for a void: the round, if it was locked


class Life:
    """Judges a log's entries in order; with `excerpt`, only some of them are shown."""

    def __init__(
        self,
        key: tlog.VerifierKey,
        excerpt: bool,
        proved: Optional[dict] = None,
        policy: Optional[Policy] = None,
    ):
        self.key, self.excerpt, self.policy = key, excerpt, policy
        self.has_roots = True  # whether the log has roots to compare a `seen` with (audit.md 13.2)
        self.skip_signatures = False  # those of contributions
        self.chains: dict = beacon.CHAINS  # the beacons' chains that the reader knows, by hash
        self.missed: dict = {}  # what this reader once found overdue, to the clock then
        self.only_missed: set = set()  # the indices of reveals that are late by that alone
        self.commitments: dict = {}
        self.not_judged: dict = {}  # commitment to the index of its commit
        self.tables: dict = {}  # to its commitments, in order
        self.last_time: Optional[int] = None
        self._last_size = 0  # of the last anchor that had effect
        self.anchors: list = []  # Cosigned: with a policy, those that had effect
        self._floor: Optional[Cosigned] = None  # the first anchor with the greatest *since*
        self.roots = tlog.Roots()  # of a whole log's entries
        self._seen: dict = dict(proved or {})  # size to root, in an excerpt: proved, or seen first
        self.effect: Optional[Effect] = None  # of the last entry, if it had one
        self._about: tuple = (None, None)  # its commitment and nonce, if known

    def apply(self, index: int, data: bytes) -> list:
        """Judge one entry and return its findings. It has effect unless a finding *ends*."""
        found: list = []
        self.effect, self._about = None, (None, None)
        try:
            self._judge(index, data, found)
        except (Ends, Refused) as ends:
            found.append(Finding(ends.code, index, str(ends), *self._about))
        if not self.excerpt:
            self.roots.append(tlog.leaf_hash(data))
        return found

    def _judge(self, index: int, data: bytes, found: list) -> None:
        """The steps of section 9.3."""
        value = entry.read(data)  # 1 and 2
        name = entry.commitment_of(value)  # 3
        self._about = (name, None)
        if name in self.not_judged:  # 4
            self._pass_over(value, name)
            return
        state = self.commitments.get(name)
        if entry.is_other_protocol(value):  # 5
            self._check_first(state)
            self.not_judged[name] = index
            return
        kind = entry.check_grammar(value)  # 6
        self._about = (name, value.get("nonce"))
        self._check_surroundings(kind, value, state)
        if kind == "anchor":
            pass  # it is under no commitment: steps 7 to 13 are not for anchors
        elif kind == "commit":  # 7
            self._check_first(state)
        elif state is None:
            raise Ends("no-commitment", f"a {kind} before the commit of {name}")
        else:
            self._check_course(kind, value, state)  # 8 to 12

        known = set()  # a reveal can find something about very many deals

        def find(code: str, says: str, this: Optional[Round] = None) -> None:
            """Add a finding about the entry, or about the deal of another round."""
            at, about = (
                (index, self._about) if this is None else (this.deal_index, (name, this.nonce))
            )
            if (code, at) not in known:
                known.add((code, at))
                found.append(Finding(code, at, says, *about))

        if kind != "anchor":  # 13
            self._check_turn(kind, value, state, find)
        if self.last_time is not None and value["time"] < self.last_time:  # 14
            find("time-runs-back", f"time is {value['time']}, after an entry of {self.last_time}")
        self.last_time = value["time"]
        if kind == "anchor":
            self._anchor(index, value)
        self._check_floor(value["time"], find)
        if kind == "anchor":  # 15
            self._check_view(index, "the anchor", value, find)
        if kind in ("lock", "deal"):
            self._check_contributions(index, value, find)
        if kind == "anchor":  # 16
            this = None
        elif kind == "commit":
            chain = beacon.known(self.chains, value)
            state = self.commitments[name] = Commitment(index, value, chain)
            self.tables.setdefault(value["table"], []).append(state)
            this = None
        else:
            this = {
                "lock": self._lock,
                "deal": self._deal,
                "void": self._void,
                "reveal": self._reveal,
            }[kind](index, value, state, find)
        self.effect = Effect(index, kind, value, state, this)

    @staticmethod
    def _check_first(state: Optional[Commitment]) -> None:
        if state is not None:
            raise Ends(
                "duplicate-commitment", f"this commitment was already made by entry {state.index}"
            )

    def _pass_over(self, value: dict, name: str) -> None:
        """Ignore an entry of a commitment that is not judged, unless it is a second commit (8.6)."""
        if not entry.is_other_protocol(value):
            try:
                if entry.check_grammar(value) != "commit":
                    return
            except Refused:
                return
        raise Ends(
            "duplicate-commitment",
            f"this commitment was already made by entry {self.not_judged[name]}",
        )

    def _check_surroundings(self, kind: str, e: dict, state: Optional[Commitment]) -> None:
        """Refuse an entry that is invalid at its place (the end of 8.2)."""
        if kind == "commit":
            entry.refuse_unless(
                e["origin"] == self.key.name,
                f"origin is {e['origin']!r}, this log's is {self.key.name!r}",
            )
        if kind == "anchor":
            entry.refuse_unless(
                e["size"] > self._last_size,
                f"size is {e['size']}, after an anchor of {self._last_size}",
            )
        if kind in ("lock", "deal"):
            for c in e.get("contributions", []):
                entry.refuse_unless(
                    "seen" not in c or contributions.seen_is_signed(self.key, c["seen"]),
                    f"the seen of {c['from']!r} was not signed by this log",
                )
        if state is None:
            return
        if kind == "void" and "blame" in e:
            this = state.locked_round(e["nonce"])
            entry.refuse_unless(
                (self.excerpt and this is None)  # the excerpt may leave the lock out
                or this is not None
                and e["blame"] in [c["from"] for c in this.contributions()],
                f"blame is {e['blame']!r}, which is no from of an open lock of round {e['nonce']}",
            )
        if kind in ("lock", "deal"):
            entry.refuse_unless(
                "beacon" not in e or state.commit["mixing"] == "beacon",
                "beacon under a commit whose mixing is not beacon",
            )
        if "layout" in state.commit and (kind == "lock" or "contributions" in e):
            entry.refuse_unless("seats" in e, "no seats under a commit with a layout")
            entry.refuse_unless(
                layout.has_room(state.commit["layout"], len(e["seats"]), state.commit["draw"]),
                f"the layout has no room for {len(e['seats'])} seats",
            )

    def _check_course(self, kind: str, e: dict, state: Commitment) -> None:
        """Steps 8 to 12: the findings that end, from after-reveal to seed-mismatch."""
        nonce, locked = e.get("nonce"), state.locked
        if state.ended:
            raise Ends(
                "after-reveal" if state.ended == "revealed" else "after-void",
                f"a {kind} after its commitment was {state.ended}",
            )
        if kind == "void" and nonce is None and state.used:
            raise Ends(
                "void-after-use",
                "a whole void after a lock, deal or void: only the reveal ends a commitment that was used",
            )
        if locked is not None and not (kind in ("deal", "void") and nonce == locked.nonce):
            answered = self.excerpt and (
                kind == "reveal" or (nonce is not None and nonce > locked.nonce)
            )
            if not answered:
                raise Ends("open-round", f"a {kind} while round {locked.nonce} is locked")
        if nonce is not None:
            if nonce < state.next_nonce if self.excerpt else nonce != state.next_nonce:
                raise Ends("nonce-gap", f"the next round is {state.next_nonce}, found {nonce}")
            if nonce >= state.commit["rounds"]:
                raise Ends(
                    "too-many-rounds",
                    f"nonce is {nonce}, but the commitment has {state.commit['rounds']} rounds",
                )
        if kind == "reveal":
            seed = bytes.fromhex(e["server_seed"])
            if deal.commitment_of(seed).hex() != e["commitment"]:
                hint = deal.confusions(seed, bytes.fromhex(e["commitment"]))
                raise Ends(
                    "seed-mismatch",
                    f"the seed's SHA-256 is {deal.commitment_of(seed).hex()}, the commitment is {e['commitment']}"
                    + (f", which is {hint}" if hint else ""),
                )

    def _check_turn(self, kind: str, e: dict, state: Optional[Commitment], find) -> None:
        """Row 9; in an excerpt, the rule of 'Row 9 in an excerpt'."""
        table = self.tables.get((e if state is None else state.commit)["table"], [])
        last = table[-1] if table else None
        if kind == "commit":
            after, last_name = e.get("after"), last and last.commit["commitment"]
            if not self.excerpt:
                if after != last_name:
                    find(
                        "out-of-turn",
                        f"after is {after or 'absent'}, the table's last is {last_name or 'none'}",
                    )
                elif last is not None and last.is_open():
                    find("out-of-turn", f"{last_name}, the one before at this table, is still open")
            elif last is not None:
                if after is None:
                    find("out-of-turn", f"after is absent, the table has had {last_name}")
                elif after in [c.commit.get("after") for c in table]:
                    find("out-of-turn", f"another commitment of this table was made after {after}")
                elif after in [c.commit["commitment"] for c in table[:-1]]:
                    find("out-of-turn", f"after is {after}, the table has had {last_name} since")
        elif self.excerpt and kind in ("lock", "deal", "void") and last is not state:
            find("out-of-turn", f"the table has gone on to {last.commit['commitment']}")

    def _anchor(self, index: int, e: dict) -> None:
        """Note an anchor's effect: it may raise the floor."""
        self._last_size = e["size"]
        if self.policy is None:
            return
        anchor = cosigned.of_anchor(self.policy, self.key.name, index, e)
        self.anchors.append(anchor)
        if anchor.since is not None and (self._floor is None or anchor.since > self._floor.since):
            self._floor = anchor

    def _check_floor(self, time: int, find) -> None:
        """Row 10: whether an entry's time is far before what witnesses signed."""
        if self._floor is not None and time + cosigned.TOLERANCE < 1000 * self._floor.since:
            find(
                "backdated",
                f"time is {time}; under your policy, {self._floor.who_since()} signed the anchor"
                f" at entry {self._floor.index} at {self._floor.since} s or later",
            )

    def _check_contributions(self, index: int, e: dict, find) -> None:
        """Row 11."""
        for c in e.get("contributions", []):
            if "seen" in c:
                self._check_view(index, repr(c["from"]), c["seen"], find)
        of = contributions.round_of(self.key, e["commitment"], e["nonce"])
        for c in e.get("contributions", []):
            if "signature" in c and not self.skip_signatures:
                if not contributions.verifies(of, c):
                    find(
                        "contribution-signature", f"the signature of {c['from']!r} does not verify"
                    )

    def _check_view(self, index: int, who: str, view: dict, find) -> None:
        """The size and root of a `seen` or an anchor."""
        size, root = view["size"], bytes.fromhex(view["root"])
        if size > index:  # a wrong view does not set a root
            find("split-view", f"{who} saw {size} entries, more than the {index} before this one")
            return
        known = self._known_root(size, root)
        if known is not None and known != root:
            find(
                "split-view",
                f"{who} saw the root {root.hex()} at size {size}, this log has {known.hex()}",
            )

    def _known_root(self, size: int, root: bytes) -> Optional[bytes]:
        """The log's root at a size; in an excerpt the proved root, or else the root seen first."""
        if not self.has_roots:
            return None
        if self.excerpt:
            return self._seen.setdefault(size, root)
        return self.roots.at[size] if size < len(self.roots.at) else None

    def _check_mixing(self, e: dict, state: Commitment, find) -> None:
        """Row 12, for a lock or a deal with contributions."""
        mixing, brought = state.commit["mixing"], e.get("contributions", [])
        if mixing == "hashes" and (e["entry"] == "deal" or any("hash" not in c for c in brought)):
            find(
                "weak-mixing",
                "mixing is hashes, but there is no lock, or a contribution in the clear",
            )
        if mixing == "beacon" and ("beacon" not in e or any("hash" in c for c in brought)):
            find(
                "weak-mixing",
                "mixing is beacon, but no round is named before the deal, or there is a hash",
            )
        if "signed" in state.commit and any("signature" not in c for c in brought):
            find("weak-mixing", "contributions are signed here, and one is not")

    def _lock(self, index: int, e: dict, state: Commitment, find) -> Round:
        self._check_mixing(e, state, find)
        this = state.rounds[e["nonce"]] = Round(e["nonce"])
        this.lock_index, this.lock = index, e
        state.locked, state.used = this, True
        if "beacon" in e:
            this.chain = state.chain
            self._check_round(this, state.commit["beacon"]["margin"], find)
        return this

    def _check_round(self, this: Round, margin: int, find) -> None:
        """Whether a lock names the right round of a known chain (row 13)."""
        if this.chain is None:
            return
        named, right = this.lock["beacon"], this.chain.right_round(this.lock["time"], margin)
        if named != right:
            this.beacon_round_wrong = True
            says = "is the first that is out after its time and the margin"
            find("beacon-round", f"the lock names round {named}, but {right or 'none'} {says}")

    def _deal(self, index: int, e: dict, state: Commitment, find) -> Round:
        this = state.locked_round(e["nonce"]) or Round(e["nonce"])
        state.rounds[e["nonce"]] = this
        this.deal_index, this.deal = index, e
        state.locked, state.used, state.next_nonce = None, True, e["nonce"] + 1
        if "contributions" in e:
            self._check_mixing(e, state, find)
        if this.lock is not None:
            self._check_signature(e, this, find)
        self._check_lock(e, this, find)
        wrong = results.impossible(state.commit, e["result"])
        if wrong:
            this.result_wrong = True
            find("result-mismatch", wrong)
        return this

    def _check_signature(self, e: dict, this: Round, find) -> None:
        """Whether a deal has the signature of the round that its lock names (row 13)."""
        named, wrong = this.lock.get("beacon"), None
        if (named is None) != ("beacon" not in e):
            wrong = (
                "the deal has a beacon signature, but its lock names no round"
                if named is None
                else "the lock names a beacon round and the deal has no signature"
            )
        elif this.chain is not None:
            this.beacon_judged = True
            if not this.chain.verifies(named, bytes.fromhex(e["beacon"])):
                wrong = f"the signature of the beacon's round {named} does not verify"
        if wrong is not None:
            this.beacon_signature_wrong = True
            find("beacon-signature", wrong)

    def _check_lock(self, e: dict, this: Round, find) -> None:
        """Whether a deal answers its lock (rows 14 and 15); sets what was mixed, if known."""
        if this.lock is None:
            if "lock" in e:
                find(
                    "lock-mismatch", f"the deal names the lock {e['lock']}, but no round is locked"
                )
            else:
                this.mixed = [contributions.in_clear(c) for c in e["contributions"]]
            return
        if e.get("lock") != this.lock_index:
            find(
                "lock-mismatch",
                f"the round's lock is entry {this.lock_index}, the deal names {e.get('lock', 'none')}",
            )
            return
        hashed = {c["from"]: c for c in this.contributions() if "hash" in c}
        opened = e.get("opened", [])
        places = [list(hashed).index(o["from"]) if o["from"] in hashed else -1 for o in opened]
        answers = -1 not in places and all(a < b for a, b in zip(places, places[1:]))
        if not answers:
            find(
                "lock-mismatch",
                "the deal opens what its lock does not have hashed, or in another order",
            )
        of = contributions.round_of(self.key, e["commitment"], e["nonce"])
        for label, c in hashed.items():
            first = next((o for o in opened if o["from"] == label), None)
            if first is not None and contributions.opens(of, c, first):
                this.seeds[label] = first["seed"]
        unopened = [label for label in hashed if label not in this.seeds]
        if unopened:
            find(
                "unopened-hash",
                f"not opened, or not with what was hashed: {', '.join(map(repr, unopened))}",
            )
        if answers and not unopened and this.beacon_known():
            this.mixed = [
                contributions.in_clear(c, this.opened_seed(c)) for c in this.contributions()
            ]
            if "beacon" in e:
                this.randomness = deal.sha256(bytes.fromhex(e["beacon"]))

    def _void(self, index: int, e: dict, state: Commitment, find) -> Optional[Round]:
        if "nonce" not in e:
            state.ended = "voided"
            return None
        this = state.locked_round(e["nonce"])
        if this is not None:
            this.voided = True
        state.locked, state.used, state.next_nonce = None, True, e["nonce"] + 1
        return this

    def replay(self, state: Commitment, seed: bytes, find) -> None:
        """Replays each deal under a commitment with the seed that opens it (on 16)."""
        for this in state.rounds.values():
            if this.deal is None or this.mixed is None or this.result_wrong:
                continue
            inputs = deal.Inputs(seed, this.nonce, this.mixed, this.randomness)
            given = results.result_of(state.commit, inputs)
            this.replayed = given == this.deal["result"]
            if not this.replayed:
                find("result-mismatch", f"the seeds give {canonical.text_of(given)[:300]}", this)

    def _reveal(self, index: int, e: dict, state: Commitment, find) -> None:
        state.ended, state.locked = "revealed", None
        self.replay(state, bytes.fromhex(e["server_seed"]), find)
        due, missed = state.commit["reveal_by"], self.missed.get(e["commitment"])
        if e["time"] > due:
            find("late-reveal", f"time is {e['time']}, reveal_by was {due}")
        elif missed is not None and missed > due + 300_000:
            self.only_missed.add(index)
            says = f"your audit at {missed} found it overdue since {due}"
            find("late-reveal", f"{says}; the time that the reveal states does not count")
