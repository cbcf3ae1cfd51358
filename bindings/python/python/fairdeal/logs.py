"""Whole logs: audited, and their deals tested."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from . import _fairdeal
from ._answers import answer_of
from ._expected import CALL, FLAG, PATH, TEXT, WHOLE, expects, is_text, several, wrong
from ._inputs import (
    Log,
    PathOrText,
    Time,
    key_text,
    notes,
    opened,
    policy_bytes,
    read_file,
    when,
)
from .errors import UnavailableError, UsageError


@expects(skip_signatures=FLAG, statistics=FLAG, state=PATH, progress=CALL)
def audit(
    log: Log,
    key: PathOrText,
    *,
    policy: PathOrText | bytes | None = None,
    now: Time | None = None,
    as_of: Time | None = None,
    since: Iterable[PathOrText] = (),
    skip_signatures: bool = False,
    statistics: bool = False,
    state: PathOrText | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> dict[str, Any]:
    """Judge a whole log. The verdict is that of ``fairdeal audit --json`` (spec/audit.md, section 15).

    >>> import fairdeal
    >>> log = "fixtures/logs/honest-example"
    >>> verdict = fairdeal.audit(log, f"{log}/key", now="2026-01-01T00:10:00Z")
    >>> verdict["holds"], verdict["size"], verdict["deals"]
    (True, 3, 1)

    ``log`` is a ledger's folder or its public part, an exported file, a URL (``https://…``, or one that fsspec reads, such
    as ``s3://…``), or an object that reads files. ``key`` is the verifier key or a file with it.
    ``policy`` is your witnesses, a tlog-policy file or its bytes: anchors and the checkpoint are
    judged by it.

    ``now`` is your clock; with a given clock the answer is the same on any day. Without ``as_of``,
    a URL is judged as of now, and a folder or a file as of its last entry. ``as_of="now"`` is for a
    copy of a log that is still in use. ``since`` are checkpoints that you saved: the log must
    continue them. ``state`` is a file to which the audit is saved and from which the next one
    continues, if it has the same policy; ``judged_before`` then says how many of the first entries
    only the earlier audit judged. ``progress`` is called with the number of judged entries and of
    all entries.

    Ctrl-C stops the audit. Raises :class:`~fairdeal.UnavailableError` if the log cannot be read,
    and :class:`~fairdeal.UsageError` for a wrong argument. A log that does not hold is an answer.
    """
    saved = None
    if state is not None:
        saved = (
            read_file(state, "state").decode("utf-8", "replace") if os.path.exists(state) else ""
        )
    text, left, judged_before, _ = _fairdeal.audit(
        opened(log),
        key_text(key),
        when(now, as_of),
        notes(since),
        policy=policy_bytes(policy),
        skip_signatures=skip_signatures,
        statistics=statistics,
        state=saved,
        progress=progress,
    )
    if state is not None and left is not None:
        write_whole(Path(state), left.encode())
    verdict = answer_of(text)
    if state is not None:
        verdict["judged_before"] = judged_before
    return verdict


def write_whole(path: Path, data: bytes) -> None:
    """Writes a file whole or not at all."""
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
        except BaseException:
            os.unlink(temporary)
            raise
    except OSError as error:
        raise UnavailableError("unavailable", f"{path}: {error.strerror or error}") from error


def log_size(log: Log) -> int:
    """The number of entries that a log's checkpoint promises, not verified.

    >>> import fairdeal
    >>> fairdeal.log_size("fixtures/logs/honest-example")
    3
    """
    return _fairdeal.log_size(opened(log))


@expects(folder=PATH, deals=WHOLE, tables=WHOLE, rounds=WHOLE, players=WHOLE, seed=WHOLE)
def generate(
    folder: PathOrText,
    *,
    deals: int = 10_000,
    tables: int = 8,
    rounds: int = 1000,
    players: int = 2,
    seed: int = 1,
) -> int:
    """Make an honest log of any length from a seed, as ``fairdeal generate`` does; returns how many entries it has.

    >>> import fairdeal, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     entries = fairdeal.generate(folder, deals=100)
    ...     entries, fairdeal.audit(folder, f"{folder}/log.key", now=2**53 - 1)["holds"]
    (116, True)

    The same arguments give the same bytes. Such a log proves nothing: its secrets follow from the seed.
    """
    return _fairdeal.generate(os.fspath(folder), deals, tables, rounds, players, seed)


@expects(deck=TEXT, after=WHOLE, progress=CALL)
def stats(
    log: Log | None = None,
    key: PathOrText | None = None,
    *,
    decks: PathOrText | bytes | Iterable[str] | None = None,
    deck: str | None = None,
    after: int | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> dict[str, Any]:
    """Test the randomness of many decks, as ``fairdeal stats --json`` does: a log's, or any.

    >>> import fairdeal
    >>> orders = ["Td3h6d9d4c"] * 20
    >>> fairdeal.stats(decks=orders, deck="standard-52")["alarm"]
    True

    With a key only deals that the audit replays are counted, without one all; ``after`` an index, only those after it.
    ``decks`` is a file with one deck a line, its bytes, or the lines; ``deck`` is the deck of each
    line, if a line is not a whole deck. An alarm is not a proof: docs/statistics.md says what these
    tests can and cannot find.
    """
    if (log is None) == (decks is None):
        raise UsageError("usage", "expected a log or decks, and not both")
    if log is not None:
        if deck is not None:
            raise UsageError("usage", "deck: expected no deck with a log, which names its own")
        text = _fairdeal.stats_of_log(
            opened(log), None if key is None else key_text(key), after, progress
        )
    else:
        if key is not None or after is not None:
            raise UsageError("usage", "key, after: expected neither with decks")
        name = "decks"
        if isinstance(decks, str | os.PathLike):
            name, data = os.fspath(decks), read_file(decks, "decks")
        elif isinstance(decks, bytes):
            data = decks
        else:
            expected = "a path, bytes, or decks as texts"
            lines = several("decks", decks, expected)
            for line in lines:
                if not is_text(line):
                    raise wrong("decks", expected, line)
            data = "".join(f"{line}\n" for line in lines).encode()
        text = _fairdeal.stats_of_decks(name, data, deck)
    return answer_of(text)
