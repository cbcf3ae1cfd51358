"""Where a log's files come from: audit.md 13.1.

A log is an object with `name`, and with `read(path)`, which gives the bytes of one file by its path of ledger.md
10.2, or None where it is missing, and raises NotKnown where nobody could say.
"""

import os
from typing import Optional

import tlog
from refused import Refused


class NotKnown(Exception):
    """Nobody could say what a file holds, or whether there is one."""


class Folder:
    """A log's public folder, or that of an operator's ledger, which has it in `public`."""

    def __init__(self, path: str):
        inside = os.path.join(path, "public")
        self.name = inside if os.path.exists(os.path.join(inside, "checkpoint")) else path

    def read(self, path: str) -> Optional[bytes]:
        """One file's bytes; None where it is missing."""
        try:
            with open(os.path.join(self.name, path), "rb") as file:
                return file.read()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (OSError, ValueError) as error:
            says = getattr(error, "strerror", None) or error
            raise NotKnown(f"{self.name}/{path}: could not be read ({says})") from None


def read_log(path: str) -> tuple:
    """A log's files, and its checkpoint's bytes; raises NotKnown where there is no log."""
    files = Folder(path)
    note = files.read("checkpoint")
    if note is None:
        raise NotKnown(f"{files.name}/checkpoint: expected a log with a checkpoint, found none")
    return files, note


# audit.md 13.2: what stands in the place of what


def read_tile(files, tile: tlog.TilePath) -> tuple:
    """The bytes of a tile or bundle and the width that they have; raises Refused where it is missing."""
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
    """Whether a published hash tile holds these hashes; raises Refused."""
    path = tlog.tile_path(tile)
    data, width = read_tile(files, tile)
    if len(data) != 32 * width:
        raise Refused("tree-mismatch", f"{path}: a tile of {width} hashes has {32 * width} bytes, not {len(data)}")
    found = [data[at : at + 32] for at in range(0, 32 * tile.width, 32)]
    wrong = [n for n, (a, b) in enumerate(zip(found, hashes)) if a != b]
    if wrong:
        raise Refused("tree-mismatch", f"{path}: hash {wrong[0]} is not that of the entries")
