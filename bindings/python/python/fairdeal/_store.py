"""The store of an audit on many machines: a folder, or a URL of fsspec. Files are whole or absent.

A file is a line, the length of a header, the header (JSON: where each part is, and its SHA-256), and the parts. A part is
read alone, so that the reader of one bucket does not read the others.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from .errors import UnavailableError

MAGIC = b"fairdeal/shard/v1\n"


class Damaged(ValueError):
    """A file was damaged: it is made again."""


def _tried(read: Callable[[], Any], tries: int = 5) -> Any:
    """Tries a call again that a network may refuse once. A missing file is not tried again."""
    for left in reversed(range(tries)):
        try:
            return read()
        except FileNotFoundError:
            raise
        except Exception as error:
            if left == 0:
                raise OSError(f"{type(error).__name__}: {error}") from error
            time.sleep(0.05 * 2 ** (tries - left))
    raise AssertionError("there is at least one try")


class Store:
    """A folder that every worker reaches."""

    def __init__(self, place: str, options: Mapping[str, Any] | None = None) -> None:
        self.place = place.rstrip("/")
        self.options = dict(options or {})

    def _remote(self) -> tuple[Any, str] | None:
        if "://" not in self.place:
            return None
        import fsspec

        files, root = fsspec.core.url_to_fs(self.place, **self.options)
        return files, root

    def prepare(self) -> None:
        """Makes the folder."""
        if self._remote() is None:
            Path(self.place).mkdir(parents=True, exist_ok=True)

    def _read(self, name: str, start: int, end: int) -> bytes | None:
        if start == end:
            # Some servers treat an empty range as another request.
            return b""
        remote = self._remote()
        try:
            if remote is not None:
                read: bytes = _tried(
                    lambda: remote[0].cat_file(f"{remote[1]}/{name}", start=start, end=end)
                )
                return read
            with open(os.path.join(self.place, name), "rb") as file:
                file.seek(start)
                return file.read(end - start)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise UnavailableError("unavailable", f"{self.place}/{name}: {error}") from error

    def _whole(self, name: str, data: bytes) -> None:
        remote = self._remote()
        if remote is not None:
            _tried(lambda: remote[0].pipe_file(f"{remote[1]}/{name}", data))
        else:
            from .logs import write_whole

            write_whole(Path(self.place) / name, data)

    def write(self, name: str, meta: Mapping[str, Any], parts: Mapping[str, bytes]) -> None:
        """Writes a file, whole or not at all."""
        places, at = {}, 0
        for part, data in parts.items():
            places[part] = [at, len(data), hashlib.sha256(data).hexdigest()]
            at += len(data)
        header = json.dumps({"meta": dict(meta), "parts": places}).encode()
        self._whole(
            name, b"".join([MAGIC, len(header).to_bytes(8, "big"), header, *parts.values()])
        )

    def _header(self, name: str) -> tuple[dict[str, Any], int] | None:
        begin = len(MAGIC) + 8
        head = self._read(name, 0, begin)
        if head is None:
            return None
        if len(head) != begin or not head.startswith(MAGIC):
            raise Damaged(name)
        length = int.from_bytes(head[len(MAGIC) :], "big")
        text = self._read(name, begin, begin + length) or b""
        try:
            header: dict[str, Any] = json.loads(text)
        except ValueError as error:
            raise Damaged(name) from error
        return header, begin + length

    def meta(self, name: str) -> dict[str, Any] | None:
        """The header of a file; ``None`` if the file is missing or damaged."""
        try:
            found = self._header(name)
            if found is None:
                return None
            header, begin = found
            end = max((at + length for at, length, _ in header["parts"].values()), default=0)
            if end and len(self._read(name, begin + end - 1, begin + end) or b"") != 1:
                return None
        except Damaged:
            return None
        meta: dict[str, Any] = header["meta"]
        return meta

    def part(self, name: str, part: str) -> bytes:
        """A part of a file. Raises if it is damaged."""
        try:
            found = self._header(name)
            if found is None:
                raise UnavailableError(
                    "unavailable",
                    f"{self.place}/{name}: it was there, and is not any more; it is made again next time",
                )
            header, begin = found
            at, length, digest = header["parts"][part]
            data = self._read(name, begin + at, begin + at + length) or b""
            if hashlib.sha256(data).hexdigest() != digest:
                raise Damaged(name)
        except Damaged as error:
            self.drop(name)
            says = f"{self.place}/{name}: expected what was written there, found other bytes; it is made again next time"
            raise UnavailableError("unavailable", says) from error
        return data

    def drop(self, name: str) -> None:
        """Removes a file."""
        remote = self._remote()
        if remote is not None:
            files, root = remote
            files.rm_file(f"{root}/{name}")
        else:
            Path(self.place, name).unlink(missing_ok=True)

    def salt(self) -> bytes:
        """Random bytes that stay the same for this folder, and that no operator knows."""
        found = self.meta("salt")
        if found is None:
            self.write("salt", {"salt": os.urandom(16).hex()}, {})
            found = self.meta("salt") or {}
        return bytes.fromhex(found["salt"])
