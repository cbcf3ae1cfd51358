"""The life of a commitment and of its table: ledger.md 9, the one place where entries are judged.

`overdue`, and the findings about a whole log's tiles, are an audit's (audit.py); beacon
signatures are not verified in this version.
"""

from typing import NamedTuple, Optional

import canonical
import deal
import ed25519
import entry
import tlog
from refused import Refused


class Finding(NamedTuple):
    """A departure from section 9, and the entry that it is found at, if it is at one."""

    code: str
    index: Optional[int]
    says: str
    commitment: Optional[str] = None  # what it stands under, where that is known (audit.md 13.4)
    nonce: Optional[int] = None


class Round:
    """One nonce of a commitment."""

    def __init__(self, nonce: int):
        self.nonce = nonce
        self.lock_index: Optional[int] = None
        self.lock: Optional[dict] = None
        self.deal_index: Optional[int] = None
        self.deal: Optional[dict] = None
        self.unopened: set = set()  # labels whose hash the deal does not open as it should
        self.mixed: Optional[list] = None  # the contributions, where nothing leaves them open
        self.result_wrong = False
        self.replayed = False

    def contributions(self) -> list:
        """As the lock has them, or else the deal."""
        return (self.lock or self.deal or {}).get("contributions", [])

    def logged_at(self) -> int:
        """The index of the entry that has them."""
        return self.deal_index if self.lock is None else self.lock_index


class Commitment:
    """One commitment's state."""

    def __init__(self, index: int, commit: dict, before: Optional["Commitment"]):
        self.index, self.commit, self.before = index, commit, before
        self.next_nonce = 0
        self.locked: Optional[Round] = None
        self.rounds: dict = {}
        self.used = False  # a lock or a deal
        self.begun = False  # a lock, a deal, a whole void or a reveal
        self.ended: Optional[str] = None  # "revealed" or "voided"

    def is_open(self) -> bool:
        """Not used up, not revealed, not voided as a whole (9.2)."""
        return self.ended is None and (self.next_nonce < self.commit["rounds"] or self.locked is not None)


class Ends(Exception):
    """A finding that leaves its entry without effect."""

    def __init__(self, code: str, says: str):
        super().__init__(says)
        self.code = code


class Effect(NamedTuple):
    """What an entry did: its kind and value, its commitment's state, and its round where it has one."""

    kind: str
    value: dict
    state: Commitment
    round: Optional[Round]


