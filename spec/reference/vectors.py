"""Reads fixtures/vectors/*.json and checks every vector (the same files that other implementations read).

A vector has the inputs of one operation and either its output, or `error`:
the code with which the inputs are refused. A vector of unknown shape fails,
so that nothing passes unchecked.
"""

import json
import os

import beaconvectors
import contributions as brings
import deal
import ed25519
import entry
import layout
import tlog
import documentvectors
import rafflevectors
import witnessvectors
from refused import Refused
from documentvectors import Shape, expect, take


def _hex(value: str, code: str) -> bytes:
    if not entry.is_hex(value, len(value) // 2):
        raise Refused(code, f"{value!r} is not lowercase hexadecimal")
    return bytes.fromhex(value)


INPUTS = {"server_seed", "nonce", "contributions"}


def _inputs(vector: dict) -> deal.Inputs:
    clients = []
    for c in vector["contributions"]:
        if not {"from", "seed"} <= set(c) <= {"from", "seed", "seen"} or set(
            c.get("seen", {"size": 0, "root": 0})
        ) != {"size", "root"}:
            raise Shape(f"has a contribution of unknown shape: {json.dumps(c)}")
        seen = c.get("seen")
        clients.append(
            deal.Contribution(
                c["from"], c["seed"], seen and deal.Seen(seen["size"], bytes.fromhex(seen["root"]))
            )
        )
    drand = vector.get("drand")
    return deal.Inputs(
        _hex(vector["server_seed"], "server-seed"),
        vector["nonce"],
        clients,
        drand and bytes.fromhex(drand),
    )


def derivation(vector: dict) -> list:
    """derivation.json"""
    take(vector, INPUTS, {"commitment", "message", "key", "seal_key"}, frozenset({"drand"}))
    inputs = _inputs(vector)
    deal.check_inputs(inputs)
    return expect(
        vector,
        {
            "commitment": deal.commitment_of(inputs.server_seed).hex(),
            "message": deal.message(deal.DEAL_TAG, inputs).hex(),
            "key": deal.derive(deal.DEAL_TAG, inputs).hex(),
            "seal_key": deal.derive(deal.SEAL_TAG, inputs).hex(),
        },
    )


def below(vector: dict) -> list:
    """below.json"""
    take(vector, {"ways"}, {"words", "value", "drawn"}, frozenset({"words"}))
    words = iter(vector.get("words", []))
    drawn = 0

    def next_word() -> int:
        nonlocal drawn
        drawn += 1
        return next(words)

    try:
        value = deal.below(vector["ways"], next_word)
    except StopIteration:
        return ["the words ran out"]
    return expect(vector, {"value": value, "drawn": drawn})


def _dealt(vector: dict):
    """(inputs, deal, cards of the deck or None) for a vector of shuffles.json or seals.json."""
    if ("deck" in vector) == ("items" in vector):
        raise Shape("has not exactly one of deck and items")
    cards = deal.deck_cards(vector["deck"]) if "deck" in vector else None
    items = len(cards) if cards else vector["items"]
    inputs = _inputs(vector)
    return inputs, deal.replay(inputs, vector["method"], items, vector["draw"]), cards


DEALT = INPUTS | {"method", "draw"}
DEALT_OPTIONAL = frozenset({"drand", "deck", "items"})


def shuffles(vector: dict) -> list:
    """shuffles.json"""
    take(vector, DEALT, {"words", "rejected"}, DEALT_OPTIONAL | {"indices", "digest", "cards"})
    _, dealt, cards = _dealt(vector)
    found = {"words": dealt.words, "rejected": dealt.rejected}
    if len(dealt.indices) <= 1000:
        found["indices"] = dealt.indices
    else:
        found["digest"] = deal.digest_of(dealt.indices).hex()
    if cards:
        found["cards"] = "".join(cards[i] for i in dealt.indices)
    return expect(vector, found) + [
        f"has {n}, which this deal does not"
        for n in ("indices", "digest", "cards")
        if n in vector and n not in found
    ]


def seals(vector: dict) -> list:
    """seals.json"""
    take(vector, DEALT, {"seal", "card_seals", "salts"}, DEALT_OPTIONAL)
    inputs, dealt, _ = _dealt(vector)
    made = deal.seals(inputs, dealt.indices)
    return expect(
        vector,
        {
            "seal": made.seal.hex(),
            "card_seals": [s.hex() for s in made.card_seals],
            "salts": [s.hex() for s in made.salts],
        },
    )


def _text_or_hex(vector: dict, name: str) -> bytes:
    """The bytes of a vector's `name` or `name`_hex."""
    if (name in vector) == (name + "_hex" in vector):
        raise Shape(f"has not exactly one of {name} and {name}_hex")
    return vector[name].encode("utf-8") if name in vector else bytes.fromhex(vector[name + "_hex"])


def entries(vector: dict) -> list:
    """entries.json"""
    take(vector, set(), {"kind"}, frozenset({"entry", "entry_hex"}))
    return expect(vector, {"kind": entry.parse_entry(_text_or_hex(vector, "entry"))[0]})


def keys(vector: dict) -> list:
    """keys.json"""
    take(vector, {"vkey"}, {"key_name", "id", "public_key"})
    key = tlog.parse_key(vector["vkey"])
    printed = (
        [] if tlog.key_text(key) == vector["vkey"] else [f"prints back as {tlog.key_text(key)}"]
    )
    return printed + expect(
        vector, {"key_name": key.name, "id": key.id.hex(), "public_key": key.public.hex()}
    )


def notes(vector: dict) -> list:
    """notes.json"""
    take(vector, {"keys"}, {"text", "signatures", "verified"}, frozenset({"note", "note_hex"}))
    note = tlog.parse_note(_text_or_hex(vector, "note"))
    verified = tlog.open_note(note, [tlog.parse_key(k) for k in vector["keys"]])
    return expect(
        vector, {"text": note.text, "signatures": len(note.signatures), "verified": verified}
    )


def checkpoints(vector: dict) -> list:
    """checkpoints.json"""
    take(vector, {"text"}, {"origin", "size", "root", "extensions"})
    c = tlog.parse_checkpoint(vector["text"])
    return expect(
        vector,
        {"origin": c.origin, "size": str(c.size), "root": c.root.hex(), "extensions": c.extensions},
    )


def tiles(vector: dict) -> list:
    """tiles.json"""
    kind = vector.get("kind")
    if kind == "path":
        take(vector, {"kind", "path"}, {"level", "index", "width"})
        tile = tlog.parse_tile_path(vector["path"])
        return expect(vector, {"level": tile.level, "index": str(tile.index), "width": tile.width})
    if kind == "bundle":
        take(vector, {"kind", "bundle", "width"}, {"entries"})
        return expect(
            vector,
            {
                "entries": [
                    e.hex()
                    for e in tlog.parse_bundle(bytes.fromhex(vector["bundle"]), vector["width"])
                ]
            },
        )
    if kind == "hashes":
        take(vector, {"kind", "tile", "width"}, {"hashes"})
        tile = tlog.parse_tile(bytes.fromhex(vector["tile"]), vector["width"])
        return expect(vector, {"hashes": [h.hex() for h in tile]})
    if kind == "tree":
        take(vector, {"kind", "size"}, {"tiles", "counts"})
        partial, full = tlog.tree_tiles(int(vector["size"]))
        counts = {level: n for level, n in vector["counts"].items() if n}
        return expect(
            {**vector, "counts": counts, "tiles": sorted(vector["tiles"])},
            {"tiles": sorted(partial), "counts": {str(level): n for level, n in full.items() if n}},
        )
    raise Shape(f"has an unknown kind, {kind!r}")


def proofs(vector: dict) -> list:
    """proofs.json"""
    kind = vector.get("kind")
    if kind == "inclusion":
        take(vector, {"kind", "leaf_hash", "index", "size", "root", "proof"}, {"ok"})
        holds = tlog.verify_inclusion(
            bytes.fromhex(vector["leaf_hash"]),
            int(vector["index"]),
            int(vector["size"]),
            bytes.fromhex(vector["root"]),
            [bytes.fromhex(h) for h in vector["proof"]],
        )
    elif kind == "consistency":
        take(vector, {"kind", "old_size", "old_root", "size", "root", "proof"}, {"ok"})
        holds = tlog.verify_consistency(
            int(vector["old_size"]),
            bytes.fromhex(vector["old_root"]),
            int(vector["size"]),
            bytes.fromhex(vector["root"]),
            [bytes.fromhex(h) for h in vector["proof"]],
        )
    else:
        raise Shape(f"has an unknown kind, {kind!r}")
    if not holds:
        raise Refused("proof", "the proof does not hold")
    return expect(vector, {"ok": True})


def lists(vector: dict) -> list:
    """lists.json"""
    take(vector, {"list_hex", "deck"}, {"items"})
    data = bytes.fromhex(vector["list_hex"])
    items = deal.parse_list(data)
    if {"count": len(items), "sha256": deal.sha256(data).hex()} != vector["deck"]:
        raise Refused("list-mismatch", "the list is not the one that was dealt from")
    return expect(vector, {"items": items})


def signatures(vector: dict) -> list:
    """signatures.json"""
    take(vector, {"public_key", "message", "signature"}, {"ok"})
    if not ed25519.verify(
        *(bytes.fromhex(vector[name]) for name in ("public_key", "message", "signature"))
    ):
        raise Refused("signature", "the signature does not verify")
    return expect(vector, {"ok": True})


def contributions(vector: dict) -> list:
    """contributions.json"""
    inputs, c = {"log", "commitment", "nonce", "contribution"}, vector["contribution"]
    is_hash = "blind" in vector
    take(vector, inputs, {"hash"} if is_hash else {"message", "verifies"}, frozenset({"blind"}))
    entry.check_contribution(c)
    of = brings.round_of(tlog.parse_key(vector["log"]), vector["commitment"], vector["nonce"])
    if is_hash:
        return expect(vector, {"hash": brings.hash_of(of, c, vector["blind"], c["seed"])})
    found = {"message": brings.message_of(of, c).hex(), "verifies": brings.verifies(of, c)}
    return expect(vector, found)


def layouts(vector: dict) -> list:
    """layouts.json"""
    take(vector, {"layout", "draw", "seats"}, {"places"})
    entry.check_layout(vector["layout"])
    if not layout.has_room(vector["layout"], len(vector["seats"]), vector["draw"]):
        raise Refused("room", f"the layout has no room for {len(vector['seats'])} seats")
    places = layout.places(vector["layout"], vector["seats"])
    return expect(vector, {"places": places + [None] * (vector["draw"] - len(places))})


FILES = {
    f.__name__: f
    for f in (
        derivation,
        below,
        shuffles,
        seals,
        entries,
        keys,
        notes,
        checkpoints,
        tiles,
        proofs,
        documentvectors.receipts,
        documentvectors.several,
        documentvectors.evidence,
        documentvectors.exports,
        lists,
        signatures,
        contributions,
        layouts,
        witnessvectors.policy,
        witnessvectors.cosignature,
        witnessvectors.quorum,
        beaconvectors.beacon,
        rafflevectors.raffle_vector,
    )
}


def check(run, vector) -> list:
    """The faults of one vector; empty if there is none."""
    try:
        if not isinstance(vector, dict):
            raise Shape("is not an object")
        return run(vector)
    except Refused as refused:
        if vector.get("error") == refused.code:
            return []
        return [
            f"expected {'error ' + str(vector['error']) if 'error' in vector else 'no error'}, found error {refused.code}: {refused}"
        ]
    except Shape as shape:
        return [f"unknown shape: it {shape}"]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        return [f"unknown shape: {type(error).__name__}: {error}"]


def run(folder: str, say) -> bool:
    """Check every vector of every file; prints each failure and the count."""
    passed = failed = unchecked = 0
    for name, function in FILES.items():
        path = os.path.join(folder, name + ".json")
        try:
            with open(path, "rb") as file:
                content = json.loads(file.read().decode("utf-8"))
            if not isinstance(content, dict) or set(content) != {"about", "vectors"}:
                raise ValueError("expected an object of about and vectors")
            if not isinstance(content["vectors"], list) or not content["vectors"]:
                raise ValueError("expected an array of vectors, not empty")
        except (OSError, ValueError) as error:
            failed += 1
            say(f"FAILED {name}.json: {getattr(error, 'strerror', None) or error}")
            continue
        for i, vector in enumerate(content["vectors"]):
            try:
                wrong = check(function, vector)
            except beaconvectors.NotChecked:
                unchecked += 1
                continue
            if wrong:
                failed += 1
                label = vector.get("name") if isinstance(vector, dict) else None
                say(f"FAILED {name}.json: vectors[{i}] ({label}): {'; '.join(wrong)}")
            else:
                passed += 1
    for other in sorted(set(os.listdir(folder)) - {n + ".json" for n in FILES}):
        if other.endswith(".json"):
            say(f"not checked: {other} is of no format that is known here")
    if unchecked:
        say(f"not checked: {unchecked} vectors, without the library py_ecc")
    say(f"{passed} passed, {failed} failed")
    return failed == 0
