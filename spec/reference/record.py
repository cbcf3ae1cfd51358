"""What is written about a deal: the entries' grammar and the life of a commitment.

Implements ledger.md 8 and 9. `overdue`, and the findings about a whole log's
tiles, are an audit's and are not here; nor are beacons, whose signatures this
version does not verify.
"""

import re
import struct
from typing import Callable, NamedTuple, Optional

import canonical
import deal
import tlog
from refused import Refused

MAX_ENTRY = 65535
PROTOCOL = "fairdeal/v1"

# 8.2: grammar. A check takes a value and where it stands, and raises Refused.

Check = Callable[[object, str], None]


def _refuse(where: str, expected: str, found) -> None:
    shown = canonical.text_of(found)
    raise Refused("invalid-entry", f"{where} is {shown[:100]}{'…' if len(shown) > 100 else ''}, expected {expected}")


def is_integer(value, least: int = 0, most: int = canonical.MAX_INTEGER) -> bool:
    """An integer of the formats (a bool is none, and neither is a float)."""
    return type(value) is int and least <= value <= most


def integer(least: int = 0, most: int = canonical.MAX_INTEGER) -> Check:
    """An integer in a range."""
    def check(value, where):
        if not is_integer(value, least, most):
            _refuse(where, f"an integer from {least} to {most}", value)
    return check


def text(most: int) -> Check:
    """Text of 1 to `most` bytes without control characters."""
    def check(value, where):
        if not isinstance(value, str) or not deal.text_fits(value, most):
            _refuse(where, f"text of 1 to {most} bytes without control characters", value)
    return check


def hexadecimal(*lengths: int) -> Check:
    """Lowercase hexadecimal of so many bytes."""
    def check(value, where):
        if not is_hex(value, *lengths):
            _refuse(where, f"{' or '.join(map(str, lengths))} bytes in lowercase hexadecimal", value)
    return check


def is_hex(value, *lengths: int) -> bool:
    """Whether a value is lowercase hexadecimal of so many bytes."""
    return isinstance(value, str) and len(value) in [2 * n for n in lengths] and re.fullmatch("[0-9a-f]*", value) is not None


def one_of(*values: str) -> Check:
    """One of some words."""
    def check(value, where):
        if value not in values or not isinstance(value, str):
            _refuse(where, " or ".join(values), value)
    return check


def array(most: int, item: Check) -> Check:
    """An array of 1 to `most` items."""
    def check(value, where):
        if not isinstance(value, list) or not 1 <= len(value) <= most:
            _refuse(where, f"an array of 1 to {most}", value)
        for i, part in enumerate(value):
            item(part, f"{where}[{i}]")
    return check


def members(required: dict, optional: Optional[dict] = None) -> Check:
    """An object with exactly these members."""
    optional = optional or {}

    def check(value, where):
        if not isinstance(value, dict):
            _refuse(where or "the entry", "an object", value)
        for name in required:
            if name not in value:
                raise Refused("invalid-entry", f"{where or 'the entry'} has no {name}")
        for name, part in value.items():
            rule = required.get(name) or optional.get(name)
            if rule is None:
                raise Refused("invalid-entry", f"{where or 'the entry'} has an unknown member {name!r}")
            rule(part, f"{where}.{name}" if where else name)
    return check


HASH = hexadecimal(32)
FROM = text(64)
SEED = text(256)
TIME = integer()
NONCE = integer()


def _name(value, where):
    if not isinstance(value, str) or not tlog.is_name(value) or len(value.encode()) > 255:
        _refuse(where, "a key name of 1 to 255 bytes", value)


def _boolean(value, where):
    if not isinstance(value, bool):
        _refuse(where, "true or false", value)


def _seen_signature(value, where):
    try:
        if isinstance(value, str) and len(tlog.decode_base64(value)) == 68:
            return
    except ValueError:
        pass
    _refuse(where, "68 bytes in base64", value)


def _cards(value, where):
    pairs = [value[i:i + 2] for i in range(0, len(value), 2)] if isinstance(value, str) else []
    if not pairs or not all(card in deal.CARDS for card in pairs):
        _refuse(where, "one or more cards of two characters each", value)


SEEN = members({"root": HASH, "signature": _seen_signature, "size": integer(1)})
CLEAR = members({"from": FROM, "seed": SEED}, {"seen": SEEN})
HASHED = members({"from": FROM, "hash": HASH}, {"seen": SEEN})


