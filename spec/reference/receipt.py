"""Receipts and openings: receipt.md 11 and 12."""

from typing import NamedTuple, Optional

import canonical
import deal
import entry
import tlog
from life import Finding, Life, Round
from refused import Refused

RECEIPT = "fairdeal/receipt/v1"
OPENING = "fairdeal/opening/v1"
SHOWN = ["logged", "replayed", "opened", "committed-first", "witnessed"]
NOT_SHOWN = [
    "judged",
    "replayed",
    "opened",
    "committed-first",
    "beacon",
    "no-collusion",
    "witnessed",
    "complete",
]


class Verdict:
    """What a receipt or opening showed, and what it did not (11.4)."""

    def __init__(self) -> None:
        self.findings: list = []
        self.shown: set = set()
        self.not_shown: set = {"replayed", "witnessed", "complete"}
        self.committed_first: list = []
        self.commitment: Optional[str] = None
        self.nonce: Optional[int] = None
        self.result: dict = {}
        self.commit: Optional[dict] = None  # where it is this protocol's
        self.opened: list = []  # the (t, item) that an opening showed
        self.evidence: list = []  # for section 11.6: (what about, what it says, how to name it)

    def show(self, token: str) -> None:
        """Move a token to what was shown."""
        self.shown.add(token)
        self.not_shown.discard(token)

    def to_json(self) -> dict:
        """The verdict of section 11.5."""
        out = {
            "holds": not self.findings,
            "shown": [t for t in SHOWN if t in self.shown],
            "not_shown": [t for t in NOT_SHOWN if t in self.not_shown],
            "committed_first": self.committed_first,
            "findings": [finding_json(f) for f in self.findings],
        }
        if self.commitment is not None:
            out["commitment"] = self.commitment
        if self.nonce is not None:
            out["nonce"] = self.nonce
        return {**out, **self.result}


def finding_json(f: Finding) -> dict:
    """A finding of section 11.5."""
    return {"code": f.code, **({} if f.index is None else {"index": f.index}), "says": f.says}


class Shown(NamedTuple):
    """One of a receipt's entries."""

    index: int
    data: bytes
    proof: list
    kind: Optional[str]  # None where the bytes are no entry
    value: object


class File(NamedTuple):
    """A receipt's parts."""

    entries: list  # of Shown
    note: bytes
    checkpoint: Optional[tlog.Checkpoint]  # not verified


def _invalid(says: str) -> Refused:
    return Refused("invalid-receipt", says)


def _exactly(value, names: tuple, where: str) -> dict:
    if not isinstance(value, dict):
        raise _invalid(f"{where} is not an object")
    for name in value:
        if name not in names:
            raise _invalid(f"{where} has an unknown member {name!r}")
    for name in names:
        if name not in value:
            raise _invalid(f"{where} has no {name}")
    return value


def _parse_shown(value, where: str) -> Shown:
    _exactly(value, ("index", "entry", "proof"), where)
    if not entry.is_integer(value["index"]):
        raise _invalid(f"{where}.index is not an integer from 0 to 2^53-1")
    if not isinstance(value["entry"], str):
        raise _invalid(f"{where}.entry is not a string")
    if not isinstance(value["proof"], list):
        raise _invalid(f"{where}.proof is not an array")
    proof = []
    for i, part in enumerate(value["proof"]):
        try:
            digest = tlog.decode_base64(part) if isinstance(part, str) else b""
        except ValueError:
            digest = b""
        if len(digest) != 32:
            raise _invalid(f"{where}.proof[{i}] is not 32 bytes in base64")
        proof.append(digest)
    data = value["entry"].encode("utf-8")
    try:
        kind, parsed = entry.parse_entry(data)
    except Refused:
        kind, parsed = None, None
    return Shown(value["index"], data, proof, kind, parsed)


def parse_receipt(value) -> File:
    """A receipt (11.1); refuses what is `invalid-receipt`."""
    _exactly(value, ("format", "entries", "checkpoint"), "the receipt")
    if value["format"] != RECEIPT:
        raise _invalid(f"format is {value['format']!r}, expected {RECEIPT}")
    if not isinstance(value["entries"], list) or not value["entries"]:
        raise _invalid("entries is not an array of one or more")
    if not isinstance(value["checkpoint"], str):
        raise _invalid("checkpoint is not a string")
    entries = [_parse_shown(e, f"entries[{i}]") for i, e in enumerate(value["entries"])]
    for before, after in zip(entries, entries[1:]):
        if before.index >= after.index:
            raise _invalid(f"entries are not in ascending order: {after.index} follows {before.index}")
    note = value["checkpoint"].encode("utf-8")
    try:
        checkpoint = tlog.parse_checkpoint(tlog.parse_note(note).text)
    except Refused:
        checkpoint = None
    if checkpoint and entries[-1].index >= checkpoint.size:
        raise _invalid(f"index {entries[-1].index} is not under the checkpoint's size, {checkpoint.size}")
    nonces = {e.value["nonce"] for e in entries if e.kind in entry.GRAMMAR and "nonce" in e.value}
    if len(nonces) > 1 and entries[0].kind != "other-protocol":
        raise _invalid(f"entries of several rounds: {', '.join(map(str, sorted(nonces)))}")
    return File(entries, note, checkpoint)


