"""Several receipts together, and evidence: receipt.md 11.6 and 11.10."""

from typing import NamedTuple, Optional

import canonical
import contributions
import entry
import evidence
import logfiles
import receipt
import receiptfile
import tlog
from brought import Reader
from finding import Finding
from life import Life
from refused import Refused


FORMATS = (receiptfile.RECEIPT, receiptfile.OPENING, evidence.FORMAT)


class Unread(Exception):
    """Says why a file cannot be read."""


class NotJoined(logfiles.NotKnown):
    """Says what the reader kept and nothing is compared with; `found` is what was judged."""

    def __init__(self, says: str, found: "Together") -> None:
        super().__init__(says)
        self.found = found


class Given(NamedTuple):
    """A file that a command is given."""

    name: str
    content: object  # its bytes, or Unread
    is_kept: bool = False  # whether the reader kept it (11.8)


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
        if self.findings or any(v.caught() for v in self.read()):
            return "caught"
        left = [v for v in self.verdicts if isinstance(v, Unread) or not v.is_passed_over()]
        states = {None if isinstance(v, Unread) else v.state() for v in left}
        if not states or None in states:
            return None
        return "unproved" if "unproved" in states else "fair"

    def to_json(self) -> dict:
        """The object of section 11.5."""
        state = self.state()
        return {
            "holds": self.holds(),
            **({} if state is None else {"state": state}),
            "findings": [receipt.finding_json(f, is_signed=True) for f in self.findings],
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
        if e.kind == "anchor":
            roots.say(e.value["size"], bytes.fromhex(e.value["root"]))
        for c in e.value.get("contributions", []) if e.kind in ("lock", "deal") else []:
            if "seen" in c and contributions.seen_is_signed(key, c["seen"]):
                seen = contributions.seen_of(c)
                roots.say(seen.size, seen.root)


def _judge_excerpt(entries: dict, key: tlog.VerifierKey, reader: Reader) -> list:
    """Step 3."""
    life = Life(key, excerpt=True, policy=reader.policy)
    life.chains, life.has_roots = reader.chains, False
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


def among(verdicts: list, key: tlog.VerifierKey, views: list, reader: Reader) -> list:
    """The findings among two files or more; of `views` only the roots are compared.

    The views are the heads of evidence (11.10) and a saved view (11.9). A file that is not
    `logged` adds its checkpoint as one more.
    """
    sound = [v for v in verdicts if "logged" in v.shown]
    others = [v for v in verdicts if v.file is not None and "logged" not in v.shown]
    views = views + [receiptfile.View(v.file.note, v.file.checkpoint, []) for v in others]
    heads = [view for view in views if tlog.signs_root(view.note, key)]
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
    for f in _judge_excerpt(entries.first, key, reader) + _judge_cards(sound):
        if (f.code, f.index) not in told:
            told.add((f.code, f.index))
            found.append(f)
    return sorted(found, key=receipt.place_of)


def _read(files: list, reader: Reader) -> tuple:
    """The files with their JSON values, the reader with what evidence holds, and its heads.

    The files of evidence take its place (11.10). Of a file without a value to judge, Unread or
    its verdict does.
    """
    taken, mine, heads = [], {True: (), False: ()}, []
    for given in files:
        try:
            if isinstance(given.content, Unread):
                taken.append(given)
                continue
            value = canonical.read(given.content)
            if not evidence.is_evidence(value):
                taken.append(given._replace(content=value))
                continue
            parts = evidence.parse(value)
            taken += [
                Given(f"{given.name}: {name}", file, given.is_kept) for name, file in parts.files
            ]
            mine[given.is_kept] += tuple(parts.mine)
            heads += parts.heads
        except canonical.NotJson as error:
            says = f"{given.name}: expected a receipt, an opening or evidence in JSON: {error}"
            taken.append(given._replace(content=Unread(says)))
        except Refused as refused:
            taken.append(given._replace(content=receipt.invalid(refused, reader.policy)))
    return taken, reader._replace(kept=mine[True], claimed=mine[False]), heads


def _judge(content, key: tlog.VerifierKey, reader: Reader):
    """The verdict on a file that `_read` returned, or Unread."""
    if isinstance(content, (Unread, receipt.Verdict)):
        return content
    return receipt.judge(content, key, reader)


def _is_joined(verdict: receipt.Verdict, size: int) -> bool:
    """Whether a `logged` file shows the root that its log had at a saved view's size (11.9)."""
    file = verdict.file
    return size == file.checkpoint.size or size in [s.size for s in file.seen]


def verify(
    files: list, key: tlog.VerifierKey, reader: Reader = Reader(), since: Optional[bytes] = None
) -> Together:
    """Judge files, each Given, with the note of a saved view (11.9).

    Raises Unread if no file can be read, logfiles.NotKnown if the view does not open, and NotJoined
    if nothing is found and a file that the reader did not keep is not joined with it, or all of
    these are of other rounds than the reader's contributions.
    """
    view = None if since is None else logfiles.read_older("the saved view", since, key)
    files, reader, views = _read(files, reader)
    kept = [_judge(f.content, key, reader) for f in files if f.is_kept]
    locks = [v.kept_locks() for v in kept if isinstance(v, receipt.Verdict)]
    reader = reader._replace(locks=frozenset().union(*locks))
    verdicts = [_judge(f.content, key, reader) for f in files]
    found = Together([f.name for f in files], verdicts, [])
    if not found.read():
        raise verdicts[0]
    if view is not None and view.size == 0:
        raise Refused("since", "a view of the empty log shows nothing")
    receipt.check_seat(reader.seat, found.read())
    if view is not None:
        views.append(receiptfile.View(since, view, []))
    found = found._replace(findings=among(found.read(), key, views, reader))
    apart = None
    for file, verdict in zip(files, verdicts) if view is not None else ():
        is_to_join = isinstance(verdict, receipt.Verdict) and "logged" in verdict.shown
        if is_to_join and not file.is_kept and not _is_joined(verdict, view.size):
            verdict.is_apart, apart = True, apart or file.name
    if apart is not None and found.holds():
        says = f"{apart}: nothing shows whether it continues the saved view of {view.size} entries"
        raise NotJoined(says, found)
    told = [v for f, v in zip(files, verdicts) if isinstance(v, receipt.Verdict) and not f.is_kept]
    if found.holds():
        require_compared(told, found)
    return found


def require_compared(told: list, found) -> None:
    """Raise NotJoined, with what was found, if all of the reader's contributions are of other rounds."""
    if told and all(verdict.is_of_another_round for verdict in told):
        raise NotJoined("every contribution is of another round or log", found)
