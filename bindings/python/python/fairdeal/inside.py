"""A log's entries, rounds and findings, row by row; and single published entries."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, TypedDict, Unpack

from . import _fairdeal
from ._expected import FLAG, is_whole, several, wrong
from ._inputs import Log, PathOrText, Time, key_text, opened, when
from .errors import UnavailableError, UsageError


class Judged(TypedDict, total=False):
    """The options of judging: as for :func:`fairdeal.audit`."""

    now: Time | None
    as_of: Time | None
    skip_signatures: bool


def entries(log: Log, key: PathOrText, **how: Unpack[Judged]) -> Iterator[dict[str, Any]]:
    """Every entry of a log, in order: the rows of ``entries.csv`` of ``fairdeal audit --csv``.

    >>> import fairdeal
    >>> log = "fixtures/logs/honest-example"
    >>> [(one["index"], one["kind"], one["nonce"], one["effect"]) for one in fairdeal.entries(log, f"{log}/key")]
    [(0, 'commit', None, True), (1, 'deal', 0, True), (2, 'reveal', None, True)]

    A row has ``index``, ``kind``, ``time`` (Unix milliseconds), ``commitment``, ``nonce`` and
    ``effect``; an absent value is ``None``. ``effect`` is false if a finding ended the entry's
    judging, or its commitment is of another protocol.

    The log is audited while you iterate, and the audit waits for you: a log of any length needs
    little memory. Stop at any row. A log that does not hold has rows too: its verdict is that of
    :func:`fairdeal.audit`, which takes the same ``now``, ``as_of`` and ``skip_signatures``.
    :func:`fairdeal.tables.entries` gives Arrow.
    """
    return _rows(log, key, "entries", how)


def rounds(log: Log, key: PathOrText, **how: Unpack[Judged]) -> Iterator[dict[str, Any]]:
    """Every round that was dealt or voided: the rows of ``rounds.csv`` of ``fairdeal audit --csv``.

    >>> import fairdeal
    >>> log = "fixtures/logs/honest-example"
    >>> dealt = next(fairdeal.rounds(log, f"{log}/key"))
    >>> dealt["table"], dealt["nonce"], dealt["outcome"], dealt["result"][:14]
    ('table-1', 0, 'dealt', 'Td 3h 6d 9d 4c')

    A row has ``commitment``, ``table``, ``nonce``, ``index``, ``outcome``, ``time``, ``form``, ``result``, ``contributors``,
    ``blame`` and ``reason``. The audit waits for you, as for :func:`entries`.
    :func:`fairdeal.tables.rounds` gives Arrow.
    """
    return _rows(log, key, "rounds", how)


def findings(log: Log, key: PathOrText, **how: Unpack[Judged]) -> Iterator[dict[str, Any]]:
    """Every finding of an audit: the rows of ``findings.csv`` of ``fairdeal audit --csv``.

    >>> import fairdeal
    >>> log = "fixtures/logs/nonce-gap"
    >>> [(one["code"], one["index"]) for one in fairdeal.findings(log, f"{log}/key")]
    [('nonce-gap', 2), ('nonce-gap', 3)]

    The verdict of :func:`fairdeal.audit` keeps 1,000 of each code; this function gives all.
    :func:`fairdeal.tables.all_findings` gives Arrow.
    """
    return _rows(log, key, "findings", how)


def published(log: Log, indices: Iterable[int]) -> list[dict[str, Any]]:
    """Single published entries, to examine a finding. They are neither judged nor verified.

    >>> import fairdeal
    >>> [deal] = fairdeal.published("fixtures/logs/honest-example", [1])
    >>> deal["entry"]["entry"], deal["entry"]["result"]["cards"][:10], deal["file"]
    ('deal', 'Td3h6d9d4c', 'tile/entries/000.p/3')

    Each has ``index``, ``file`` and ``offset`` (where its bytes are), ``leaf`` (their hash in the tree, hex), ``text``, and
    ``entry``, its object; ``text`` and ``entry`` are ``None`` if it is not an object. The entries
    are in the log's order. Raises :class:`~fairdeal.UnavailableError` if an entry cannot be read.
    """
    expected = "whole numbers from 0 on"
    given = several("indices", indices, expected)
    for index in given:
        if not is_whole(index, 2**64 - 1):
            raise wrong("indices", expected, index)
    wanted = set(given)
    found: list[dict[str, Any]] = json.loads(_fairdeal.published(opened(log), wanted))
    missing = sorted(wanted - {one["index"] for one in found})
    if missing:
        size = _fairdeal.log_size(opened(log))
        says = (
            f"entry {missing[0]}: can't be read"
            if missing[0] < size
            else f"entry {missing[0]}: the log has {size} entries"
        )
        raise UnavailableError("unavailable", says)
    return [{**one, "entry": _object(one["text"])} for one in found]


def _object(text: str | None) -> Any:
    try:
        return None if text is None else json.loads(text)
    except ValueError:
        return None


def pages(log: Log, key: PathOrText, table: str, how: Judged) -> Iterator[bytes]:
    """A table of an audit as JSON lines, some thousand rows at a time."""
    if unknown := sorted(how.keys() - Judged.__annotations__):
        expected = ", ".join(Judged.__annotations__)
        raise UsageError("usage", f"{table}: expected only {expected}, found {unknown[0]}")
    skip = how.get("skip_signatures", False)
    if not FLAG.takes(skip):
        raise wrong("skip_signatures", FLAG.says, skip)
    times = when(how.get("now"), how.get("as_of"))
    begun = _fairdeal.TablePages.of(opened(log), key_text(key), times, table, skip)
    return iter(begun.next_page, None)


def _rows(log: Log, key: PathOrText, table: str, how: Judged) -> Iterator[dict[str, Any]]:
    # Not a generator: a wrong argument raises now, not at the first row.
    return (json.loads(line) for page in pages(log, key, table, how) for line in page.splitlines())
