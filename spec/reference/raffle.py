"""Raffles: raffle.md 35 and 37 to 39. Section 36 is in entrants.py."""

from typing import NamedTuple, Optional

import canonical
import contributions
import deal
import entry
import receipt
import receiptfile
import several
import tlog
from brought import Reader
from refused import Refused
from rounds import Round
from several import Unread

FORMAT = "fairdeal/raffle/v1"
MAX_DOCUMENT = 4_194_304
MAX_LIST = 67_108_864
MAX_ANSWER = 65_536  # of drand
MAX_WINNERS = 1_000
MAX_POLICY = 1_048_576
WHITE = b"\t\n\v\f\r "

# The tokens of a receipt, and those of a raffle (38).
SHOWN = list(receipt.SHOWN)
NOT_SHOWN = list(receipt.NOT_SHOWN)
for _tokens in (SHOWN, NOT_SHOWN):
    _tokens.insert(_tokens.index("replayed"), "drawn")
    _tokens.insert(_tokens.index("locked-before-beacon") + 1, "kept-before-beacon")
BEFORE = {"locked-before-beacon", "kept-before-beacon"}


# 35: the list and its winners


class Lines(NamedTuple):
    """A list, with what a commit and a verdict say about it."""

    lines: list
    deck: dict  # as in a commit
    different: int  # how many different lines it has


def parse_list(data: bytes) -> Lines:
    """A raffle's list (35.1); raises Refused, or Unread if it is too long."""
    if len(data) > MAX_LIST:
        raise Unread(f"a raffle's list has at most {MAX_LIST} bytes, not {len(data)}")
    lines = deal.parse_list(data)
    deck = {"count": len(lines), "sha256": deal.sha256(data).hex()}
    return Lines(lines, deck, len(set(lines)))


def require_different(lines: Lines, winners: int) -> None:
    """Refuse a list with fewer different lines than winners (35.1)."""
    if lines.different < winners:
        says = f"the list has {lines.different} different lines for {winners} winners"
        raise Refused("winners", says)


def draw_of(lines: Lines, winners: int) -> int:
    """The `draw` that the commit of a raffle has (35.2)."""
    return winners if lines.different == len(lines.lines) else len(lines.lines)


def winners_of(lines: Lines, inputs: deal.Inputs, winners: int) -> list:
    """The numbers of the items that win, in the order of the prizes (35.3)."""
    count = len(lines.lines)
    dealt = deal.replay(inputs, "shuffle", count, draw_of(lines, winners)).indices
    first: dict = {}  # a line to the first item dealt that has it
    for item in dealt:
        first.setdefault(lines.lines[item], item)
    return list(first.values())[:winners]


# 37: the document


class Document(NamedTuple):
    """The parts of a document that a verifier uses."""

    rules: dict
    commit: dict
    file: receiptfile.File
    server_seed: Optional[bytes]


_TEXT = entry.text(200)
_RULES = entry.members(
    {"winners": entry.integer(1, MAX_WINNERS)},
    {"title": _TEXT, "prizes": entry.array(MAX_WINNERS, _TEXT)},
)


def _any_value(value, where):
    """A receipt, which receiptfile.py judges."""


def _policy(value, where):
    is_text = isinstance(value, str) and 1 <= len(value.encode("utf-8")) <= MAX_POLICY
    entry.refuse_unless(is_text, f"{where} is not text of 1 to {MAX_POLICY} bytes")


_DOCUMENT = entry.members(
    {"format": entry.one_of(FORMAT), "rules": _RULES, "receipt": _any_value},
    {"server_seed": entry.HASH, "policy": _policy, "list": entry.text(2048)},
)


def _check_commit(commit: dict, rules: dict) -> None:
    """Refuse a commit that is no raffle's commit, except for its draw (35.2)."""
    digest = deal.sha256(canonical.text_of(rules).encode("utf-8")).hex()
    for name, expected in (
        ("method", "shuffle"),
        ("sealed", False),
        ("mixing", "beacon"),
        ("rounds", 1),
        ("rules", digest),
    ):
        found = commit.get(name)
        says = f"the commit's {name} is {found!r}, expected {expected!r}"
        entry.refuse_unless(found == expected, says)
    entry.refuse_unless(isinstance(commit["deck"], dict), "the commit's deck is not a list")
    entry.refuse_unless("layout" not in commit, "the commit has a layout")