class Life:
    """Judges a log's entries in order; `excerpt` where only some of them are shown."""

    def __init__(self, key: tlog.VerifierKey, excerpt: bool):
        self.key, self.excerpt = key, excerpt
        self.has_roots = True  # whether there is a tree to hold a seen checkpoint against (audit.md 13.2)
        self.commitments: dict = {}
        self.not_judged: dict = {}  # commitment to the index of its commit
        self.tables: dict = {}
        self.last_time: Optional[int] = None
        self._leaves: list = []  # of the entries from 0 on, as long as none is left out
        self._seen: dict = {}  # size to root, of seen checkpoints
        self._roots: dict = {}  # size to root, of the leaves
        self.contradicted: set = set()  # (index, label) of whoever saw another tree than this
        self.effect: Optional[Effect] = None  # of the last entry, if it had one
        self._about: tuple = (None, None)  # its commitment and nonce, as far as they are known

    def apply(self, index: int, data: bytes) -> list:
        """The findings of one entry, which then has its effect unless one of them ends."""
        found: list = []
        self.effect, self._about = None, (None, None)
        try:
            self._judge(index, data, found)
        except (Ends, Refused) as ends:
            found.append(Finding(ends.code, index, str(ends), *self._about))
        if index == len(self._leaves):
            self._leaves.append(tlog.leaf_hash(data))
        return found

    def _judge(self, index: int, data: bytes, found: list) -> None:
        value = entry.read_canonical(data)
        name = value.get("commitment") if isinstance(value, dict) else None
        self._about = (name if entry.is_hex(name, 32) else None, None)
        if isinstance(name, str) and name in self.not_judged:
            self._pass_over(value, len(data))
            return
        kind = entry.check_grammar(value, len(data))
        self._about = (name, value.get("nonce") if kind in entry.GRAMMAR else None)
        state = self.commitments.get(name)
        self._check_surroundings(kind, value, state)
        if kind in ("commit", "other-protocol"):
            if state is not None:
                raise Ends("duplicate-commitment", f"this commitment was already made by entry {state.index}")
            if kind == "other-protocol":
                self.not_judged[name] = index
                return
        elif state is None:
            raise Ends("no-commitment", f"a {kind} before the commit of {name}")
        else:
            self._check_course(kind, value, state)

        def find(code: str, says: str, this: Optional[Round] = None) -> None:
            """Of the entry, or of the deal of another round."""
            at, about = (index, self._about) if this is None else (this.deal_index, (name, this.nonce))
            if not any((f.code, f.index) == (code, at) for f in found):
                found.append(Finding(code, at, says, *about))

        self._check_turn(kind, value, state, find)
        if self.last_time is not None and value["time"] < self.last_time:
            find("time-runs-back", f"time is {value['time']}, after an entry of {self.last_time}")
        self.last_time = value["time"]
        for contribution in value.get("contributions", []) if kind in ("lock", "deal") else []:
            if "seen" in contribution:
                self._check_view(index, contribution, find)
        if kind == "commit":
            state = Commitment(index, value, self.tables.get(value["table"]))
            self.commitments[name] = self.tables[value["table"]] = state
            this = None
        else:
            this = {"lock": self._lock, "deal": self._deal, "void": self._void, "reveal": self._reveal}[kind](
                index, value, state, find
            )
        self.effect = Effect(kind, value, state, this)

    def _pass_over(self, value: dict, size: int) -> None:
        """An entry of a commitment that is not judged: only a second commit counts (8.6)."""
        try:
            kind = entry.check_grammar(value, size)
        except Refused:
            return
        if kind in ("commit", "other-protocol"):
            raise Ends(
                "duplicate-commitment",
                f"this commitment was already made by entry {self.not_judged[value['commitment']]}",
            )

    def _check_surroundings(self, kind: str, e: dict, state: Optional[Commitment]) -> None:
        """Whether an entry is invalid where it stands (the end of 8.2)."""
        if kind == "commit":
            entry.refuse_unless(
                e["origin"] == self.key.name, f"origin is {e['origin']!r}, this log's is {self.key.name!r}"
            )
        if kind in ("lock", "deal"):
            for c in e.get("contributions", []):
                if "seen" in c:
                    signature = tlog.decode_base64(c["seen"]["signature"])
                    signed = tlog.checkpoint_text(
                        self.key.name, c["seen"]["size"], bytes.fromhex(c["seen"]["root"])
                    )
                    ok = signature[:4] == self.key.id and ed25519.verify(
                        self.key.public, signed.encode(), signature[4:]
                    )
                    entry.refuse_unless(ok, f"the seen of {c['from']!r} was not signed by this log")
            entry.refuse_unless(
                "beacon" not in e or state is None or state.commit["mixing"] == "beacon",
                "beacon under a commit whose mixing is not beacon",
            )
        if kind == "void" and "blame" in e and state is not None:
            locked = state.locked
            labels = (
                [c["from"] for c in locked.contributions()] if locked and locked.nonce == e["nonce"] else []
            )
            entry.refuse_unless(
                e["blame"] in labels,
                f"blame is {e['blame']!r}, which is no from of an open lock of round {e['nonce']}",
            )

    def _check_course(self, kind: str, e: dict, state: Commitment) -> None:
        """The findings that end, from after-reveal to seed-mismatch."""
        nonce = e.get("nonce")
        if state.ended:
            raise Ends(
                "after-reveal" if state.ended == "revealed" else "after-void",
                f"a {kind} after its commitment was {state.ended}",
            )
        if kind == "void" and nonce is None and state.used:
            raise Ends(
                "void-after-use",
                "a whole void after a lock or deal: only the reveal ends a commitment that was used",
            )
        if state.locked and (kind in ("lock", "reveal") or nonce != state.locked.nonce):
            raise Ends("open-round", f"a {kind} while round {state.locked.nonce} is locked")
        if nonce is not None and not state.locked:
            gap = nonce < state.next_nonce if self.excerpt else nonce != state.next_nonce
            if gap:
                raise Ends(
                    "nonce-gap", f"nonce is {nonce}, but this commitment's next round is {state.next_nonce}"
                )
        if nonce is not None and nonce >= state.commit["rounds"]:
            raise Ends(
                "too-many-rounds", f"nonce is {nonce}, but the commitment has {state.commit['rounds']} rounds"
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
        if kind == "commit":
            last = self.tables.get(e["table"])
            last_name = last and last.commit["commitment"]
            if not self.excerpt and e.get("after") != last_name:
                find(
                    "out-of-turn",
                    f"after is {e.get('after', 'absent')}, the table's last commitment is {last_name or 'none'}",
                )
        elif kind in ("lock", "deal", "reveal") or "nonce" not in e:
            if not state.begun and state.before is not None and state.before.is_open():
                find(
                    "out-of-turn",
                    f"{state.before.commit['commitment']}, the one before at this table, is still open",
                )
            state.begun = True

    def _check_view(self, index: int, contribution: dict, find) -> None:
        size, root = contribution["seen"]["size"], bytes.fromhex(contribution["seen"]["root"])
        label = contribution["from"]
        if size > index:
            find("split-view", f"{label!r} saw {size} entries, more than the {index} before this one")
            return
        if not self.has_roots:
            return
        known = self._seen.setdefault(size, root)
        if size <= len(self._leaves):
            known = self.root_at(size)
        if known != root:
            self.contradicted.add((index, label))
            find(
                "split-view",
                f"{label!r} saw the root {root.hex()} at size {size}, this log has {known.hex()}",
            )

    def root_at(self, size: int) -> bytes:
        """The root over the first entries, none of which is left out."""
        if size not in self._roots:
            self._roots[size] = tlog.root_of(self._leaves[:size])
        return self._roots[size]

    def _lock(self, index: int, e: dict, state: Commitment, find) -> Round:
        mixing, contributions = state.commit["mixing"], e.get("contributions", [])
        if mixing == "hashes" and any("hash" not in c for c in contributions):
            find("weak-mixing", "mixing is hashes, but a contribution is in the clear")
        if mixing == "beacon" and ("beacon" not in e or any("hash" in c for c in contributions)):
            find("weak-mixing", "mixing is beacon, but the lock names no round or has a hash")
        this = state.rounds[e["nonce"]] = Round(e["nonce"])
        this.lock_index, this.lock = index, e
        state.locked, state.used, state.next_nonce = this, True, e["nonce"]
        return this

    def _deal(self, index: int, e: dict, state: Commitment, find) -> Round:
        this = state.locked or Round(e["nonce"])
        state.rounds[e["nonce"]] = this
        this.deal_index, this.deal = index, e
        state.locked, state.used, state.next_nonce = None, True, e["nonce"] + 1
        if "lock" not in e and state.commit["mixing"] != "seeds":
            find("weak-mixing", f"mixing is {state.commit['mixing']}, but the deal names no lock")
        if this.lock is not None and (("beacon" in this.lock) != ("beacon" in e)):
            find(
                "beacon-signature",
                (
                    "the lock names a beacon round and the deal has no signature"
                    if "beacon" in this.lock
                    else "the deal has a beacon signature, but its lock names no round"
                ),
            )
        self._check_lock(e, this, find)
        wrong = self._wrong_form(state.commit, e["result"])
        if wrong:
            this.result_wrong = True
            find("result-mismatch", wrong)
        return this

    def _check_lock(self, e: dict, this: Round, find) -> None:
        """Whether a deal answers its lock; sets what was mixed where nothing leaves that open."""
        if this.lock is None:
            if "lock" in e:
                find("lock-mismatch", f"the deal names the lock {e['lock']}, but no round is locked")
            else:
                this.mixed = [
                    deal.Contribution(c["from"], c["seed"], entry.seen_of(c)) for c in e["contributions"]
                ]
            return
        hashed = {c["from"]: c for c in this.contributions() if "hash" in c}
        this.unopened = set(hashed)
        if e.get("lock") != this.lock_index:
            find(
                "lock-mismatch",
                f"the round's lock is entry {this.lock_index}, the deal names {e.get('lock', 'none')}",
            )
            return
        opened = e.get("opened", [])
        places = [list(hashed).index(o["from"]) if o["from"] in hashed else -1 for o in opened]
        answers = -1 not in places and all(a < b for a, b in zip(places, places[1:]))
        if not answers:
            find("lock-mismatch", "the deal opens what its lock does not have hashed, or in another order")
        seeds = {}
        for o in opened:
            c = hashed.get(o["from"])
            made = c and entry.contribution_hash(
                bytes.fromhex(e["commitment"]),
                e["nonce"],
                o["from"],
                bytes.fromhex(o["blind"]),
                o["seed"],
                entry.seen_of(c),
            )
            if c and made.hex() == c["hash"]:
                seeds[o["from"]] = o["seed"]
                this.unopened.discard(o["from"])
        if this.unopened:
            find(
                "unopened-hash",
                f"not opened, or not with what was hashed: {', '.join(sorted(this.unopened))}",
            )
        if answers and not this.unopened and "beacon" not in this.lock and "beacon" not in e:
            this.mixed = [
                deal.Contribution(c["from"], c.get("seed") or seeds[c["from"]], entry.seen_of(c))
                for c in this.contributions()
            ]

    @staticmethod
    def _wrong_form(commit: dict, result: dict) -> Optional[str]:
        form, found = entry.result_form(commit), next(iter(result))
        if form != found:
            return f"the result is {found}, the commit asks for {form}"
        count = (
            len(result["cards"]) // 2
            if form == "cards"
            else len(result["indices"]) if form == "indices" else commit["draw"]
        )
        return None if count == commit["draw"] else f"the result has {count} items, draw is {commit['draw']}"

    def _void(self, index: int, e: dict, state: Commitment, find) -> None:
        if "nonce" not in e:
            state.ended = "voided"
        else:
            state.locked, state.next_nonce = None, e["nonce"] + 1

    def _reveal(self, index: int, e: dict, state: Commitment, find) -> None:
        state.ended = "revealed"
        for this in state.rounds.values():
            if this.deal is None or this.mixed is None or this.result_wrong:
                continue
            given = entry.result_of(
                state.commit, deal.Inputs(bytes.fromhex(e["server_seed"]), this.nonce, this.mixed)
            )
            this.replayed = given == this.deal["result"]
            if not this.replayed:
                find("result-mismatch", f"the seeds give {canonical.text_of(given)[:300]}", this)
        if e["time"] > state.commit["reveal_by"]:
            find("late-reveal", f"time is {e['time']}, reveal_by was {state.commit['reveal_by']}")
