"""Judges receipts and openings: receipt.md 11 and 12."""

from typing import Optional

import brought
import canonical
import contributions
import cosigned
import deal
import layout
import policy as policies
import receiptfile
import results
import tlog
from brought import Reader
from finding import CODES, Finding, accuses, class_of
from life import Life
from receiptfile import File, Opening
from refused import Refused
from rounds import Round

SHOWN = [
    "logged",
    "replayed",
    "opened",
    "committed-first",
    "yours",
    "authentic",
    "witnessed",
    "timed",
    "locked-before-beacon",
]
NOT_SHOWN = [
    "judged",
    "replayed",
    "opened",
    "committed-first",
    "yours",
    "authentic",
    "seats",
    "beacon",
    "no-collusion",
    "witnessed",
    "timed",
    "locked-before-beacon",
    "complete",
]


class Verdict:
    """The tokens that a receipt or opening showed and did not show (11.4)."""

    def __init__(self, policy: Optional[policies.Policy] = None) -> None:
        self.policy = policy
        self.findings: list = []
        self._found: set = set()  # the code and index of each finding
        self.shown: set = set()
        self.not_shown: set = {"replayed", "no-collusion", "witnessed", "complete"}
        self.committed_first: list = []
        self.commitment: Optional[str] = None
        self.nonce: Optional[int] = None
        self.contributions: list = []
        self.result: dict = {}
        self.placed: Optional[list] = None
        self.witnessed: dict = {}  # which witnesses had seen the round's entries (11.11)
        self.before_beacon: Optional[int] = None  # seconds from then until the round was out
        self.commit: Optional[dict] = None  # if it is of this protocol
        self.file: Optional[File] = None  # if it could be parsed
        self.opening: Optional[Opening] = None  # if it is one
        self.lock: Optional[tuple] = None  # the index and bytes of the lock that had effect
        self.deal: Optional[tuple] = None  # and of the deal
        self.effects: dict = {}  # the last entry of each kind that had effect, a life.Effect
        self.is_signed = False  # whether the key signed the entries (11.4)
        self.is_apart = False  # whether nothing joins it with a saved view (11.9)
        self.is_open_lock = False  # whether the lock is neither dealt nor voided
        self.is_protected = False  # whether a contribution of the reader protects (11.4)
        self.is_in_round = False  # whether the round has all of the reader's contributions
        self.is_claim = False  # whether only unkept evidence gave contribution-mismatch (11.4)
        self.opened: list = []  # the (t, item) pairs that an opening showed
        self.is_of_another_round = False
        self.outcomes: list = []  # what comparing each of the reader's contributions gave

    def show(self, token: str, is_shown: bool = True) -> None:
        """Add a token to those shown or to those not shown."""
        (self.shown if is_shown else self.not_shown).add(token)
        (self.not_shown if is_shown else self.shown).discard(token)

    def find(self, code: str, index: Optional[int], says: str) -> None:
        """Add a finding. An entry has each code at most once; findings without an index are all kept."""
        if index is None or (code, index) not in self._found:
            self.add([Finding(code, index, says)])

    def add(self, findings: list) -> None:
        """Add findings of which none is known."""
        self.findings += findings
        self._found.update((f.code, f.index) for f in findings)

    def sort(self) -> None:
        """Puts the findings into the order of section 11.3."""
        self.findings.sort(key=place_of)  # stable: without an index, the steps' order

    def caught(self) -> list:
        """The findings that accuse the operator."""
        return [f for f in self.findings if accuses(f.code, self._is_signed(f)) == "operator"]

    def _is_signed(self, f: Finding) -> bool:
        is_claim = self.is_claim and f.code == "contribution-mismatch"
        return self.is_signed and not is_claim

    def state(self) -> Optional[str]:
        """What a person should think of the round, in one word (11.4)."""
        if self.caught():
            return "caught"
        if self.findings or self.is_apart or not {"logged", "replayed"} <= self.shown:
            return None
        is_mine = "yours" in self.shown and "no-collusion" not in self.not_shown
        by_beacon = "locked-before-beacon" in self.shown and "yours" not in self.not_shown
        return "fair" if (is_mine and self.is_protected) or by_beacon else "unproved"

    def is_passed_over(self) -> bool:
        """Whether the state of several files does not depend on this one (11.4)."""
        is_judged = not self.is_apart and "judged" not in self.not_shown
        return not self.findings and is_judged and self.deal is None

    def kept_locks(self) -> set:
        """The locks that this file proves to a reader who kept it (11.8)."""
        return {self.lock} if "logged" in self.shown and self.is_open_lock else set()

    def to_json(self) -> dict:
        """The verdict of section 11.5."""
        state = self.state()
        out = {
            "holds": not self.findings,
            **({} if state is None else {"state": state}),
            "shown": [t for t in SHOWN if t in self.shown],
            "not_shown": [t for t in NOT_SHOWN if t in self.not_shown],
            "committed_first": self.committed_first,
            "findings": [finding_json(f, self._is_signed(f)) for f in self.findings],
        }
        if self.commitment is not None:
            out["commitment"] = self.commitment
        if self.nonce is not None:
            out["nonce"] = self.nonce
        if self.contributions:
            out["contributions"] = self.contributions
        out.update(self.result)
        if self.placed is not None:
            out["placed"] = self.placed
        if self.policy is not None:
            out["policy"] = self.policy.hash.hex()
        if self.witnessed:
            out["witnessed"] = self.witnessed
        if self.before_beacon is not None:
            out["before_beacon"] = self.before_beacon
        return out