def _parse(value) -> Document:
    _DOCUMENT(value, "the document")
    rules = value["rules"]
    prizes = len(rules.get("prizes", []))
    says = f"rules has {prizes} prizes for {rules['winners']} winners"
    entry.refuse_unless(prizes <= rules["winners"], says)
    file = receiptfile.parse_receipt(value["receipt"])
    first = file.entries[0]
    entry.refuse_unless(first.kind == "commit", "the first entry is of another protocol")
    _check_commit(first.value, rules)
    names_round = any(e.kind == "lock" and "beacon" in e.value for e in file.entries)
    entry.refuse_unless(names_round, "no entry is a lock that names a beacon's round")
    seed = None
    if "server_seed" in value:
        seed = bytes.fromhex(value["server_seed"])
        opens = deal.commitment_of(seed).hex() == first.value["commitment"]
        entry.refuse_unless(opens, "server_seed does not open the commitment")
    return Document(rules, first.value, file, seed)


def parse(data: bytes) -> Document:
    """A raffle's document; raises Unread if the file is not one."""
    if len(data) > MAX_DOCUMENT:
        raise Unread(f"a document has at most {MAX_DOCUMENT} bytes, not {len(data)}")
    try:
        return _parse(canonical.read(data))
    except (canonical.NotJson, Refused) as error:
        raise Unread(f"expected a raffle's document: {error}") from None


def parse_kept(data: bytes) -> Document:
    """A document that the reader kept; raises Refused, as for the reader's other files (39)."""
    try:
        return parse(data)
    except Unread as error:
        raise Refused("kept", str(error)) from None


def _require_list(document: Document, lines: Lines) -> None:
    """Step 3: raises Refused for another list, and Unread for what its commit should not say."""
    commit, winners = document.commit, document.rules["winners"]
    if lines.deck != commit["deck"]:
        of, found = canonical.text_of(commit["deck"]), canonical.text_of(lines.deck)
        says = "it was changed after the promise, or is of another raffle"
        raise Refused("list-mismatch", f"expected the list {of}, found {found}: {says}")
    try:
        require_different(lines, winners)
    except Refused as refused:
        raise Unread(str(refused)) from None
    right = draw_of(lines, winners)
    if commit["draw"] != right:
        raise Unread(f"the commit's draw is {commit['draw']}, and {right} for this list")


# 38: verification


class Signature(NamedTuple):
    """A beacon's signature that the reader has."""

    round: Optional[int]  # if it names one
    data: bytes


def parse_signature(data: bytes) -> Signature:
    """Hexadecimal digits, or an answer of drand; raises Refused."""
    says = "expected 96 lowercase hexadecimal digits, or an answer of drand"
    if len(data) > MAX_ANSWER:
        raise Refused("signature", f"{says}, in at most {MAX_ANSWER} bytes")
    digits = data.removeprefix(b"\xef\xbb\xbf").strip(b"\t\n\f\r ").decode("latin-1")
    if entry.is_hex(digits, 48):
        return Signature(None, bytes.fromhex(digits))
    try:
        value = canonical.read(data)
    except canonical.NotJson as error:
        raise Refused("signature", f"{says}: {error}") from None
    if not isinstance(value, dict):
        raise Refused("signature", says)
    if not entry.is_integer(value.get("round")) or not entry.is_hex(value.get("signature"), 48):
        raise Refused("signature", f"{says}, which has a round and such a signature")
    return Signature(value["round"], bytes.fromhex(value["signature"]))


def check_line(line: str) -> str:
    """Refuse what is not UTF-8. Another text that no list has as a line has no tickets."""
    try:
        line.encode("utf-8")
    except UnicodeEncodeError:
        raise Refused("line", f"expected a line of UTF-8, found {line[:100]!r}") from None
    return line


