"""A log's entries, rounds and findings, row by row; and single published entries."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterable, Iterator
from typing import Any, TypedDict, Unpack

from . import _fairdeal
from ._expected import FLAG, is_whole, several, wrong
from ._inputs import Log, PathOrText, Reader, Time, key_text, opened, policy_bytes, when
from .errors import IncompleteWarning, UnavailableError

#: The number of entries in a bundle of a log.
BUNDLE = 256


class Judged(TypedDict, total=False):
    """The options of judging: as for :func:`fairdeal.audit`."""

    policy: PathOrText | bytes | None
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
    :func:`fairdeal.audit`, which takes the same ``policy``, ``now``, ``as_of`` and
    ``skip_signatures``.
    If not all entries could be read, the last row is followed by a warning, an
    :class:`~fairdeal.errors.IncompleteWarning`, that says how many were read.
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
    ``blame`` and ``reason``. The audit waits for you, and a log that could not be read to its end
    gives a warning, as for :func:`entries`.
    :func:`fairdeal.tables.rounds` gives Arrow.
    """
    return _rows(log, key, "rounds", how)


def findings(log: Log, key: PathOrText, **how: Unpack[Judged]) -> Iterator[dict[str, Any]]:
    """Every finding of an audit: the rows of ``findings.csv`` of ``fairdeal audit --csv``.

    >>> import fairdeal
    >>> log = "fixtures/logs/nonce-gap"
    >>> [(one["code"], one["index"]) for one in fairdeal.findings(log, f"{log}/key")]
    [('nonce-gap', 2), ('nonce-gap', 3)]

    The verdict of :func:`fairdeal.audit` keeps 1,000 of each code; this function gives all. A log
    that could not be read to its end gives a warning, as for :func:`entries`.
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
    """A table of an audit as JSON lines, some thousand rows at a time; then the warning, if any."""
    if unknown := sorted(how.keys() - Judged.__annotations__):
        expected = ", ".join(Judged.__annotations__)
        raise TypeError(f"{table}: expected only {expected}, found {unknown[0]!r}")
    skip = how.get("skip_signatures", False)
    if not FLAG.takes(skip):
        raise wrong("skip_signatures", FLAG.says, skip)
    times = when(how.get("now"), how.get("as_of"))
    source, text, policy = opened(log), key_text(key), policy_bytes(how.get("policy"))
    # Before the audit: a log that is in use grows.
    promised = _fairdeal.log_size(source)

    def begun(of: str) -> Iterator[bytes]:
        rows = _fairdeal.TablePages.of(source, text, times, of, policy, skip)
        return iter(rows.next_page, None)

    def watched(given: Iterator[bytes]) -> Iterator[bytes]:
        # Only a finding about the whole log can say that entries were not read.
        read = promised if table == "findings" else 0
        for page in given:
            lines = page.splitlines()
            if table != "findings":
                read = int(json.loads(lines[-1])["index"]) + 1
            elif any(json.loads(line)["index"] is None for line in lines):
                read = 0
            yield page
        if table != "entries" and read < promised:
            # The files may be sound, and of another log: then no entry is read.
            has_none = read == 0 and next(begun("entries"), None) is None
            read = 0 if has_none else _readable(source, read, promised)
        if read < promised:
            name = source if isinstance(source, str) else source.name
            says = f"{name}: {read} of {promised} entries were read; the others are not in the rows"
            # Under this function is the one that makes rows or batches, and then the caller's.
            warnings.warn(f"{says}: fairdeal.audit says why", IncompleteWarning, stacklevel=3)

    return watched(begun(table))


def _readable(source: str | Reader, read: int, promised: int) -> int:
    """How many entries stand before the first bundle that cannot be read, if ``read`` were read.

    An audit ends at that bundle. It passes on no other sign of its end here than its rows.
    """
    first, many = -(-read // BUNDLE) * BUNDLE, 1
    while first < promised:
        after = first + BUNDLE * many
        wanted = set(range(first, min(after, promised), BUNDLE))
        found: list[dict[str, Any]] = json.loads(_fairdeal.published(source, wanted))
        if missing := wanted - {one["index"] for one in found}:
            return min(missing)
        # An exported file is read from its start each time, so the steps grow.
        first, many = after, min(2 * many, 1024)
    return promised


def _rows(log: Log, key: PathOrText, table: str, how: Judged) -> Iterator[dict[str, Any]]:
    # Not a generator: a wrong argument raises now, not at the first row.
    return (json.loads(line) for page in pages(log, key, table, how) for line in page.splitlines())
