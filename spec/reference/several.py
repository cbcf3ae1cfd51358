"""Several receipts together, and evidence: receipt.md 11.6 and 11.10."""

from typing import NamedTuple, Optional

import canonical
import contributions
import entry
import evidence
import receipt
import tlog
from brought import Reader
from life import Finding, Life
from refused import Refused


class Unread(Exception):
    """Says why a file cannot be read."""


class Together(NamedTuple):
    """Files with their verdicts, and the findings among them."""

    names: list
    verdicts: list  # a receipt.Verdict for each name, or Unread
    findings: list

    def read(self) -> list:
        """The verdicts on the files that could be read."""
        return [v for v in self.verdicts if isinstance(v, receipt.Verdict)]

    def holds(self) -> bool:
        """Whether every file was read, and nothing was found in any or among them."""
        is_whole = len(self.read()) == len(self.verdicts)
        return is_whole and not self.findings and not any(v.findings for v in self.read())

    def state(self) -> Optional[str]:
        """What a person should think of all files (11.4)."""
        states = {None if isinstance(v, Unread) else v.state() for v in self.verdicts}
        if self.findings or "caught" in states:
            return "caught"
        if None in states:
            return None
        return "unproved" if "unproved" in states else "fair"

    def to_json(self) -> dict:
        """The object of section 11.5."""
        state = self.state()
        return {
            "holds": self.holds(),
            **({} if state is None else {"state": state}),
            "findings": [receipt.finding_json(f, is_logged=True) for f in self.findings],
            "receipts": [
                {"file": name, **_told(verdict)} for name, verdict in zip(self.names, self.verdicts)
            ],
        }


def _told(verdict) -> dict:
    if isinstance(verdict, Unread):
        return {"error": {"code": "unavailable", "says": str(verdict)}}
    return verdict.to_json()


class _Said:
    """The first statement about each index or size, and the contradicted ones."""

    def __init__(self) -> None:
        self.first: dict = {}
        self.contradicted: set = set()

    def say(self, about: int, what: bytes) -> None:
        """Note what one file says about an index or a size."""
        if self.first.setdefault(about, what) != what:
            self.contradicted.add(about)

    def findings(self, of: str) -> list:
        """One finding for each contradiction."""
        says = f"the files differ about {of}"
        return [
            Finding("inconsistent", None, f"{says} {about}") for about in sorted(self.contradicted)
        ]


def _say_roots(verdict: receipt.Verdict, key: tlog.VerifierKey, roots: _Said) -> None:
    """Note every root that one file shows with the log's signature."""
    file = verdict.file
    roots.say(file.checkpoint.size, file.checkpoint.root)
    for s in file.seen:
        roots.say(s.size, s.root)
    for e in file.entries:
        for c in e.value.get("contributions", []) if e.kind in ("lock", "deal") else []:
            if "seen" in c and contributions.seen_is_signed(key, c["seen"]):
                seen = contributions.seen_of(c)
                roots.say(seen.size, seen.root)


def _judge_excerpt(entries: dict, key: tlog.VerifierKey) -> list:
    """Step 3."""
    life = Life(key, excerpt=True)
    life.has_roots = False
    values = {}
    commits = set()
    for index, data in entries.items():
        try:
            values[index] = canonical.parse(data) if len(data) <= entry.MAX_ENTRY else None
            if entry.parse_entry(data)[0] in ("commit", "other-protocol"):
                commits.add(values[index]["commitment"])
        except (canonical.NotJson, entry.Refused):
            pass
    found = []
    for index in sorted(entries):
        name = entry.commitment_of(values.get(index))
        if name is None or name in commits:
            found += life.apply(index, entries[index])
    return found


def _judge_cards(verdicts: list) -> list:
    """Step 4."""
    deals: dict = {}
    for verdict in verdicts:
        if "opened" in verdict.shown:
            deals.setdefault(verdict.deal, (verdict.commit, {}))[1].update(verdict.opened)
    found = []
    for (index, _), (commit, opened) in deals.items():
        wrong = receipt.impossible_cards(commit, list(opened.items()))
        if wrong:
            found.append(Finding("result-mismatch", index, f"the openings together: {wrong}"))
    return found


def among(verdicts: list, key: tlog.VerifierKey, heads: list) -> list:
    """The findings among two files or more; of `heads` only the roots are compared (11.10)."""
    sound = [v for v in verdicts if "logged" in v.shown]
    if len(sound) + len(heads) < 2:
        return []
    entries, roots = _Said(), _Said()
    for verdict in sound:
        for e in verdict.file.entries:
            entries.say(e.index, e.data)
        _say_roots(verdict, key, roots)
    for head in heads:
        roots.say(head.checkpoint.size, head.checkpoint.root)
        for s in head.seen:
            if receipt.is_proved(s, head.checkpoint):
                roots.say(s.size, s.root)
    found = entries.findings("the entry at index") + roots.findings("the root at size")
    told = {(f.code, f.index) for v in sound for f in v.findings}
    for f in _judge_excerpt(entries.first, key) + _judge_cards(sound):
        if (f.code, f.index) not in told:
            told.add((f.code, f.index))
            found.append(f)
    return sorted(found, key=receipt.place_of)


def _take_apart(files: list) -> tuple:
    """Replace evidence by its files; also returns its contributions and heads (11.10)."""
    taken, kept, heads = [], [], []
    for name, data in files:
        try:
            value = None if isinstance(data, Unread) else canonical.read(data)
            if not evidence.is_evidence(value):
                taken.append((name, data))
                continue
            parts = evidence.parse(value)
            taken += [(f"{name}: {inner}", file) for inner, file in parts.files]
            kept += parts.mine
            heads += parts.heads
        except canonical.NotJson as error:
            says = f"{name}: expected a receipt, an opening or evidence in JSON: {error}"
            taken.append((name, Unread(says)))
        except Refused as refused:
            taken.append((name, receipt.invalid(refused)))
    return taken, kept, heads


def verify(files: list, key: tlog.VerifierKey, reader: Reader = Reader()) -> Together:
    """Judge files, each a name with its bytes or Unread; raises Unread if none can be read."""
    files, kept, heads = _take_apart(files)
    reader = reader._replace(kept=tuple(kept))
    verdicts = [
        receipt.verify(data, key, reader) if isinstance(data, bytes) else data for _, data in files
    ]
    found = Together([name for name, _ in files], verdicts, [])
    if not found.read():
        raise verdicts[0]
    receipt.check_seat(reader.seat, found.read())
    opened = [head for head in heads if tlog.open_checkpoint(head.note, key)[1] is None]
    return found._replace(findings=among(found.read(), key, opened))