class Inputs(NamedTuple):
    """What a reader gives besides a document, a list, a key, and a brought.Reader."""

    kept: tuple = ()  # Documents that the reader had before the beacon's round was out
    signature: Optional[Signature] = None
    line: Optional[str] = None


def _signature(this: Optional[Round], given: Optional[Signature]) -> Optional[bytes]:
    """Step 4; raises Refused for a given signature of another round, or a wrong one."""
    if this is None or this.chain is None or this.beacon_round_wrong:
        return None
    number = this.lock["beacon"]
    if given is not None:
        if given.round not in (None, number):
            says = f"expected the signature of round {number}, found one of round {given.round}"
            raise Refused("signature", says)
        if not this.chain.verifies(number, given.data):
            raise Refused("signature", f"the given signature of round {number} does not verify")
    if this.beacon_judged and not this.beacon_signature_wrong:
        return bytes.fromhex(this.deal["beacon"])
    return None if given is None else given.data


def _is_kept(kept: receipt.Verdict, lock: Optional[tuple]) -> bool:
    """Whether a kept document shows that the lock was there before (38)."""
    is_sound = "logged" in kept.shown and not kept.findings
    is_before = not {"deal", "void"} & set(kept.effects)
    return is_sound and is_before and lock is not None and kept.lock == lock


def _findings(of: receipt.Verdict, kept: list, among: list) -> list:
    """Those of the receipt, those that only kept documents have, and those among all (38).

    What the log did not sign is no finding of a kept document: the reader has a wrong file then.
    """

    def named(found: dict) -> tuple:
        return found["code"], found.get("index"), found["accuses"]

    findings = of.to_json()["findings"]
    listed = set(map(named, findings))
    logged = [verdict for verdict in kept if "logged" in verdict.shown]
    for found in [f for verdict in logged for f in verdict.to_json()["findings"]]:
        if named(found) not in listed:
            listed.add(named(found))
            findings.append(found)
    return findings + [receipt.finding_json(f, True) for f in among]