def _clear_or_hashed(value, where):
    (HASHED if isinstance(value, dict) and "hash" in value else CLEAR)(value, where)


def _ascending(item: Check) -> Check:
    def check(value, where):
        array(deal.MAX_CLIENTS, item)(value, where)
        labels = [part["from"].encode() for part in value]
        if any(a >= b for a, b in zip(labels, labels[1:])):
            raise Refused("invalid-entry", f"{where} is not in ascending order of from, each once")
    return check


def _result(value, where):
    if not isinstance(value, dict) or len(value) != 1:
        _refuse(where, "an object with seal, cards, indices or digest alone", value)
    members({}, {"seal": HASH, "cards": _cards, "digest": HASH,
                 "indices": array(deal.MAX_ITEMS, integer(0, deal.MAX_ITEMS - 1))})(value, where)


def deck_size(deck) -> int:
    """How many items a commit's deck has."""
    return deck["count"] if isinstance(deck, dict) else len(deal.DECKS[deck])


def _deck(value, where):
    if isinstance(value, dict):
        members({"count": integer(1, deal.MAX_ITEMS), "sha256": HASH})(value, where)
    elif not isinstance(value, str) or value not in deal.DECKS:
        _refuse(where, "the name of a deck, or {count, sha256}", value)


def _kind(required: dict, optional: Optional[dict] = None) -> Check:
    common = {"entry": one_of("commit", "lock", "deal", "void", "reveal"), "time": TIME, "commitment": HASH}
    return members({**common, **required}, {"ext": HASH, **(optional or {})})


GRAMMAR = {
    "commit": _kind({"protocol": one_of(PROTOCOL), "origin": _name, "table": text(128), "method": one_of("shuffle", "cycle"),
                     "deck": _deck, "draw": integer(1), "sealed": _boolean, "mixing": one_of("seeds", "hashes", "beacon"),
                     "rounds": integer(1, 1_000_000), "reveal_by": TIME},
                    {"after": HASH, "rules": HASH, "beacon": members({"chain": HASH, "margin": integer()})}),
    "lock": _kind({"nonce": NONCE}, {"contributions": _ascending(_clear_or_hashed), "beacon": integer(1),
                                     "seats": array(deal.MAX_CLIENTS, FROM)}),
    "deal": _kind({"nonce": NONCE, "result": _result},
                  {"contributions": _ascending(CLEAR), "lock": integer(), "beacon": hexadecimal(48, 96),
                   "opened": array(deal.MAX_CLIENTS, members({"blind": HASH, "from": FROM, "seed": SEED}))}),
    "void": _kind({"reason": text(256)}, {"nonce": NONCE, "blame": FROM}),
    "reveal": _kind({"server_seed": HASH}),
}
YEAR = 366 * 86_400_000


def _refuse_unless(holds: bool, says: str) -> None:
    if not holds:
        raise Refused("invalid-entry", says)


def _check_together(e: dict) -> None:
    """What the grammar says of members taken together."""
    kind = e["entry"]
    if kind == "commit":
        items = deck_size(e["deck"])
        _refuse_unless(e["draw"] <= items, f"draw is {e['draw']}, the deck has {items} items")
        if e["method"] == "cycle":
            _refuse_unless(items >= 2 and e["draw"] == items, f"a cycle draws all of 2 items or more, not {e['draw']} of {items}")
        _refuse_unless(e["time"] < e["reveal_by"] <= e["time"] + YEAR,
                       f"reveal_by is {e['reveal_by']}, expected more than time ({e['time']}) by at most 366 days")
        _refuse_unless(("beacon" in e) == (e["mixing"] == "beacon"), f"beacon stands exactly with mixing beacon, not with {e['mixing']}")
    elif kind == "lock":
        _refuse_unless("contributions" in e or "beacon" in e, "a lock has contributions, beacon, or both")
        if "seats" in e:
            labels = sorted(c["from"] for c in e.get("contributions", []))
            _refuse_unless(sorted(e["seats"]) == labels, "seats does not hold every from of contributions once")
    elif kind == "deal":
        _refuse_unless(("contributions" in e) != ("lock" in e), "a deal has exactly one of contributions and lock")
        for name in ("opened", "beacon"):
            _refuse_unless(name not in e or "lock" in e, f"{name} stands only beside lock")
    elif kind == "void":
        _refuse_unless("blame" not in e or "nonce" in e, "blame stands only beside nonce")


