"""The transparency log's formats: trees, proofs, tiles, notes, keys (ledger.md 10).

This module does not depend on cards.
"""

import base64
import binascii
import hashlib
import re
import struct
import unicodedata
from typing import NamedTuple, Optional

import ed25519
from refused import Refused

MAX_SIZE = (1 << 63) - 1


def decode_base64(text: str) -> bytes:
    """Standard base64, padded, unused bits zero; raises ValueError."""
    try:
        data = base64.b64decode(text.encode("ascii"), validate=True)
    except (UnicodeEncodeError, binascii.Error):
        raise ValueError("not base64") from None
    if base64.b64encode(data).decode() != text:
        raise ValueError("not base64 as it is encoded")
    return data


def encode_base64(data: bytes) -> str:
    """Standard base64, padded."""
    return base64.b64encode(data).decode("ascii")


# 10.1: the tree


def leaf_hash(entry: bytes) -> bytes:
    """SHA-256(0x00 || entry)."""
    return hashlib.sha256(b"\x00" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """SHA-256(0x01 || left || right)."""
    return hashlib.sha256(b"\x01" + left + right).digest()


EMPTY_ROOT = hashlib.sha256(b"").digest()


def root_of(leaves: list) -> bytes:
    """The root over leaf hashes (RFC 9162, 2.1.1)."""
    if not leaves:
        return EMPTY_ROOT
    if len(leaves) == 1:
        return leaves[0]
    split = 1 << (len(leaves) - 1).bit_length() - 1  # the largest power of two below the size
    return node_hash(root_of(leaves[:split]), root_of(leaves[split:]))


class Roots:
    """The root at each size of a tree that grows: a hostile log asks for very many of them."""

    def __init__(self) -> None:
        self.at = [EMPTY_ROOT]
        self._full: list = []  # the roots of the full subtrees, the largest first

    def append(self, leaf: bytes) -> None:
        """Add one leaf."""
        size = len(self.at)
        while not size & 1:
            leaf, size = node_hash(self._full.pop(), leaf), size >> 1
        self._full.append(leaf)
        root = leaf
        for left in reversed(self._full[:-1]):
            root = node_hash(left, root)
        self.at.append(root)


def inclusion_path(leaves: list, index: int) -> list:
    """The inclusion proof of one leaf (RFC 9162, 2.1.3.1)."""
    if len(leaves) == 1:
        return []
    split = 1 << (len(leaves) - 1).bit_length() - 1
    if index < split:
        return inclusion_path(leaves[:split], index) + [root_of(leaves[split:])]
    return inclusion_path(leaves[split:], index - split) + [root_of(leaves[:split])]


def consistency_path(leaves: list, size: int) -> list:
    """The consistency proof from a size to all leaves (RFC 9162, 2.1.4.1)."""

    def subproof(leaves: list, size: int, is_whole: bool) -> list:
        if size == len(leaves):
            return [] if is_whole else [root_of(leaves)]
        split = 1 << (len(leaves) - 1).bit_length() - 1
        if size <= split:
            return subproof(leaves[:split], size, is_whole) + [root_of(leaves[split:])]
        return subproof(leaves[split:], size - split, False) + [root_of(leaves[:split])]

    return subproof(leaves, size, True)


def verify_inclusion(leaf: bytes, index: int, size: int, root: bytes, proof: list) -> bool:
    """RFC 9162, 2.1.3.2."""
    if not 0 <= index < size <= MAX_SIZE:
        return False
    f, s, r = index, size - 1, leaf
    for p in proof:
        if s == 0:
            return False
        if f & 1 or f == s:
            r = node_hash(p, r)
            while not f & 1 and f:
                f, s = f >> 1, s >> 1
        else:
            r = node_hash(r, p)
        f, s = f >> 1, s >> 1
    return s == 0 and r == root


def verify_consistency(old_size: int, old_root: bytes, size: int, root: bytes, proof: list) -> bool:
    """RFC 9162, 2.1.4.2; from size 0 or between equal sizes the proof is empty."""
    if not 0 <= old_size <= size <= MAX_SIZE:
        return False
    if old_size == 0 or old_size == size:
        return (
            not proof
            and old_root == (EMPTY_ROOT if old_size == 0 else root)
            and (size > 0 or root == EMPTY_ROOT)
        )
    proof = list(proof)
    if old_size & (old_size - 1) == 0:
        proof.insert(0, old_root)
    if not proof:
        return False
    f, s = old_size - 1, size - 1
    while f & 1:
        f, s = f >> 1, s >> 1
    fr = sr = proof[0]
    for p in proof[1:]:
        if s == 0:
            return False
        if f & 1 or f == s:
            fr, sr = node_hash(p, fr), node_hash(p, sr)
            while not f & 1 and f:
                f, s = f >> 1, s >> 1
        else:
            sr = node_hash(sr, p)
        f, s = f >> 1, s >> 1
    return s == 0 and fr == old_root and sr == root


# 10.2: tiles

_PATH = re.compile(
    r"tile/(entries|0|[1-9][0-9]?)/((?:x[0-9]{3}/)*)([0-9]{3})(?:\.p/([1-9][0-9]{0,2}))?", re.ASCII
)


class TilePath(NamedTuple):
    """The tile or entry bundle that a path names."""

    level: object  # an int, or "entries"
    index: int
    width: int  # 256 when full


def tile_path(tile: TilePath) -> str:
    """A tile's path."""
    rest, last = divmod(tile.index, 1000)
    index = f"{last:03d}"
    while rest:
        rest, part = divmod(rest, 1000)
        index = f"x{part:03d}/{index}"
    return f"tile/{tile.level}/{index}" + (f".p/{tile.width}" if tile.width < 256 else "")


def parse_tile_path(text: str) -> TilePath:
    """The tile that a path names; a path that parses is printed unchanged."""
    match = _PATH.fullmatch(text)
    if match:
        level = "entries" if match[1] == "entries" else int(match[1])
        tile = TilePath(
            level, int(match[2].replace("x", "").replace("/", "") + match[3]), int(match[4] or 256)
        )
        fits = (
            (level == "entries" or level <= 63)
            and tile.index <= MAX_SIZE
            and (match[4] is None or tile.width <= 255)
        )
        if fits and tile_path(tile) == text:
            return tile
    raise Refused("tile-path", f"expected tile/<level>/<index>[.p/<width>], found {text!r}")


def parse_bundle(data: bytes, width: int) -> list:
    """The entries of a bundle of exactly `width`."""
    if not 1 <= width <= 256:
        raise Refused("bundle", f"a bundle has 1 to 256 entries, not {width}")
    entries, at = [], 0
    for n in range(width):
        if len(data) - at < 2:
            raise Refused("bundle", f"ends at byte {at}, before the length of entry {n} of {width}")
        length = struct.unpack_from(">H", data, at)[0]
        if len(data) - at - 2 < length:
            raise Refused("bundle", f"ends inside entry {n} of {width}, which has {length} bytes")
        entries.append(data[at + 2 : at + 2 + length])
        at += 2 + length
    if at != len(data):
        raise Refused("bundle", f"{len(data) - at} bytes follow its {width} entries")
    return entries


def parse_tile(data: bytes, width: int) -> list:
    """The hashes of a tile of exactly `width`."""
    if not 1 <= width <= 256 or len(data) != 32 * width:
        raise Refused("tile", f"a tile of {width} hashes has {32 * width} bytes, not {len(data)}")
    return [data[at : at + 32] for at in range(0, len(data), 32)]


def tile_rows(leaves: list) -> list:
    """The hashes of the tiles of each level, from level 0 up."""
    rows = []
    while leaves:
        rows.append(leaves)
        leaves = [root_of(leaves[at : at + 256]) for at in range(0, len(leaves) // 256 * 256, 256)]
    return rows


def tree_tiles(size: int):
    """The paths of a tree's partial tiles and bundle, and how many full ones each level has."""
    partial, full, level = [], {"entries": size // 256}, 0
    while size:
        full[level] = size // 256
        if size % 256:
            partial += [
                tile_path(TilePath(of, size // 256, size % 256))
                for of in ([0, "entries"] if level == 0 else [level])
            ]
        size, level = size // 256, level + 1
    return partial, full


# 10.3: notes and keys

WHITE_SPACE = set(
    map(
        chr,
        [
            *range(0x09, 0x0E),
            0x20,
            0x85,
            0xA0,
            0x1680,
            *range(0x2000, 0x200B),
            0x2028,
            0x2029,
            0x202F,
            0x205F,
            0x3000,
        ],
    )
)
MAX_NOTE = 1_000_000
MAX_SIGNATURES = 100


def is_name(text: str) -> bool:
    """A legal key name: not empty, no white space, plus or control character."""
    return text != "" and not any(
        c in WHITE_SPACE or c == "+" or unicodedata.category(c) in ("Cc", "Cs") for c in text
    )


LOG_KEY = 1  # the type of a key that signs the text of a note
WITNESS_KEY = 4  # the type of a key that cosigns checkpoints (witness.md 24.2)


class VerifierKey(NamedTuple):
    """A signer's name and Ed25519 public key."""

    name: str
    id: bytes
    public: bytes
    kind: int = LOG_KEY


def key_id(name: str, public: bytes, kind: int = LOG_KEY) -> bytes:
    """The first four bytes of SHA-256(name || newline || type || key)."""
    return hashlib.sha256(name.encode() + b"\n" + bytes([kind]) + public).digest()[:4]


def parse_key(text: str, kind: int = LOG_KEY) -> VerifierKey:
    """A verifier key of one type: name+id+base64(type || key)."""
    if text.startswith("PRIVATE+KEY+"):
        raise Refused(
            "key", "this is a signing key, which must stay secret; expected its verifier key"
        )
    parts = text.split("+", 2)
    if len(parts) != 3:
        raise Refused(
            "key", f"a verifier key is name+id+base64, not a text of {len(text)} characters"
        )
    name, identity, encoded = parts
    if not is_name(name):
        raise Refused(
            "key",
            f"{name!r} is not a key name: it is empty or has white space or control characters",
        )
    try:
        data = decode_base64(encoded)
    except ValueError:
        raise Refused("key", "what follows the key's ID is not base64") from None
    if len(data) != 33 or data[0] != kind:
        raise Refused("key", f"a key is 0x{kind:02x} and 32 bytes of Ed25519 public key")
    key = VerifierKey(name, key_id(name, data[1:], kind), data[1:], kind)
    if key.id.hex() != identity:
        raise Refused("key", f"the ID of this name and key is {key.id.hex()}, not {identity!r}")
    if not ed25519.is_public_key(key.public):
        raise Refused("key", "its 32 bytes are not an Ed25519 public key, or one of small order")
    return key


def key_text(key: VerifierKey) -> str:
    """A verifier key as text."""
    return key.name + "+" + key.id.hex() + "+" + encode_base64(bytes([key.kind]) + key.public)


class Note(NamedTuple):
    """A note's text and its signatures: (name, key ID, signature)."""

    text: str
    signatures: list


def parse_note(data: bytes) -> Note:
    """A signed note, nothing verified."""

    def refuse(says: str):
        raise Refused("note-malformed", says)

    if len(data) > MAX_NOTE:
        refuse(f"a note has at most {MAX_NOTE} bytes, not {len(data)}")
    try:
        whole = data.decode("utf-8")
    except UnicodeDecodeError as error:
        refuse(f"byte {error.start} of the note is not UTF-8")
    if any(c < " " and c != "\n" for c in whole):
        refuse("the note has a character under U+0020 other than newline")
    split = whole.rfind("\n\n")
    if split < 0 or not whole.endswith("\n") or split + 2 == len(whole):
        refuse("a note is text, an empty line, and signature lines that end in a newline")
    lines = whole[split + 2 : -1].split("\n")
    if len(lines) > MAX_SIGNATURES:
        refuse(f"a note has at most {MAX_SIGNATURES} signatures, not {len(lines)}")
    signatures = []
    for line in lines:
        name, space, encoded = line[2:].partition(" ")
        try:
            signature = decode_base64(encoded)
        except ValueError:
            signature = b""
        if not line.startswith("\u2014 ") or not space or not is_name(name) or len(signature) < 5:
            refuse(f"expected a signature line, found {line[:80]!r}")
        signatures.append((name, signature[:4], signature[4:]))
    return Note(whole[: split + 1], signatures)


def open_note(note: Note, keys: list) -> list:
    """The names of the keys that signed: at least one, and none with a wrong signature."""
    verified = []
    for name, identity, signature in note.signatures:
        for key in keys:
            if (key.name, key.id) == (name, identity):
                if not ed25519.verify(key.public, note.text.encode(), signature):
                    raise Refused("note-unverified", f"the signature by {name} does not verify")
                if key not in verified:
                    verified.append(key)
    if not verified:
        raise Refused("note-unverified", "no signature is by a known key")
    return [key.name for key in verified]


# 10.4: checkpoints


class Checkpoint(NamedTuple):
    """The head of a log."""

    origin: str
    size: int
    root: bytes
    extensions: list


def parse_checkpoint(text: str) -> Checkpoint:
    """The text of a checkpoint's note."""

    def refuse(says: str):
        raise Refused("checkpoint-malformed", says)

    lines = text.split("\n")
    if len(lines) < 4 or lines.pop() != "":
        refuse("a checkpoint is three lines or more, each ended by a newline")
    if "" in lines:
        refuse(f"line {lines.index('') + 1} of the checkpoint is empty")
    origin, size, root, *extensions = lines
    if not re.fullmatch(r"0|[1-9][0-9]{0,18}", size, re.ASCII) or int(size) > MAX_SIZE:
        refuse(f"a tree size is 0 to 2^63-1 in decimal, not {size[:40]!r}")
    try:
        root = decode_base64(root)
    except ValueError:
        refuse("the root is not base64")
    if len(root) != 32:
        refuse(f"a root is 32 bytes, not {len(root)}")
    if size == "0" and root != EMPTY_ROOT:
        refuse("the root of size 0 is SHA-256 of nothing")
    return Checkpoint(origin, int(size), root, extensions)


def checkpoint_text(origin: str, size: int, root: bytes) -> str:
    """The text that a checkpoint's signature signs."""
    return f"{origin}\n{size}\n{encode_base64(root)}\n"


def another_log(data: bytes, key: VerifierKey) -> Optional[str]:
    """If a checkpoint is another log's (audit.md 13.2, step 1): that log's and the key's names."""
    try:
        note = parse_note(data)
        origin = parse_checkpoint(note.text).origin
    except Refused:
        return None
    if origin == key.name:
        return None
    try:
        open_note(note, [key])
        return None
    except Refused:
        own = [
            f"{name}+{identity.hex()}" for name, identity, _ in note.signatures if name == origin
        ]
        return f"this log is {(own or [repr(origin)])[0]}, the key is {key.name}+{key.id.hex()}"


def signs_root(data: bytes, key: VerifierKey) -> bool:
    """Whether a key signed a checkpoint's root, whatever else is in the note (audit.md 13.4)."""
    try:
        note = parse_note(data)
        is_own = parse_checkpoint(note.text).origin == key.name
    except Refused:
        return False
    return is_own and any(
        (name, identity) == (key.name, key.id)
        and ed25519.verify(key.public, note.text.encode(), signature)
        for name, identity, signature in note.signatures
    )


def open_checkpoint(data: bytes, key: VerifierKey) -> tuple:
    """A log's checkpoint if it can be read, signed or not, and its fault, if it has one."""
    checkpoint = None
    try:
        note = parse_note(data)
        checkpoint = parse_checkpoint(note.text)
        open_note(note, [key])
        if checkpoint.origin != key.name:
            raise Refused(
                "bad-signature",
                f"the checkpoint's origin is {checkpoint.origin!r}, the key's name {key.name!r}",
            )
        if checkpoint.extensions:
            raise Refused("bad-signature", "the checkpoint has extension lines")
    except Refused as refused:
        return checkpoint, str(refused)
    return checkpoint, None