def place_of(f: Finding) -> tuple:
    """A finding's place in the order of section 11.3."""
    if f.index is None:
        return (-1, False, 0)
    return (f.index, f.code != "tree-mismatch", CODES.index(f.code))


def finding_json(f: Finding, is_signed: bool) -> dict:
    """A finding of section 11.5; `is_signed` if the key signed what it is about."""
    at = {} if f.index is None else {"index": f.index}
    found = {"code": f.code, "class": class_of(f.code), **at}
    return {**found, "accuses": accuses(f.code, is_signed), "says": f.says}


def is_proved(seen: receiptfile.SeenRoot, checkpoint: tlog.Checkpoint) -> bool:
    """Whether a root is proved to be of the checkpoint's tree."""
    return tlog.verify_consistency(
        seen.size, seen.root, checkpoint.size, checkpoint.root, seen.proof
    )


def _check_log(file: File, key: tlog.VerifierKey, verdict: Verdict) -> dict:
    """Steps 2 and 3 of section 11.3; returns the proved sizes, with their roots."""
    checkpoint, wrong = policies.open_checkpoint(file.note, key, verdict.policy)
    if wrong:
        verdict.find("bad-signature", None, wrong)
    proved = {}
    if checkpoint is not None:
        size, root = checkpoint.size, checkpoint.root
        for e in file.entries:
            if not tlog.verify_inclusion(tlog.leaf_hash(e.data), e.index, size, root, e.proof):
                says = f"entry {e.index} is not in the checkpoint's tree by its proof"
                verdict.find("tree-mismatch", e.index, says)
        for s in file.seen:
            if is_proved(s, checkpoint):
                proved[s.size] = s.root
            else:
                says = (
                    f"the root seen at size {s.size} is not of the checkpoint's tree by its proof"
                )
                verdict.find("tree-mismatch", None, says)
    if not verdict.findings:
        verdict.show("logged")
    in_tree = all(f.code != "tree-mismatch" for f in verdict.findings)
    verdict.is_signed = in_tree and tlog.signs_root(file.note, key)
    return proved