def is_other_protocol(value) -> bool:
    """A commit of another protocol (8.6)."""
    return (isinstance(value, dict) and value.get("entry") == "commit" and is_integer(value.get("time"))
            and is_hex(value.get("commitment"), 32) and isinstance(value.get("protocol"), str)
            and value["protocol"] != PROTOCOL)


def read_canonical(data: bytes):
    """The value of an entry's bytes; refuses what is not canonical."""
    try:
        return canonical.parse(data)
    except canonical.NotJson as error:
        raise Refused("not-canonical", str(error)) from None


def check_grammar(value, size: int) -> str:
    """The kind of a canonical entry of `size` bytes, or "other-protocol"; refuses invalid ones."""
    _refuse_unless(size <= MAX_ENTRY, f"an entry has at most {MAX_ENTRY} bytes, not {size}")
    if is_other_protocol(value):
        return "other-protocol"
    _refuse_unless(isinstance(value, dict), "an entry is an object")
    kind = value.get("entry")
    _refuse_unless(isinstance(kind, str) and kind in GRAMMAR, "entry is not commit, lock, deal, void or reveal")
    GRAMMAR[kind](value, "")
    _check_together(value)
    return kind


def parse_entry(data: bytes):
    """(kind, value) of an entry's bytes, without its surroundings."""
    value = read_canonical(data)
    return check_grammar(value, len(data)), value


# 8.3: contributions


def seen_of(contribution: dict) -> Optional[deal.Seen]:
    """What a contribution mixes of its `seen`."""
    seen = contribution.get("seen")
    return seen and deal.Seen(seen["size"], bytes.fromhex(seen["root"]))


def contribution_hash(commitment: bytes, nonce: int, label: str, blind: bytes, seed: str, seen: Optional[deal.Seen]) -> bytes:
    """What a player gives before the seed itself."""
    name = label.encode()
    return deal.sha256(b"fairdeal/v1/contribution\x00" + commitment + struct.pack(">QH", nonce, len(name)) + name
                       + blind + deal.encode(seed, seen))


def result_form(commit: dict) -> str:
    """Which form of result a commit asks for (8.5)."""
    if commit["sealed"]:
        return "seal"
    if isinstance(commit["deck"], str):
        return "cards"
    return "indices" if commit["draw"] <= 1000 else "digest"


def result_of(commit: dict, inputs: deal.Inputs) -> dict:
    """The result that seeds give."""
    indices = deal.replay(inputs, commit["method"], deck_size(commit["deck"]), commit["draw"]).indices
    form = result_form(commit)
    if form == "seal":
        return {"seal": deal.seals(inputs, indices).seal.hex()}
    if form == "cards":
        cards = deal.deck_cards(commit["deck"])
        return {"cards": "".join(cards[i] for i in indices)}
    return {"indices": indices} if form == "indices" else {"digest": deal.digest_of(indices).hex()}


# 9: life


class Finding(NamedTuple):
    """A departure from section 9, and the entry that it is found at, if it is at one."""

    code: str
    index: Optional[int]
    says: str


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