def _check_log(file: File, key: tlog.VerifierKey, verdict: Verdict) -> None:
    """Steps 2 and 3 of section 11.3."""
    checkpoint, wrong = tlog.open_checkpoint(file.note, key)
    if wrong:
        verdict.findings.append(Finding("bad-signature", None, wrong))
    if checkpoint is None:
        return
    for e in file.entries:
        if not tlog.verify_inclusion(
            tlog.leaf_hash(e.data), e.index, checkpoint.size, checkpoint.root, e.proof
        ):
            verdict.findings.append(
                Finding(
                    "tree-mismatch", e.index, f"entry {e.index} is not in the checkpoint's tree by its proof"
                )
            )
    if not verdict.findings:
        verdict.show("logged")


def _gather_evidence(file: File, verdict: Verdict, key: tlog.VerifierKey) -> None:
    """What section 11.6 holds against other files; only of a file that is logged."""
    checkpoint = file.checkpoint
    verdict.evidence.append(
        (("root", checkpoint.size), checkpoint.root, f"the root at size {checkpoint.size}")
    )
    invalid = {f.index for f in verdict.findings if f.code in ("invalid-entry", "not-canonical")}
    for e in file.entries:
        verdict.evidence.append((("entry", e.index), e.data, f"entry {e.index}"))
        if e.kind not in entry.GRAMMAR or e.index in invalid:
            continue
        name = e.value["commitment"]
        if e.kind == "deal":
            verdict.evidence.append(
                (
                    ("deal", name, e.value["nonce"]),
                    e.data,
                    f"the deal of round {e.value['nonce']} under {name}",
                )
            )
        if e.kind == "reveal":
            verdict.evidence.append((("reveal", name), e.data, f"the reveal of {name}"))
        for c in e.value.get("contributions", []):
            if "seen" in c:
                seen = entry.seen_of(c)
                verdict.evidence.append((("root", seen.size), seen.root, f"the root at size {seen.size}"))


def _judge_entries(file: File, key: tlog.VerifierKey, verdict: Verdict) -> Life:
    """Steps 4 and 5 of section 11.3."""
    life = Life(key, excerpt=True)
    first = file.entries[0]
    is_commit = first.kind in ("commit", "other-protocol")
    verdict.commitment = first.value["commitment"] if is_commit else None
    for e in file.entries:
        foreign = e.kind is not None and (not is_commit or e.value["commitment"] != verdict.commitment)
        if foreign:
            says = (
                "the receipt's first entry is no commit"
                if not is_commit
                else f"the receipt's commitment is {verdict.commitment}"
            )
            verdict.findings.append(Finding("no-commitment", e.index, says))
        else:
            verdict.findings += life.apply(e.index, e.data)
    return life


def _say_what_was_shown(file: File, life: Life, verdict: Verdict) -> Optional[Round]:
    """Step 6 of section 11.3; gives the round that the receipt shows."""
    if life.not_judged:
        verdict.not_shown.add("judged")
    state = life.commitments.get(verdict.commitment)
    verdict.nonce = next(
        (e.value["nonce"] for e in file.entries if state and e.kind in entry.GRAMMAR and "nonce" in e.value),
        None,
    )
    if state is None:
        return None
    verdict.commit = state.commit
    if state.commit["mixing"] == "seeds":
        verdict.not_shown.add("no-collusion")
    this = next(iter(state.rounds.values()), None)
    if this is None:
        return None
    if this.deal is not None:
        verdict.result = dict(this.deal["result"])
        if this.replayed:
            verdict.show("replayed")
    if "beacon" in (this.lock or {}) or "beacon" in (this.deal or {}):
        verdict.not_shown.add("beacon")
    contributions = this.contributions()
    for c in contributions:
        covered = (
            "seen" in c
            and state.index < c["seen"]["size"] <= this.logged_at()
            and (this.logged_at(), c["from"]) not in life.contradicted
        )
        hashed = "hash" in c and not (this.deal is not None and c["from"] in this.unopened)
        if covered or hashed:
            verdict.committed_first.append(c["from"])
    if contributions:
        all_first = len(verdict.committed_first) == len(contributions)
        (verdict.shown if all_first else verdict.not_shown).add("committed-first")
    return this