class Verdict:
    """What a raffle showed and did not show."""

    def __init__(self, document: Document, lines: Lines, of: receipt.Verdict, findings: list):
        self.document, self.lines, self.of = document, lines, of
        self.published: Optional[bytes] = None  # the published seed that opens the commitment
        self.findings = findings  # as the verdict has them
        self.shown, self.not_shown = set(of.shown), set(of.not_shown)
        lock, void = of.effects.get("lock"), of.effects.get("void")
        self.round: Optional[Round] = None if lock is None else lock.round
        self.void: Optional[int] = None if void is None else void.value["time"]
        self.signature: Optional[bytes] = None
        self.drawn: Optional[list] = None  # the items that won
        self.line: Optional[str] = None

    def show(self, token: str, is_shown: bool = True) -> None:
        """Add a token to those shown or to those not shown."""
        (self.shown if is_shown else self.not_shown).add(token)
        (self.not_shown if is_shown else self.shown).discard(token)

    def holds(self) -> bool:
        """Whether nothing was found."""
        return not self.findings

    def is_not_compared(self) -> bool:
        """Whether all of the reader's contributions are of other rounds or logs (11.9)."""
        return self.holds() and self.of.is_of_another_round

    def server_seed(self) -> Optional[bytes]:
        """The server seed, if it is known (step 5)."""
        if "reveal" in self.of.effects:
            return bytes.fromhex(self.of.effects["reveal"].value["server_seed"])
        return self.published

    def state(self) -> Optional[str]:
        """What a person should think of the raffle, in one word."""
        if any(found["accuses"] == "operator" for found in self.findings):
            return "caught"
        if not self.holds() or self.void is not None or not {"logged", "drawn"} <= self.shown:
            return None
        is_doubted = {"yours", "kept-before-beacon"} & self.not_shown
        return "fair" if BEFORE & self.shown and not is_doubted else "unproved"

    def draw(self) -> None:
        """Step 5, after the signature is known."""
        seed, given = self.server_seed(), self.round and self.round.lock.get("contributions", [])
        if seed is None or self.signature is None or any("hash" in c for c in given):
            return
        mixed = [contributions.in_clear(c) for c in given]
        inputs = deal.Inputs(seed, 0, mixed, deal.sha256(self.signature))
        self.drawn = winners_of(self.lines, inputs, self.document.rules["winners"])

    def say_what_was_shown(self, kept: list) -> None:
        """The tokens that are not those of the receipt."""
        self.show("drawn", self.drawn is not None)
        if self.drawn is not None and self.void is None and self.of.is_in_round:
            self.show("yours")
        self.not_shown.discard("beacon")
        if self.signature is None:
            self.show("beacon", False)
        if kept:
            is_kept = any(_is_kept(verdict, self.of.lock) for verdict in kept)
            self.show("kept-before-beacon", is_kept)
        self.not_shown.add("no-collusion")
        if {"logged", "drawn"} <= self.shown and BEFORE & self.shown:
            self.not_shown.discard("no-collusion")

    def _beacon(self) -> dict:
        """The member `beacon`: the round that the lock names."""
        this = self.round
        if this is None or "beacon" not in this.lock:
            return {}
        of = {"chain": self.document.commit["beacon"]["chain"], "round": this.lock["beacon"]}
        if this.chain is not None and not this.beacon_round_wrong:
            of["out"] = this.beacon_out()
        if self.signature is not None:
            of["signature"] = self.signature.hex()
        return {"beacon": of}

    def _line(self) -> dict:
        """The member `line` (step 6)."""
        if self.line is None:
            return {}
        tickets = self.lines.lines.count(self.line)
        of = {"line": self.line, "tickets": tickets}
        if tickets:
            of["item"] = self.lines.lines.index(self.line)
        won = [self.lines.lines[item] for item in self.drawn or []]
        if self.line in won:
            of["place"] = won.index(self.line)
        return {"line": of}

    def to_json(self) -> dict:
        """The verdict of section 39."""
        out, state, lines = self.of.to_json(), self.state(), self.lines.lines
        for name in ("state", "nonce", "placed"):
            out.pop(name, None)
        out.update(
            holds=self.holds(),
            **({} if state is None else {"state": state}),
            shown=[t for t in SHOWN if t in self.shown],
            not_shown=[t for t in NOT_SHOWN if t in self.not_shown],
            findings=self.findings,
            table=self.document.commit["table"],
            rules=self.document.rules,
            count=len(lines),
            different=self.lines.different,
            **self._beacon(),
            has_seed=self.server_seed() is not None,
            **self._line(),
        )
        if self.drawn is not None:
            out["drawn"] = [{"item": item, "line": lines[item]} for item in self.drawn]
        if self.void is not None:
            out["void"] = self.void
        return out


def verify(
    document: Document,
    lines: Lines,
    key: tlog.VerifierKey,
    reader: Reader = Reader(),
    given: Inputs = Inputs(),
) -> Verdict:
    """Judge a raffle; raises Refused for a list or a signature that is not of this document, and
    Unread for a document whose commit does not fit the list."""
    _require_list(document, lines)
    documents = (document, *given.kept)
    # A published seed opens the commitment of its own document (37), which others may be of too.
    seeds = {d.commit["commitment"]: d.server_seed for d in documents if d.server_seed is not None}
    of, *kept = [
        receipt.judge_file(d.file, key, reader, seed=seeds.get(d.commit["commitment"]))
        for d in documents
    ]
    found = Verdict(
        document, lines, of, _findings(of, kept, several.among([of, *kept], key, [], reader))
    )
    ours = document.commit["commitment"]
    voids = [
        verdict.effects["void"].value["time"]
        for kept_document, verdict in zip(given.kept, kept)
        if kept_document.commit["commitment"] == ours
        and "logged" in verdict.shown
        and "void" in verdict.effects
    ]
    if found.void is None and voids:
        found.void = voids[0]
    found.published = seeds.get(ours)
    found.line = given.line
    found.signature = _signature(found.round, given.signature)
    found.draw()
    found.say_what_was_shown(kept)
    return found
