"""Small logs and receipts, which the built-in checks are about."""

import struct
from typing import Optional

import audit
import canonical
import contributions
import deal
import ed25519
import logfiles
import policy as policies
import receipt
import results
import tlog
from brought import Reader
from life import Life


def _key(seed: bytes) -> tlog.VerifierKey:
    name, public = "example.com/fairdeal", ed25519.public_key(seed)
    return tlog.VerifierKey(name, tlog.key_id(name, public), public)


SEED = bytes(range(32))
KEY = _key(SEED)
NEXT_KEY = _key(bytes(32))  # of a log of the same name
TIME = 1_767_225_600_000
REMEMBERED = {"from": "alice", "seed": "lucky"}


def bytes_of(value: dict) -> bytes:
    """An entry or a file as it is written."""
    return canonical.text_of(value).encode()


def leaf(value: dict) -> bytes:
    """The leaf hash of an entry."""
    return tlog.leaf_hash(bytes_of(value))


def server_seed(n: int) -> bytes:
    """The n-th seed."""
    return bytes([n]) * 32


def name_of(n: int) -> str:
    """The commitment of the n-th seed."""
    return deal.commitment_of(server_seed(n)).hex()


def commit(n: int, **changed) -> dict:
    """The commit of the n-th seed; a member changed to None is absent."""
    value = {
        "entry": "commit",
        "time": TIME,
        "commitment": name_of(n),
        "protocol": "fairdeal/v1",
        "origin": KEY.name,
        "table": "table-1",
        "method": "shuffle",
        "deck": "standard-52",
        "draw": 5,
        "sealed": False,
        "mixing": "seeds",
        "rounds": 3,
        "reveal_by": TIME + 1000,
        **changed,
    }
    return {name: v for name, v in value.items() if v is not None}


def dealt(commit: dict, n: int, nonce: int = 0, given=None, **more) -> dict:
    """The deal that the seeds give."""
    given = given or [{"from": "alice", "seed": "lucky"}]
    inputs = deal.Inputs(server_seed(n), nonce, [contributions.in_clear(c) for c in given])
    result = results.result_of(commit, inputs)
    value = {
        "contributions": given,
        "entry": "deal",
        "nonce": nonce,
        "result": result,
        "time": TIME,
        **more,
    }
    return {"commitment": commit["commitment"], **value}


def lock(n: int, nonce: int, given: list, **more) -> dict:
    """A lock under the n-th commitment."""
    lock = {"contributions": given, "entry": "lock", "nonce": nonce, "time": TIME, **more}
    return {"commitment": name_of(n), **lock}


def void(n: int, **more) -> dict:
    """A void under the n-th commitment; of a round if `nonce` is given."""
    return {"commitment": name_of(n), "entry": "void", "reason": "no more", "time": TIME, **more}


def reveal(n: int) -> dict:
    """The reveal of the n-th seed."""
    return {
        "commitment": name_of(n),
        "entry": "reveal",
        "server_seed": server_seed(n).hex(),
        "time": TIME,
    }


def witness(n: int) -> tuple:
    """The n-th witness: its seed, and its verifier key."""
    seed, name = bytes([100 + n]) * 32, f"w{n}.example"
    public = ed25519.public_key(seed)
    identity = tlog.key_id(name, public, tlog.WITNESS_KEY)
    return seed, tlog.VerifierKey(name, identity, public, tlog.WITNESS_KEY)


def policy(quorum: str = "group all 2 w1 w2 w3\nquorum all") -> policies.Policy:
    """A policy of three witnesses."""
    lines = [f"witness w{n} {tlog.key_text(witness(n)[1])}\n" for n in (1, 2, 3)]
    return policies.parse("".join([*lines, quorum]).encode())


def cosignature(n: int, second: int, size: int, root: bytes) -> str:
    """The n-th witness's line under a checkpoint of the log, without its newline."""
    seed, key = witness(n)
    text = tlog.checkpoint_text(KEY.name, size, root)
    signature = ed25519.sign(seed, f"cosignature/v1\ntime {second}\n{text}".encode())
    return f"\u2014 {key.name} {tlog.encode_base64(key.id + struct.pack('>Q', second) + signature)}"


def cosignatures(times: dict, size: int, root: bytes) -> list:
    """The lines of several witnesses, sorted; `times` has the second of each by its number."""
    return sorted(cosignature(n, second, size, root) for n, second in times.items())


def anchor(log: list, times: dict, size=None, **changed) -> dict:
    """The anchor of a log's first entries, or of all."""
    size = len(log) if size is None else size
    root = tlog.root_of([leaf(value) for value in log[:size]])
    lines = cosignatures(times, size, root)
    value = {"entry": "anchor", "time": TIME, "size": size, "root": root.hex()}
    return {**value, "cosignatures": lines, **changed}


def found(entries: list, excerpt: bool = False, policy=None) -> list:
    """(code, index) of each finding in a log, or in an excerpt given as (index, entry)."""
    life = Life(KEY, excerpt, policy=policy)
    places = entries if excerpt else enumerate(entries)
    return [
        (f.code, f.index) for index, value in places for f in life.apply(index, bytes_of(value))
    ]


def round_of(n: int, nonce: int) -> bytes:
    """A round of the log under the n-th commitment."""
    return contributions.round_of(KEY, name_of(n), nonce)


