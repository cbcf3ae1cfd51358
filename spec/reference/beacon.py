"""Chains of a public beacon, the rounds that locks name, and their signatures (beacon.md).

Signatures are verified with the library py_ecc. Without it no chain is known to this program.
"""

import functools
import hashlib
import struct
import sys
from typing import NamedTuple, Optional

import canonical
import entry
from refused import Refused

MAX_FILE = 65_536
MAX_PERIOD = (1 << 32) - 1
MAX_GENESIS = 253_402_300_799  # 9999-12-31T23:59:59Z
SCHEME = "bls-unchained-g1-rfc9380"
NO_ID = "default"  # a beacon ID that counts as none
TAG = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"
CLOCKS = 5  # seconds, for the clocks of witnesses (section 33)


# 32: signatures


class _Library:
    """What is used of py_ecc."""

    def __init__(self) -> None:
        from py_ecc import optimized_bls12_381 as curve
        from py_ecc.bls import hash_to_curve, point_compression

        self.curve, self.compression, self.hashing = curve, point_compression, hash_to_curve

    def _checked(self, point, encoded, compress):
        """A point if it is allowed and its encoding canonical; raises ValueError if not."""
        if self.curve.is_inf(point):
            raise ValueError("the identity")
        if not self.curve.is_inf(self.curve.multiply(point, self.curve.curve_order)):
            raise ValueError("not in the subgroup of prime order")
        # The library refuses what is not canonical. Another version of it may be less strict.
        if compress(point) != encoded:
            raise ValueError("not canonical")
        return point

    def key(self, data: bytes):
        """The point of a key; raises any exception."""
        if len(data) != 96:
            raise ValueError("not 96 bytes")
        encoded = (int.from_bytes(data[:48], "big"), int.from_bytes(data[48:], "big"))
        point = self.compression.decompress_G2(encoded)
        return self._checked(point, encoded, self.compression.compress_G2)

    def signature(self, data: bytes):
        """The point of a signature; raises any exception."""
        if len(data) != 48:
            raise ValueError("not 48 bytes")
        encoded = int.from_bytes(data, "big")
        point = self.compression.decompress_G1(encoded)
        return self._checked(point, encoded, self.compression.compress_G1)

    def verifies(self, key: bytes, number: int, signature: bytes) -> bool:
        """Whether a signature of a round verifies; raises any exception."""
        message = hashlib.sha256(struct.pack(">Q", number)).digest()
        hashed = self.hashing.hash_to_G1(message, TAG, hashlib.sha256)
        curve = self.curve
        ours = curve.pairing(curve.G2, self.signature(signature), final_exponentiate=False)
        theirs = curve.pairing(self.key(key), curve.neg(hashed), final_exponentiate=False)
        return curve.final_exponentiate(ours * theirs) == curve.FQ12.one()


@functools.cache
def _library() -> Optional[_Library]:
    """The library, which takes seconds to load; None if it is not there, and then says so once."""
    try:
        return _Library()
    except ImportError as error:
        says = f"warning: beacons are not verified, because py_ecc cannot be loaded ({error})"
        print(" ".join(says.split()), file=sys.stderr)
        return None


def is_available() -> bool:
    """Whether signatures can be verified here."""
    return _library() is not None


@functools.cache
def is_key(data: bytes) -> bool:
    """Whether bytes are a key of a chain."""
    try:
        return _library().key(data) is not None
    except Exception:  # whatever the library raises, these bytes are no key
        return False


@functools.cache
def verifies(key: bytes, number: int, signature: bytes) -> bool:
    """Whether the signature of a round verifies under a key."""
    try:
        return _library().verifies(key, number, signature)
    except Exception:  # whatever the library raises, nothing was verified
        return False


# 30 and 31: chains, and the round of a lock


