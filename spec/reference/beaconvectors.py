"""Vectors of beacon.md: beacon.json, of three kinds."""

import beacon as beacons
from documentvectors import expect, take
from refused import Refused


class NotChecked(Exception):
    """A vector needs the library py_ecc, which this machine does not have."""


def beacon(vector: dict) -> list:
    """A chain's file, the round of a lock, or a signature."""
    return {"chain": _chain, "round": _round, "signature": _signature}[vector["kind"]](vector)


def _chain(vector: dict) -> list:
    """The hash of a chain's file. Which fault is found first is not said: any error will do."""
    take(vector, {"kind", "file"}, {"hash"})
    try:
        found = beacons.parse(vector["file"].encode("utf-8"))
    except Refused:
        if "error" in vector:
            return []
        raise
    if "error" in vector and not beacons.is_available():
        raise NotChecked
    return expect(vector, {"hash": found.hash().hex()})


def _round(vector: dict) -> list:
    """The right round of a lock's time, and when it is out."""
    take({"name": None, **vector}, {"kind", "genesis", "period", "time", "margin"}, {"round", "out"})
    chain = beacons.Chain(b"", b"", vector["genesis"], vector["period"])
    number = chain.right_round(vector["time"], vector["margin"])
    return expect(vector, {"round": number, "out": number and chain.out_at(number)})


def _signature(vector: dict) -> list:
    """Whether the signature of a round verifies."""
    take(vector, {"kind", "public_key", "round", "signature"}, {"verifies"})
    if not beacons.is_available():
        raise NotChecked
    key, signature = (bytes.fromhex(vector[name]) for name in ("public_key", "signature"))
    return expect(vector, {"verifies": beacons.verifies(key, vector["round"], signature)})