def _judge_opening(opening: Opening, this: Round, verdict: Verdict) -> None:
    """Section 12.1, from step 2 on."""
    card_seals, wrong = opening.card_seals, None
    if deal.seal_of(card_seals).hex() != this.deal["result"]["seal"]:
        wrong = "the card seals do not give the seal that the deal logs"
    for o in opening.opened:
        t, item, salt = o["t"], o["item"], bytes.fromhex(o["salt"])
        seal = deal.card_seal(bytes.fromhex(verdict.commitment), this.nonce, t, item, salt)
        if t >= len(card_seals) or card_seals[t] != seal:
            wrong = wrong or f"item {item} with its salt does not open card {t}"
    if wrong is not None:
        verdict.find("opening-mismatch", this.deal_index, wrong)
        return
    cards = [(o["t"], o["item"]) for o in opening.opened]
    wrong = impossible_cards(verdict.commit, cards)
    if len(card_seals) != verdict.commit["draw"]:
        wrong = f"{len(card_seals)} cards are sealed, draw is {verdict.commit['draw']}"
    if wrong is not None:
        verdict.find("result-mismatch", this.deal_index, wrong)
        return
    verdict.show("opened")
    verdict.opened = cards


def impossible_cards(commit: dict, opened: list) -> Optional[str]:
    """Step 4 of section 12.1: why no deal has these (t, item); None if some deal can."""
    items, size = [item for _, item in opened], results.deck_size(commit["deck"])
    if max(items) >= size:
        return f"item {max(items)} was dealt, the deck has {size} items"
    if len(set(items)) < len(items):
        return "one item was dealt twice"
    if commit["method"] == "cycle" and results.cycle_is_closed(dict(opened), size):
        return "the items close a cycle of fewer than all"
    return None