class Chain(NamedTuple):
    """A chain that a reader knows."""

    key: bytes
    group_hash: bytes
    genesis: int  # in seconds
    period: int
    beacon_id: str = ""

    def hash(self) -> bytes:
        """The chain's hash."""
        beacon_id = "" if self.beacon_id == NO_ID else self.beacon_id
        times = struct.pack(">Iq", self.period, self.genesis)
        data = times + self.key + self.group_hash + beacon_id.encode("utf-8")
        return hashlib.sha256(data).digest()

    def right_round(self, time: int, margin: int) -> Optional[int]:
        """The round that a lock of this time names; None if it cannot name the right one."""
        after, first = time + margin, 1000 * self.genesis
        if after > canonical.MAX_INTEGER:
            return None
        return 1 if after < first else (after - first) // (1000 * self.period) + 2

    def out_at(self, number: int) -> int:
        """T: the second at which a round is out."""
        return self.genesis + (number - 1) * self.period

    def verifies(self, number: int, signature: bytes) -> bool:
        """Whether the signature of a round verifies."""
        return verifies(self.key, number, signature)


QUICKNET = Chain(
    bytes.fromhex(
        "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c"
        "8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb"
        "5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
    ),
    bytes.fromhex("f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e"),
    1_692_803_367,
    3,
    "quicknet",
)
CHAINS = {QUICKNET.hash().hex(): QUICKNET}  # what each reader knows, by the hash


def with_further(further: list) -> dict:
    """What a reader knows who was given these chains; raises Refused for two of one key (30)."""
    chains = dict(CHAINS)
    for chain in further:
        others = {other.key for name, other in chains.items() if name != chain.hash().hex()}
        _require(chain.key not in others, "another chain that the reader knows has its public_key")
        chains[chain.hash().hex()] = chain
    return chains


def known(chains: dict, commit: dict) -> Optional[Chain]:
    """The chain of a commit, if the reader knows it."""
    chain = chains.get(commit["beacon"]["chain"]) if "beacon" in commit else None
    return chain if chain is not None and is_available() else None


def _require(holds: bool, says: str) -> None:
    if not holds:
        raise Refused("chain", says)


def parse(data: bytes) -> Chain:
    """A chain file; raises Refused."""
    _require(len(data) <= MAX_FILE, f"a chain file has at most {MAX_FILE} bytes, not {len(data)}")
    _require(not data.startswith(b"\xef\xbb\xbf"), "a chain file has no byte order mark")
    try:
        value = canonical.read(data)
    except canonical.NotJson as error:
        raise Refused("chain", str(error)) from None
    _require(isinstance(value, dict), "a chain file is a JSON object")
    # A scheme decides the form of all other members, so it is judged first.
    scheme = value.get("schemeID")
    shown = canonical.text_of(scheme)[:100]
    _require(scheme == SCHEME, f"schemeID is {shown}, expected {SCHEME!r}")
    for name, length in (("public_key", 96), ("groupHash", 32)):
        says = f"{name} is not {length} bytes in lowercase hexadecimal"
        _require(entry.is_hex(value.get(name), length), says)
    for name, most in (("period", MAX_PERIOD), ("genesis_time", MAX_GENESIS)):
        says = f"{name} is not an integer from 1 to {most}"
        _require(entry.is_integer(value.get(name), 1, most), says)
    metadata = value.get("metadata", {})
    _require(isinstance(metadata, dict), "metadata is not an object")
    beacon_id = metadata.get("beaconID", "")
    _require(isinstance(beacon_id, str), "metadata.beaconID is not text")
    key, group_hash = (bytes.fromhex(value[name]) for name in ("public_key", "groupHash"))
    chain = Chain(key, group_hash, value["genesis_time"], value["period"], beacon_id)
    given, made = value.get("hash"), chain.hash().hex()
    _require("hash" not in value or given == made, f"the members give the hash {made}, not its own")
    # Without the library, nobody can judge the key, and the chain is not known.
    _require(not is_available() or is_key(key), "public_key is no key of this scheme")
    return chain
