"""Reading a log's files: audit.md 13.1.

A log has a `name`, and its checkpoint in `note`. It is either a folder or an exported log.
A folder has `read(path)`, which returns the bytes of one file by its path of ledger.md 10.2, or
None if the file is missing, and raises NotKnown if it cannot find out. An exported log
(ledger.md 10.5) has all its `entries` and no tiles.
"""

import os
import struct
from typing import Optional

import tlog
from refused import Refused


class NotKnown(Exception):
    """A file that is needed is not known, or cannot be used: there is no verdict (13.1)."""


class Folder:
    """A log's public folder, or an operator's ledger with that folder in `public`."""

    def __init__(self, path: str):
        inside = os.path.join(path, "public")
        self.note = b""
        self.name = inside if os.path.exists(os.path.join(inside, "checkpoint")) else path

    def read(self, path: str) -> Optional[bytes]:
        """One file's bytes; None if it is missing."""
        try:
            with open(os.path.join(self.name, path), "rb") as file:
                return file.read()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (OSError, ValueError) as error:
            says = getattr(error, "strerror", None) or error
            raise NotKnown(f"{self.name}/{path}: could not be read ({says})") from None


EXPORT = b"fairdeal/export/v1\n"


class Export:
    """A log in one file; raises NotKnown if it is not one."""

    def __init__(self, name: str, data: bytes):
        self.name, self._data, self._at = name, data, len(EXPORT)
        if not data.startswith(EXPORT):
            raise NotKnown(
                f"{name}: expected an exported log, which begins with {EXPORT[:-1].decode()}"
            )
        length = self._number(">I", "the length of the checkpoint")
        if length > tlog.MAX_NOTE:
            raise NotKnown(f"{name}: its checkpoint has {length} bytes, over {tlog.MAX_NOTE}")
        self.note = self._take(length, "the checkpoint")
        try:
            size = tlog.parse_checkpoint(tlog.parse_note(self.note).text).size
        except Refused:
            size = 0  # without a valid checkpoint, no entries are promised (audit.md 13.2)
        self.entries: list = []
        while len(self.entries) < size:
            what = f"entry {len(self.entries)} of {size}"
            self.entries.append(self._take(self._number(">H", f"the length of {what}"), what))
        if self._at != len(data):
            raise NotKnown(f"{name}: {len(data) - self._at} bytes follow its {size} entries")

    def _take(self, length: int, what: str) -> bytes:
        if len(self._data) - self._at < length:
            raise NotKnown(
                f"{self.name}: it ends at byte {len(self._data)}, before the end of {what}"
            )
        self._at += length
        return self._data[self._at - length : self._at]

    def _number(self, form: str, what: str) -> int:
        return struct.unpack(form, self._take(struct.calcsize(form), what))[0]


def read_log(path: str):
    """A log's folder, or its exported file; raises NotKnown if there is no log."""
    if os.path.isfile(path):
        try:
            with open(path, "rb") as file:
                return Export(path, file.read())
        except OSError as error:
            raise NotKnown(f"{path}: could not be read ({error.strerror})") from None
    files = Folder(path)
    files.note = files.read("checkpoint")
    if files.note is None:
        raise NotKnown(f"{files.name}/checkpoint: expected a log with a checkpoint, found none")
    return files


def check_note(log) -> None:
    """Raises NotKnown if something else than a note is in the place of the checkpoint (13.1)."""
    try:
        tlog.parse_note(log.note)
    except Refused as refused:
        raise NotKnown(f"{log.name}: its checkpoint is not a note: {refused}") from None


def read_older(name: str, note: bytes, key: tlog.VerifierKey) -> tlog.Checkpoint:
    """A checkpoint that somebody saved (audit.md 13.1); raises NotKnown if it cannot be used."""
    checkpoint, wrong = tlog.open_checkpoint(note, key)
    if wrong:
        raise NotKnown(f"{name}: expected an older checkpoint of this log: {wrong}")
    return checkpoint


# audit.md 13.2: a full file in the place of a partial one


def read_tile(files, tile: tlog.TilePath) -> tuple:
    """The bytes of a tile or bundle, and their width; raises Refused if it is missing."""
    path = tlog.tile_path(tile)
    data = files.read(path)
    if data is not None:
        return data, tile.width
    full = tile._replace(width=256)
    data = files.read(tlog.tile_path(full))
    if data is None:
        raise Refused("tree-mismatch", f"{path}: the checkpoint promises it, and it is missing")
    return data, full.width


def read_bundle(files, index: int, size: int) -> list:
    """The entries that a tree of this size has in a bundle; raises Refused."""
    tile = tlog.TilePath("entries", index, min(256, size - 256 * index))
    data, width = read_tile(files, tile)
    try:
        return tlog.parse_bundle(data, width)[: tile.width]
    except Refused as refused:
        raise Refused("tree-mismatch", f"{tlog.tile_path(tile)}: {refused}") from None


def compare_tile(files, tile: tlog.TilePath, hashes: list) -> None:
    """Check that a published hash tile holds these hashes; raises Refused."""
    path = tlog.tile_path(tile)
    data, width = read_tile(files, tile)
    try:
        found = tlog.parse_tile(data, width)[: tile.width]
    except Refused as refused:
        raise Refused("tree-mismatch", f"{path}: {refused}") from None
    wrong = [n for n, (a, b) in enumerate(zip(found, hashes)) if a != b]
    if wrong:
        raise Refused("tree-mismatch", f"{path}: hash {wrong[0]} is not that of the entries")
