"""Contributions as a log has them: ledger.md 8.3."""

import struct
from typing import Optional

import deal
import ed25519
import tlog
from refused import Refused

HASH_TAG = b"fairdeal/v1/contribution\x00"
SIGNATURE_TAG = b"fairdeal/v1/contribution-signature\x00"
MAX_NAME = 65535  # its length is a u16


def seen_of(contribution: dict) -> Optional[deal.Seen]:
    """The part of `seen` that is mixed."""
    seen = contribution.get("seen")
    return None if seen is None else deal.Seen(seen["size"], bytes.fromhex(seen["root"]))


def in_clear(contribution: dict, seed: Optional[str] = None) -> deal.Contribution:
    """A contribution as it is mixed; `seed` is the opened seed of a hashed contribution."""
    return deal.Contribution(
        contribution["from"], contribution["seed"] if seed is None else seed, seen_of(contribution)
    )


def _prefixed(text: str) -> bytes:
    """A text after its length."""
    data = text.encode()
    return struct.pack(">H", len(data)) + data


def round_of(log: tlog.VerifierKey, commitment: str, nonce: int) -> bytes:
    """The log and the round that a hash and a signature name."""
    if len(log.name.encode()) > MAX_NAME:
        raise Refused("key", f"no log has a name of over {MAX_NAME} bytes")
    return _prefixed(log.name) + log.public + bytes.fromhex(commitment) + struct.pack(">Q", nonce)


def hash_of(of: bytes, contribution: dict, blind: str, seed: str) -> str:
    """The hash that a player gives before the seed itself, in the round `of`."""
    message = HASH_TAG + of + _prefixed(contribution["from"]) + bytes.fromhex(blind)
    return deal.sha256(message + deal.encode(seed, seen_of(contribution))).hex()


def opens(of: bytes, hashed: dict, opened: dict) -> bool:
    """Whether one of `opened` gives the hash of the lock's contribution."""
    return hash_of(of, hashed, opened["blind"], opened["seed"]) == hashed["hash"]


def message_of(of: bytes, contribution: dict) -> bytes:
    """The message that a contribution's signature signs."""
    if "hash" in contribution:
        body = b"\x00" + bytes.fromhex(contribution["hash"])
    else:
        body = deal.encode(contribution["seed"], seen_of(contribution))
    return SIGNATURE_TAG + of + _prefixed(contribution["from"]) + body


def verifies(of: bytes, contribution: dict) -> bool:
    """Whether a contribution has a signature by its key."""
    return "signature" in contribution and ed25519.verify(
        bytes.fromhex(contribution["key"]),
        message_of(of, contribution),
        tlog.decode_base64(contribution["signature"]),
    )


def seen_is_signed(key: tlog.VerifierKey, seen: dict) -> bool:
    """Whether a `seen` carries a signature by the log."""
    signature = tlog.decode_base64(seen["signature"])
    text = tlog.checkpoint_text(key.name, seen["size"], bytes.fromhex(seen["root"]))
    return signature[:4] == key.id and ed25519.verify(key.public, text.encode(), signature[4:])