def _judge_receipt(value, key: tlog.VerifierKey):
    file, verdict = parse_receipt(value), Verdict()
    _check_log(file, key, verdict)
    life = _judge_entries(file, key, verdict)
    this = _say_what_was_shown(file, life, verdict)
    verdict.findings.sort(key=lambda f: -1 if f.index is None else f.index)  # stable: 11.3's order
    if "logged" in verdict.shown:
        _gather_evidence(file, verdict, key)
    return verdict, file, this


def _parse_opening(value):
    _exactly(value, ("format", "receipt", "card_seals", "opened"), "the opening")
    seals, opened = value["card_seals"], value["opened"]
    if (
        not isinstance(seals, list)
        or not 1 <= len(seals) <= deal.MAX_ITEMS
        or not all(entry.is_hex(s, 32) for s in seals)
    ):
        raise _invalid("card_seals is not an array of 1 to 2^20 hashes")
    if not isinstance(opened, list) or not opened:
        raise _invalid("opened is not an array of one or more")
    for i, o in enumerate(opened):
        _exactly(o, ("t", "item", "salt"), f"opened[{i}]")
        for name in ("t", "item"):
            if not entry.is_integer(o[name], 0, deal.MAX_ITEMS - 1):
                raise _invalid(f"opened[{i}].{name} is not an integer under 2^20")
        if not entry.is_hex(o["salt"], 16):
            raise _invalid(f"opened[{i}].salt is not 16 bytes in hexadecimal")
    if len({o["t"] for o in opened}) != len(opened):
        raise _invalid("opened opens a card twice")
    return [bytes.fromhex(s) for s in seals], opened


def _judge_opening(value, key: tlog.VerifierKey) -> Verdict:
    """Section 12."""
    seals, opened = _parse_opening(value)
    verdict, file, this = _judge_receipt(value["receipt"], key)
    if not any(e.kind == "deal" and "seal" in e.value["result"] for e in file.entries):
        raise _invalid("the receipt of an opening holds a sealed deal, and this one does not")
    verdict.not_shown.add("opened")
    if this is None or this.deal is None or "seal" not in this.deal["result"]:
        return verdict
    wrong = None
    if len(seals) != verdict.commit["draw"] or deal.seal_of(seals).hex() != this.deal["result"]["seal"]:
        wrong = "the card seals do not give the seal that the deal logs"
    for o in opened:
        t, item = o["t"], o["item"]
        if (
            t >= len(seals)
            or item >= entry.deck_size(verdict.commit["deck"])
            or seals[t]
            != deal.card_seal(
                bytes.fromhex(verdict.commitment), this.nonce, t, item, bytes.fromhex(o["salt"])
            )
        ):
            wrong = wrong or f"item {item} with its salt does not open card {t}"
    if wrong is None:
        verdict.show("opened")
        verdict.opened = [(o["t"], o["item"]) for o in opened]
    elif not any((f.code, f.index) == ("result-mismatch", this.deal_index) for f in verdict.findings):
        at = sum(f.index is None or f.index <= this.deal_index for f in verdict.findings)
        verdict.findings.insert(at, Finding("result-mismatch", this.deal_index, wrong))
    return verdict


def verify(data: bytes, key: tlog.VerifierKey) -> Verdict:
    """Judge a receipt or an opening; raises canonical.NotJson where the file can't be read."""
    value = canonical.read(data)
    try:
        if isinstance(value, dict) and value.get("format") == OPENING:
            return _judge_opening(value, key)
        return _judge_receipt(value, key)[0]
    except Refused as refused:
        verdict = Verdict()
        verdict.findings.append(Finding("invalid-receipt", None, str(refused)))
        return verdict


def contradictions(verdicts: list) -> list:
    """Where several files contradict one another (11.6)."""
    said: dict = {}  # what about, to what was said first and by which file
    found, told = [], set()
    for file, verdict in enumerate(verdicts):
        for about, says, name in verdict.evidence:
            first, by = said.setdefault(about, (says, file))
            if first != says and by != file and about not in told:
                told.add(about)
                found.append(Finding("inconsistent", None, f"the files differ about {name}"))
    return found
