"""The inputs of the functions: keys, times, contributions, logs."""

from __future__ import annotations

import json
import operator
import os
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol, TypeAlias, TypedDict

from ._expected import is_path, is_text, is_whole, several, wrong
from .errors import UnavailableError, UsageError

#: A path, or a key's text.
PathOrText: TypeAlias = str | os.PathLike[str]

#: Unix milliseconds, a time with its zone, or text such as ``2026-01-31T12:00:00Z``.
Time: TypeAlias = int | datetime | str


class Reader(Protocol):
    """Reads a log's files: any object with these two members."""

    @property
    def name(self) -> str:
        """The log's name, for messages."""

    def read(self, path: str, at_most: int) -> bytes | None:
        """At most ``at_most`` + 1 bytes of a file; ``None`` if it is missing. Raises if that is unknown."""


#: A ledger's folder or its public part, an exported file, a URL, or an object that reads files.
Log: TypeAlias = str | os.PathLike[str] | Reader


def arrow() -> Any:
    """The package pyarrow, which only tables and rows of Arrow and polars need."""
    try:
        import pyarrow
    except ImportError as error:
        says = "this needs pyarrow: in a checkout, pip install './bindings/python[arrow]'"
        raise ImportError(says) from error
    return pyarrow


class When(TypedDict):
    """The times of an audit, for the native half."""

    now: int | None
    as_of: int | None
    as_of_now: bool


def read_file(path: PathOrText, what: str) -> bytes:
    """A file's bytes."""
    if not is_path(path):
        raise wrong(what, "a path", path)
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise UnavailableError(
            "unavailable", f"{what}: {os.fspath(path)}: {error.strerror or error}"
        ) from error


def key_text(key: PathOrText) -> str:
    """A verifier key, or the key in a file."""
    if not is_path(key):
        raise wrong("key", "a key's text, or the path of its file", key)
    if isinstance(key, str) and "+" in key and not os.path.exists(key):
        return key.removesuffix("\n").removesuffix("\r")
    text = read_file(key, "key")
    try:
        return text.decode("utf-8").removesuffix("\n").removesuffix("\r")
    except UnicodeDecodeError as error:
        raise UsageError("usage", f"key: {os.fspath(key)}: expected UTF-8: {error}") from error


def policy_bytes(policy: PathOrText | bytes | None) -> bytes | None:
    """A policy's bytes, given or in a file."""
    if policy is None or isinstance(policy, bytes):
        return policy
    if not is_path(policy):
        raise wrong("policy", "a path, or a policy's bytes", policy)
    return read_file(policy, "policy")


def milliseconds(name: str, time: Time) -> int:
    """A time in Unix milliseconds."""
    if is_whole(time, 2**53 - 1):
        return operator.index(time)  # type: ignore[arg-type]
    if hasattr(time, "__index__") and not isinstance(time, bool):
        raise wrong(name, "a time after 1970, in milliseconds up to 2^53 - 1", time)
    if isinstance(time, str):
        try:
            time = datetime.fromisoformat(time)
        except ValueError as error:
            raise UsageError(
                "usage", f"{name}: expected a time such as 2026-01-31T12:00:00Z: {error}"
            ) from error
    if not isinstance(time, datetime):
        raise wrong(name, "Unix milliseconds, a datetime with its zone, or a text", time)
    if time.tzinfo is None:
        raise UsageError(
            "usage", f"{name}: expected a time with its zone, found {time.isoformat()}"
        )
    return round(time.timestamp() * 1000)


def when(now: Time | None, as_of: Time | None) -> When:
    """The times at which a log is judged; ``as_of="now"`` is the clock."""
    is_now = as_of == "now"
    return When(
        now=None if now is None else milliseconds("now", now),
        as_of=None if as_of is None or is_now else milliseconds("as_of", as_of),
        as_of_now=is_now,
    )


def opened(log: Log) -> str | Reader:
    """A log for the native half: it reads paths and HTTP itself, and other URLs by fsspec."""
    if not isinstance(log, str | os.PathLike):
        if not is_text(getattr(log, "name", None)) or not callable(getattr(log, "read", None)):
            expected = "a path, a URL, or an object with a name and a method read"
            raise wrong("log", expected, log)
        return log
    if not is_path(log):
        raise wrong("log", "a path or a URL", log)
    name = os.fspath(log)
    scheme, found, _ = name.partition("://")
    if not found or scheme in ("http", "https"):
        return name
    from .remote import FsspecLog

    return FsspecLog(name)


CONTRIBUTIONS = "a mapping of names to seeds, or objects as in a log's entry"


def contributions(given: Mapping[str, str] | Iterable[Mapping[str, Any]]) -> str:
    """Contributions as JSON: ``{"alice": "lucky"}``, or a list of objects as in a log's entry."""
    if isinstance(given, Mapping):
        items: list[Mapping[str, Any]] = [
            {"from": name, "seed": seed} for name, seed in given.items()
        ]
    else:
        items = several("contributions", given, CONTRIBUTIONS)
    try:
        # In the order of the log: ascending by name, as UTF-8.
        items.sort(key=lambda one: str(one.get("from", "")).encode())
        return json.dumps(items)
    except (AttributeError, TypeError, ValueError) as error:
        raise UsageError("usage", f"contributions: expected {CONTRIBUTIONS}: {error}") from error


def notes(since: Iterable[PathOrText]) -> list[tuple[str, str]]:
    """Saved checkpoints: their names and texts."""
    paths = several("since", since, "paths of saved checkpoints")
    read = [(path, read_file(path, "since")) for path in paths]
    return [(os.fspath(path), text.decode("utf-8", "replace")) for path, text in read]
