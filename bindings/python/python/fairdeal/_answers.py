"""Answers: dicts that a notebook shows as a small table."""

from __future__ import annotations

import html
import json
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

#: How many findings, files or counts a table shows.
MOST = 10
#: How many characters of a text it shows.
LONGEST = 300

#: The states of spec/receipt.md, section 11.4, as the command says them.
STATES = {
    "caught": "caught",
    "fair": "fair, and your seed was in it",
    "unproved": "the cards follow from the seeds, but nothing here shows that the operator did not choose them",
}


class Answer(dict[str, Any]):
    """A dict with the members of the command's ``--json``. A verdict is a table in a notebook.

    >>> import fairdeal
    >>> verdict = fairdeal.verify_receipt("fixtures/receipts/round.json", "fixtures/receipts/log.key")
    >>> "the cards follow from the seeds" in verdict._repr_html_()
    True
    """

    def _repr_html_(self) -> str | None:
        """The table, or ``None`` if the answer is no verdict: then a notebook shows the dict."""
        if "holds" not in self:
            return None
        lines = [("verdict", in_words(self))]
        lines += [(name, said(self[name])) for name in _FACTS if self.get(name) is not None]
        for name in ("shown", "not_shown"):
            if self.get(name):
                lines.append((name.replace("_", " "), ", ".join(self[name])))
        files = self.get("receipts", self.get("files", []))
        for one in _first(files):
            lines.append((one["file"], in_words(one)))
        lines += [(code, said(many)) for code, many in _first(self.get("counts", {}).items())]
        for one in _first(self.get("findings", [])):
            where = "" if one.get("index") is None else f" at entry {one['index']}"
            lines.append((f"{one['code']}{where}", one["says"]))
        rows = [one for one in self.get("rows", []) if one["verdict"] != "valid"]
        lines += [(f"row {one['row']}", f"{one['verdict']}: {one['says']}") for one in _first(rows)]
        parts = [len(files), len(self.get("findings", [])), len(rows)]
        left = sum(max(0, many - MOST) for many in parts)
        if left > 0:
            lines.append(("", f"and {left:,} more"))
        return "<table>{}</table>".format("".join(map(_row, lines)))


#: Members that a table shows as they are, if the answer has them.
_FACTS = (
    "dialect",
    "table",
    "nonce",
    "cards",
    "size",
    "commitments",
    "deals",
    "valid",
    "invalid",
    "unreadable",
)


def answer_of(text: str) -> Answer:
    """An answer of the native half."""
    return Answer(json.loads(text))


def in_words(verdict: Mapping[str, Any]) -> str:
    """A verdict in a few words."""
    if "error" in verdict:
        return f"no verdict: {verdict['error']['says']}"
    if verdict.get("state") in STATES:
        return STATES[verdict["state"]]
    if verdict["holds"]:
        return "holds"
    return "not everything could be read" if is_unread(verdict) else "does not hold"


def is_unread(verdict: Mapping[str, Any]) -> bool:
    """Whether nothing was found: an answer also does not hold if a file or a row cannot be read."""
    files = verdict.get("receipts", verdict.get("files", []))
    if verdict.get("findings") or any(one.get("findings") for one in files):
        return False
    rows = verdict.get("unreadable", 0)
    return verdict.get("invalid", 0) == rows and (rows > 0 or any("error" in one for one in files))


def said(value: object) -> str:
    """A value in a cell."""
    return f"{value:,}" if isinstance(value, int) else str(value)


def _first(many: Iterable[Any]) -> list[Any]:
    return list(many)[:MOST]


def _row(line: tuple[str, str]) -> str:
    name, text = line
    return f'<tr><th style="text-align:left">{_cell(name)}</th><td style="text-align:left">{_cell(text)}</td></tr>'


def _cell(text: str) -> str:
    """A text of a file, as text: no markup, and no character that hides or turns others."""
    cut = text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
    plain = "".join(
        f"\\u{ord(c):04x}" if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") else c
        for c in cut
    )
    return f"<bdi>{html.escape(plain)}</bdi>"