def _place(opening: Optional[Opening], this: Optional[Round], verdict: Verdict) -> None:
    """Set `placed` (12.2), if there is one."""
    if (
        this is None
        or this.deal is None
        or "layout" not in verdict.commit
        or "seats" not in this.own()
    ):
        return  # a deal has no seats if it names a lock without effect
    result = this.deal["result"]
    if opening is not None:
        if "opened" not in verdict.shown:
            return
        dealt = [t for t, _ in verdict.opened]
    elif "cards" in result:
        dealt = range(len(result["cards"]) // 2)
    elif "indices" in result:
        dealt = range(len(result["indices"]))
    elif "seal" in result and "replayed" in verdict.shown:
        dealt = range(verdict.commit["draw"])
    else:
        return
    verdict.placed = layout.placed(verdict.commit["layout"], this.own()["seats"], dealt)


def _judge_seat(opening: Opening, seat: str, this: Optional[Round], verdict: Verdict) -> None:
    """Judge the seat that a reader names for an opening (12.2)."""
    good = {p["t"] for p in verdict.placed or [] if p.get("seat") == seat or "street" in p}
    if verdict.placed is None or any(o["t"] not in good for o in opening.opened):
        is_dealt = this is not None and this.deal is not None
        index = this.deal_index if is_dealt else verdict.file.entries[-1].index
        verdict.find(
            "placed-mismatch", index, f"a card opened is not one of {seat!r}, nor of a street"
        )


def _is_committed_first(c: dict, this: Round, life: Life, proved: dict, commit_index: int) -> bool:
    """Whether a contribution was tied to the published commitment (11.4)."""
    seen = contributions.seen_of(c)
    if (
        seen is not None
        and commit_index < seen.size <= this.logged_at()
        and proved.get(seen.size) == seen.root
    ):
        return True
    return "hash" in c and c["from"] in this.seeds


def _contribution_json(c: dict, this: Round, first: bool) -> dict:
    """One of the verdict's contributions (11.5)."""
    out, seed = {"from": c["from"]}, this.opened_seed(c)
    if seed is not None:
        out["seed"] = seed
    if "hash" in c:
        out["hash"] = c["hash"]
    if "seen" in c:
        out["seen"] = {"size": c["seen"]["size"], "root": c["seen"]["root"]}
    if "key" in c:
        out["key"] = c["key"]
    return {**out, "committed_first": first}


def _say_what_was_shown(this: Round, life: Life, proved: dict, verdict: Verdict) -> None:
    """Step 7 of section 11.3 for a round: all tokens that need no reader."""
    if this.deal is not None:
        verdict.result = dict(this.deal["result"])
        # A deal of a wrong round or signature is not replayed: what was judged is verified.
        if this.replayed and (this.randomness is None or this.beacon_judged):
            verdict.show("replayed")
    has_beacon = "beacon" in (this.lock or {}) or "beacon" in (this.deal or {})
    if has_beacon and not this.beacon_judged:
        verdict.show("beacon", False)
    index = life.commitments[verdict.commitment].index
    for c in this.contributions():
        first = "logged" in verdict.shown and _is_committed_first(c, this, life, proved, index)
        verdict.contributions.append(_contribution_json(c, this, first))
        if first:
            verdict.committed_first.append(c["from"])
    if verdict.contributions:
        verdict.show("committed-first", len(verdict.committed_first) == len(verdict.contributions))


def _say_what_is_witnessed(
    file: File, life: Life, proved: dict, effects: dict, this: Optional[Round], verdict: Verdict
) -> None:
    """Section 11.11; `effects` has the round's entries that had effect, by their kinds."""
    dealt, is_timed = effects.get("deal"), False
    if this is not None and "beacon" in (this.lock or {}):
        verdict.show("locked-before-beacon", False)
    if verdict.policy is None:
        return
    if "logged" in verdict.shown:
        checkpoint = cosigned.of_checkpoint(verdict.policy, file.note, file.checkpoint)
        covering = cosigned.Covering(life.anchors, checkpoint, proved)
        others = [e.index for e in file.entries if e.kind != "anchor"]
        verdict.show("witnessed", all(covering.of(index) for index in others))
        verdict.witnessed = covering.to_json({kind: e.index for kind, e in effects.items()})
        is_timed = dealt is not None and covering.is_timed(dealt.index, dealt.value["time"])
        if this is not None:
            _say_before_beacon(covering, this, verdict)
    if dealt is not None:
        verdict.show("timed", is_timed)


def _say_before_beacon(covering: cosigned.Covering, this: Round, verdict: Verdict) -> None:
    """Whether the round's lock is before the beacon (beacon.md 33)."""
    limit = this.locked_before()
    by = None if limit is None else covering.by(this.lock_index)
    if by is not None and by <= limit:
        verdict.show("locked-before-beacon")
        verdict.before_beacon = this.beacon_out() - by


def _hold_against_reader(
    reader: Reader, this: Optional[Round], key: tlog.VerifierKey, verdict: Verdict
) -> None:
    """Step 6 of section 11.3, and the tokens that need a reader."""
    mine, claimed = reader.compared(key, verdict.commitment, verdict.nonce)
    held = brought.hold(mine, claimed, reader.players, this, key)
    others = [own["from"] for own in reader.mine if own not in mine]
    named = [own for own in reader.mine + reader.kept + reader.claimed if "log" in own]
    verdict.is_of_another_round = bool(named) and not held.outcomes
    verdict.outcomes = held.outcomes + [(label, "of another round or log") for label in others]
    mixed = this.contributions() if this is not None else []
    if held.wrong is not None:
        verdict.find("contribution-mismatch", this.logged_at() if mixed else None, held.wrong)
        verdict.is_claim = held.is_claim
    verdict.is_in_round = held.is_in_round
    if reader.mine or reader.kept or reader.claimed:
        verdict.show("yours", held.is_yours)
    if mixed:
        verdict.show("authentic", all(c["from"] in held.own | held.signed for c in mixed))
    protecting: set = set()
    if (
        "logged" in verdict.shown
        and verdict.lock in reader.locks
        and verdict.commit["mixing"] == "hashes"
    ):
        protecting = held.protecting & set(this.seeds)
    is_fixed = bool(protecting) or "locked-before-beacon" in verdict.shown
    if is_fixed and "replayed" in verdict.shown:
        verdict.not_shown.discard("no-collusion")
    verdict.is_protected = bool(protecting & held.protecting_own)
    if verdict.placed is not None and not is_fixed:  # the operator may have ordered the seats
        verdict.show("seats", False)


def judge_file(
    file: File,
    key: tlog.VerifierKey,
    reader: Reader,
    opening: Optional[Opening] = None,
    seed: Optional[bytes] = None,
) -> Verdict:
    """Section 11.3 from step 2 on; `seed` is a server seed that a raffle's document shows."""
    verdict = Verdict(reader.policy)
    verdict.file, verdict.opening = file, opening
    proved = _check_log(file, key, verdict)
    verdict.commitment = file.entries[0].value["commitment"]
    life, effects = Life(key, excerpt=True, proved=proved, policy=reader.policy), {}
    life.chains, verdict.effects = reader.chains, effects
    for e in file.entries:
        verdict.add(life.apply(e.index, e.data))
        if life.effect is not None:
            effects[life.effect.kind] = life.effect
    if seed is not None and "deal" in effects and "reveal" not in effects:
        life.replay(
            effects["deal"].state,
            seed,
            lambda code, says, this: verdict.find(code, this.deal_index, says),
        )
    if life.not_judged:
        verdict.show("judged", False)
    state, this = life.commitments.get(verdict.commitment), None
    if state is not None:
        nonces = [
            e.value["nonce"] for e in file.entries if e.is_grammatical() and "nonce" in e.value
        ]
        verdict.nonce = nonces[0] if nonces else None
        verdict.commit = state.commit
        this = next(iter(state.rounds.values()), None)
    if this is not None:
        _say_what_was_shown(this, life, proved, verdict)
        entries = {e.index: (e.index, e.data) for e in file.entries}
        verdict.lock, verdict.deal = entries.get(this.lock_index), entries.get(this.deal_index)
        verdict.is_open_lock = bool(verdict.lock) and this.deal is None and not this.voided
    if opening is not None:
        verdict.show("opened", False)
        if "seal" in verdict.result:
            _judge_opening(opening, this, verdict)
    _place(opening, this, verdict)
    if opening is not None and reader.seat is not None:
        _judge_seat(opening, reader.seat, this, verdict)
    _say_what_is_witnessed(file, life, proved, effects, this, verdict)
    _hold_against_reader(reader, this, key, verdict)
    verdict.sort()
    return verdict


def check_seat(seat: Optional[str], verdicts: list) -> None:
    """Refuse a seat without an opening; what is no receipt may have been one (11.9)."""
    if seat is not None and all(v.file and not v.opening for v in verdicts):
        raise Refused("seat", "expected an opening among the files, found none")


def invalid(refused: Refused, policy: Optional[policies.Policy] = None) -> Verdict:
    """The verdict on a file that is neither a receipt nor an opening."""
    verdict = Verdict(policy)
    verdict.find("invalid-receipt", None, str(refused))
    return verdict


def verify(data: bytes, key: tlog.VerifierKey, reader: Reader = Reader()) -> Verdict:
    """Judge a receipt or an opening; raises canonical.NotJson if the file can't be read."""
    return judge(canonical.read(data), key, reader)


def judge(value, key: tlog.VerifierKey, reader: Reader = Reader()) -> Verdict:
    """Judge the JSON value of a receipt or an opening."""
    try:
        if isinstance(value, dict) and value.get("format") == receiptfile.OPENING:
            opening, file = receiptfile.parse_opening(value)
        else:
            opening, file = None, receiptfile.parse_receipt(value)
    except Refused as refused:
        return invalid(refused, reader.policy)
    return judge_file(file, key, reader, opening)