class Life:
    """Judges a log's entries in order; `excerpt` where only some of them are shown."""

    def __init__(self, key: tlog.VerifierKey, excerpt: bool):
        self.key, self.excerpt = key, excerpt
        self.commitments: dict = {}
        self.not_judged: dict = {}  # commitment to the index of its commit
        self.tables: dict = {}
        self.last_time: Optional[int] = None
        self._leaves: list = []  # of the entries from 0 on, as long as none is left out
        self._seen: dict = {}  # size to root, of seen checkpoints

    def apply(self, index: int, data: bytes) -> list:
        """The findings of one entry, which then has its effect unless one of them ends."""
        found: list = []
        try:
            self._judge(index, data, found)
        except (Ends, Refused) as ends:
            found.append(Finding(ends.code, index, str(ends)))
        if index == len(self._leaves):
            self._leaves.append(tlog.leaf_hash(data))
        return found

    def _judge(self, index: int, data: bytes, found: list) -> None:
        value = read_canonical(data)
        name = value.get("commitment") if isinstance(value, dict) else None
        if isinstance(name, str) and name in self.not_judged:
            self._pass_over(value, len(data))
            return
        kind = check_grammar(value, len(data))
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

        def find(code: str, says: str, at: int = index) -> None:
            if not any((f.code, f.index) == (code, at) for f in found):
                found.append(Finding(code, at, says))

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
        else:
            {"lock": self._lock, "deal": self._deal, "void": self._void, "reveal": self._reveal}[kind](index, value, state, find)

    def _pass_over(self, value: dict, size: int) -> None:
        """An entry of a commitment that is not judged: only a second commit counts (8.6)."""
        try:
            kind = check_grammar(value, size)
        except Refused:
            return
        if kind in ("commit", "other-protocol"):
            raise Ends("duplicate-commitment", f"this commitment was already made by entry {self.not_judged[value['commitment']]}")

    def _check_surroundings(self, kind: str, e: dict, state: Optional[Commitment]) -> None:
        """Whether an entry is invalid where it stands (the end of 8.2)."""
        if kind == "commit":
            _refuse_unless(e["origin"] == self.key.name, f"origin is {e['origin']!r}, this log's is {self.key.name!r}")
        if kind in ("lock", "deal"):
            for c in e.get("contributions", []):
                if "seen" in c:
                    signature = tlog.decode_base64(c["seen"]["signature"])
                    signed = tlog.checkpoint_text(self.key.name, c["seen"]["size"], bytes.fromhex(c["seen"]["root"]))
                    ok = signature[:4] == self.key.id and tlog.ed25519.verify(self.key.public, signed.encode(), signature[4:])
                    _refuse_unless(ok, f"the seen of {c['from']!r} was not signed by this log")
            _refuse_unless("beacon" not in e or state is None or state.commit["mixing"] == "beacon",
                           "beacon under a commit whose mixing is not beacon")
        if kind == "void" and "blame" in e and state is not None:
            locked = state.locked
            labels = [c["from"] for c in locked.contributions()] if locked and locked.nonce == e["nonce"] else []
            _refuse_unless(e["blame"] in labels, f"blame is {e['blame']!r}, which is no from of an open lock of round {e['nonce']}")

    def _check_course(self, kind: str, e: dict, state: Commitment) -> None:
        """The findings that end, from after-reveal to seed-mismatch."""
        nonce = e.get("nonce")
        if state.ended:
            raise Ends("after-reveal" if state.ended == "revealed" else "after-void", f"a {kind} after its commitment was {state.ended}")
        if kind == "void" and nonce is None and state.used:
            raise Ends("void-after-use", "a whole void after a lock or deal: only the reveal ends a commitment that was used")
        if state.locked and (kind in ("lock", "reveal") or nonce != state.locked.nonce):
            raise Ends("open-round", f"a {kind} while round {state.locked.nonce} is locked")
        if nonce is not None and not state.locked:
            gap = nonce < state.next_nonce if self.excerpt else nonce != state.next_nonce
            if gap:
                raise Ends("nonce-gap", f"nonce is {nonce}, but this commitment's next round is {state.next_nonce}")
        if nonce is not None and nonce >= state.commit["rounds"]:
            raise Ends("too-many-rounds", f"nonce is {nonce}, but the commitment has {state.commit['rounds']} rounds")
        if kind == "reveal":
            seed = bytes.fromhex(e["server_seed"])
            if deal.commitment_of(seed).hex() != e["commitment"]:
                hint = deal.confusions(seed, bytes.fromhex(e["commitment"]))
                raise Ends("seed-mismatch", f"the seed's SHA-256 is {deal.commitment_of(seed).hex()}, the commitment is {e['commitment']}"
                           + (f", which is {hint}" if hint else ""))

    def _check_turn(self, kind: str, e: dict, state: Optional[Commitment], find) -> None:
        if kind == "commit":
            last = self.tables.get(e["table"])
            last_name = last and last.commit["commitment"]
            if not self.excerpt and e.get("after") != last_name:
                find("out-of-turn", f"after is {e.get('after', 'absent')}, the table's last commitment is {last_name or 'none'}")
        elif kind in ("lock", "deal", "reveal") or "nonce" not in e:
            if not state.begun and state.before is not None and state.before.is_open():
                find("out-of-turn", f"{state.before.commit['commitment']}, the one before at this table, is still open")
            state.begun = True

    def _check_view(self, index: int, contribution: dict, find) -> None:
        size, root = contribution["seen"]["size"], bytes.fromhex(contribution["seen"]["root"])
        label = contribution["from"]
        if size > index:
            find("split-view", f"{label!r} saw {size} entries, more than the {index} before this one")
            return
        known = self._seen.setdefault(size, root)
        if size <= len(self._leaves):
            known = tlog.root_of(self._leaves[:size])
        if known != root:
            find("split-view", f"{label!r} saw the root {root.hex()} at size {size}, this log has {known.hex()}")

    def _lock(self, index: int, e: dict, state: Commitment, find) -> None:
        mixing, contributions = state.commit["mixing"], e.get("contributions", [])
        if mixing == "hashes" and any("hash" not in c for c in contributions):
            find("weak-mixing", "mixing is hashes, but a contribution is in the clear")
        if mixing == "beacon" and ("beacon" not in e or any("hash" in c for c in contributions)):
            find("weak-mixing", "mixing is beacon, but the lock names no round or has a hash")
        this = state.rounds[e["nonce"]] = Round(e["nonce"])
        this.lock_index, this.lock = index, e
        state.locked, state.used, state.next_nonce = this, True, e["nonce"]

    def _deal(self, index: int, e: dict, state: Commitment, find) -> None:
        this = state.locked or Round(e["nonce"])
        state.rounds[e["nonce"]] = this
        this.deal_index, this.deal = index, e
        state.locked, state.used, state.next_nonce = None, True, e["nonce"] + 1
        if "lock" not in e and state.commit["mixing"] != "seeds":
            find("weak-mixing", f"mixing is {state.commit['mixing']}, but the deal names no lock")
        if this.lock is not None and (("beacon" in this.lock) != ("beacon" in e)):
            find("beacon-signature", "the lock names a beacon round and the deal has no signature" if "beacon" in this.lock
                 else "the deal has a beacon signature, but its lock names no round")
        self._check_lock(e, this, find)
        wrong = self._wrong_form(state.commit, e["result"])
        if wrong:
            this.result_wrong = True
            find("result-mismatch", wrong)

    def _check_lock(self, e: dict, this: Round, find) -> None:
        """Whether a deal answers its lock; sets what was mixed where nothing leaves that open."""
        if this.lock is None:
            if "lock" in e:
                find("lock-mismatch", f"the deal names the lock {e['lock']}, but no round is locked")
            else:
                this.mixed = [deal.Contribution(c["from"], c["seed"], seen_of(c)) for c in e["contributions"]]
            return
        hashed = {c["from"]: c for c in this.contributions() if "hash" in c}
        this.unopened = set(hashed)
        if e.get("lock") != this.lock_index:
            find("lock-mismatch", f"the round's lock is entry {this.lock_index}, the deal names {e.get('lock', 'none')}")
            return
        opened = e.get("opened", [])
        places = [list(hashed).index(o["from"]) if o["from"] in hashed else -1 for o in opened]
        answers = -1 not in places and all(a < b for a, b in zip(places, places[1:]))
        if not answers:
            find("lock-mismatch", "the deal opens what its lock does not have hashed, or in another order")
        seeds = {}
        for o in opened:
            c = hashed.get(o["from"])
            made = c and contribution_hash(bytes.fromhex(e["commitment"]), e["nonce"], o["from"], bytes.fromhex(o["blind"]), o["seed"], seen_of(c))
            if c and made.hex() == c["hash"]:
                seeds[o["from"]] = o["seed"]
                this.unopened.discard(o["from"])
        if this.unopened:
            find("unopened-hash", f"not opened, or not with what was hashed: {', '.join(sorted(this.unopened))}")
        if answers and not this.unopened and "beacon" not in this.lock and "beacon" not in e:
            this.mixed = [deal.Contribution(c["from"], c.get("seed") or seeds[c["from"]], seen_of(c)) for c in this.contributions()]

    @staticmethod
    def _wrong_form(commit: dict, result: dict) -> Optional[str]:
        form, found = result_form(commit), next(iter(result))
        if form != found:
            return f"the result is {found}, the commit asks for {form}"
        count = len(result["cards"]) // 2 if form == "cards" else len(result["indices"]) if form == "indices" else commit["draw"]
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
            given = result_of(state.commit, deal.Inputs(bytes.fromhex(e["server_seed"]), this.nonce, this.mixed))
            this.replayed = given == this.deal["result"]
            if not this.replayed:
                find("result-mismatch", f"the seeds give {canonical.text_of(given)[:300]}", this.deal_index)
        if e["time"] > state.commit["reveal_by"]:
            find("late-reveal", f"time is {e['time']}, reveal_by was {state.commit['reveal_by']}")
