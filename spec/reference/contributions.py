"""Contributions as a log has them: ledger.md 8.3."""

import struct
from typing import Optional

import deal
import ed25519
import tlog

HASH_TAG = b"fairdeal/v1/contribution\x00"
SIGNATURE_TAG = b"fairdeal/v1/contribution-signature\x00"


def seen_of(contribution: dict) -> Optional[deal.Seen]:
    """The part of `seen` that is mixed."""
    seen = contribution.get("seen")
    return None if seen is None else deal.Seen(seen["size"], bytes.fromhex(seen["root"]))


def in_clear(contribution: dict, seed: Optional[str] = None) -> deal.Contribution:
    """A contribution as it is mixed; `seed` is the opened seed of a hashed contribution."""
    return deal.Contribution(
        contribution["from"], contribution["seed"] if seed is None else seed, seen_of(contribution)
    )


def hash_of(
    commitment: str, nonce: int, label: str, blind: str, seed: str, seen: Optional[deal.Seen]
) -> str:
    """The hash that a player gives before the seed itself."""
    name = label.encode()
    message = HASH_TAG + bytes.fromhex(commitment) + struct.pack(">QH", nonce, len(name)) + name
    return deal.sha256(message + bytes.fromhex(blind) + deal.encode(seed, seen)).hex()


def opens(commitment: str, nonce: int, hashed: dict, opened: dict) -> bool:
    """Whether one of `opened` gives the hash of the lock's contribution."""
    made = hash_of(
        commitment, nonce, hashed["from"], opened["blind"], opened["seed"], seen_of(hashed)
    )
    return made == hashed["hash"]


def message_of(origin: str, commitment: str, nonce: int, contribution: dict) -> bytes:
    """The message that a contribution's signature signs."""
    place, name = origin.encode(), contribution["from"].encode()
    if "hash" in contribution:
        body = b"\x00" + bytes.fromhex(contribution["hash"])
    else:
        body = deal.encode(contribution["seed"], seen_of(contribution))
    return (
        SIGNATURE_TAG
        + struct.pack(">H", len(place))
        + place
        + bytes.fromhex(commitment)
        + struct.pack(">QH", nonce, len(name))
        + name
        + body
    )


def verifies(origin: str, commitment: str, nonce: int, contribution: dict) -> bool:
    """Whether a contribution has a signature by its key."""
    return "signature" in contribution and ed25519.verify(
        bytes.fromhex(contribution["key"]),
        message_of(origin, commitment, nonce, contribution),
        tlog.decode_base64(contribution["signature"]),
    )


def seen_is_signed(key: tlog.VerifierKey, seen: dict) -> bool:
    """Whether a `seen` carries a signature by the log."""
    signature = tlog.decode_base64(seen["signature"])
    text = tlog.checkpoint_text(key.name, seen["size"], bytes.fromhex(seen["root"]))
    return signature[:4] == key.id and ed25519.verify(key.public, text.encode(), signature[4:])