def signed(n: int, nonce: int, c: dict) -> dict:
    """A contribution under its own key."""
    player = bytes([200]) * 32
    message = contributions.message_of(round_of(n, nonce), c)
    signature = tlog.encode_base64(ed25519.sign(player, message))
    return {**c, "key": ed25519.public_key(player).hex(), "signature": signature}


def hashed(n: int, nonce: int, label: str, seed: str) -> dict:
    """A contribution as its player keeps it, with its hash and its round."""
    own = {"from": label, "seed": seed, "blind": "ab" * 32}
    own["hash"] = contributions.hash_of(round_of(n, nonce), own, own["blind"], seed)
    return {**own, "log": tlog.key_text(KEY), "commitment": name_of(n), "nonce": nonce}


def locked(own: dict) -> dict:
    """What the lock has of a contribution that its player hashed."""
    return {name: own[name] for name in ("from", "hash", "key", "signature") if name in own}


def answer(commit: dict, n: int, lock_index: int, mine: list) -> dict:
    """The deal that opens a lock of these hashed contributions."""
    clear = [{"from": own["from"], "seed": own["seed"]} for own in mine]
    value = dealt(commit, n, mine[0]["nonce"], clear, lock=lock_index)
    del value["contributions"]
    names = ("blind", "from", "seed")
    return {**value, "opened": [{name: own[name] for name in names} for own in mine]}


def seen(leaves: list, size: int) -> dict:
    """A signed `seen` of the log's first entries."""
    root = tlog.root_of(leaves[:size])
    signature = ed25519.sign(SEED, tlog.checkpoint_text(KEY.name, size, root).encode())
    return {"root": root.hex(), "signature": tlog.encode_base64(KEY.id + signature), "size": size}


def note(leaves: list, extension: str = "", times: Optional[dict] = None) -> str:
    """The signed checkpoint of a log, perhaps with an extension line, which none should have."""
    root = tlog.root_of(leaves)
    text = tlog.checkpoint_text(KEY.name, len(leaves), root) + extension
    signature = tlog.encode_base64(KEY.id + ed25519.sign(SEED, text.encode()))
    lines = [f"\u2014 {KEY.name} {signature}", *cosignatures(times or {}, len(leaves), root)]
    return "\n".join([text, *lines, ""])


def receipt_of(log: list, indices: list, times: Optional[dict] = None) -> dict:
    """A receipt of some of a log's entries."""
    leaves = [leaf(value) for value in log]

    def proof(index: int) -> list:
        return [tlog.encode_base64(h) for h in tlog.inclusion_path(leaves, index)]

    shown = [{"index": i, "entry": bytes_of(log[i]).decode(), "proof": proof(i)} for i in indices]
    checkpoint = note(leaves, times=times)
    return {"format": "fairdeal/receipt/v1", "entries": shown, "checkpoint": checkpoint}


def opening_of(receipt: dict, commit: dict, n: int, places: list) -> dict:
    """An opening of some cards of a sealed deal, which has the remembered contribution alone."""
    inputs = deal.Inputs(server_seed(n), 0, [contributions.in_clear(REMEMBERED)])
    items = deal.replay(inputs, commit["method"], 52, commit["draw"]).indices
    seals = deal.seals(inputs, items)
    opened = [{"t": t, "item": items[t], "salt": seals.salts[t].hex()} for t in places]
    return {
        "format": "fairdeal/opening/v1",
        "receipt": receipt,
        "card_seals": [seal.hex() for seal in seals.card_seals],
        "opened": opened,
    }


def export(log: list, times: Optional[dict] = None) -> bytes:
    """A log in one file (ledger.md 10.5)."""
    checkpoint = note([leaf(value) for value in log], times=times).encode()
    parts = [logfiles.EXPORT, struct.pack(">I", len(checkpoint)), checkpoint]
    entries = map(bytes_of, log)
    return b"".join([*parts, *(struct.pack(">H", len(data)) + data for data in entries)])


def audited(log: list, key: tlog.VerifierKey = KEY, times=None, **given) -> dict:
    """The verdict of an audit; `times` of the witnesses that cosigned the checkpoint."""
    file = logfiles.Export("the log", export(log, times))
    return audit.audit(file, key, audit.Inputs(**given)).to_json


def seen_of(log: list, size: int) -> dict:
    """The proved root of a log's first entries, as in a receipt's `seen`."""
    leaves = [leaf(value) for value in log]
    proof = [tlog.encode_base64(h) for h in tlog.consistency_path(leaves, size)]
    return {"size": size, "root": tlog.root_of(leaves[:size]).hex(), "proof": proof}


def evidence(files: list, mine=(), since=()) -> dict:
    """The evidence that a player's program writes."""
    return {
        "format": "fairdeal/evidence/v1",
        "key": "",
        "files": [{"name": "", "file": file} for file in files],
        "mine": list(mine),
        "since": list(since),
        "findings": [],
    }


def verdict(value: dict, reader: Reader = Reader()) -> dict:
    """The verdict on a receipt."""
    return receipt.verify(bytes_of(value), KEY, reader).to_json()


def codes(verdict: dict) -> list:
    """(code, index) of each finding in a verdict."""
    return [(f["code"], f.get("index")) for f in verdict["findings"]]
