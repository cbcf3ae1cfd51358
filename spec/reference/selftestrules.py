"""Built-in checks of the ledger's rules, on small logs that are made here (selftest.py runs them)."""

import struct

import audit
import canonical
import contributions
import deal
import ed25519
import layout
import logfiles
import receipt
import results
import several
import tlog
from brought import Reader
from life import Life

SEED = bytes(range(32))
PUBLIC = ed25519.public_key(SEED)
KEY = tlog.VerifierKey("example.com/fairdeal", tlog.key_id("example.com/fairdeal", PUBLIC), PUBLIC)
TIME = 1_767_225_600_000


def _bytes(value: dict) -> bytes:
    return canonical.text_of(value).encode()


def _server_seed(n: int) -> bytes:
    return bytes([n]) * 32


def _name(n: int) -> str:
    return deal.commitment_of(_server_seed(n)).hex()


def _commit(n: int, **changed) -> dict:
    """The commit of the n-th seed; a member changed to None is absent."""
    value = {
        "entry": "commit",
        "time": TIME,
        "commitment": _name(n),
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


def _deal(commit: dict, n: int, nonce: int = 0, given=None, **more) -> dict:
    """The deal that the seeds give."""
    given = given or [{"from": "alice", "seed": "lucky"}]
    inputs = deal.Inputs(_server_seed(n), nonce, [contributions.in_clear(c) for c in given])
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


def _lock(n: int, nonce: int, given: list, **more) -> dict:
    lock = {"contributions": given, "entry": "lock", "nonce": nonce, "time": TIME, **more}
    return {"commitment": _name(n), **lock}


def _void(n: int, **more) -> dict:
    return {"commitment": _name(n), "entry": "void", "reason": "no more", "time": TIME, **more}


def _reveal(n: int) -> dict:
    return {
        "commitment": _name(n),
        "entry": "reveal",
        "server_seed": _server_seed(n).hex(),
        "time": TIME,
    }


def _found(entries: list, excerpt: bool = False) -> list:
    """(code, index) of each finding in a log, or in an excerpt given as (index, entry)."""
    life = Life(KEY, excerpt)
    places = entries if excerpt else enumerate(entries)
    return [(f.code, f.index) for index, value in places for f in life.apply(index, _bytes(value))]


def _signed(n: int, nonce: int, c: dict) -> dict:
    """A contribution under its own key."""
    player = bytes([200]) * 32
    message = contributions.message_of(KEY.name, _name(n), nonce, c)
    signature = tlog.encode_base64(ed25519.sign(player, message))
    return {**c, "key": ed25519.public_key(player).hex(), "signature": signature}


def _seen(leaves: list, size: int) -> dict:
    """A signed `seen` of the log's first entries."""
    root = tlog.root_of(leaves[:size])
    signature = ed25519.sign(SEED, tlog.checkpoint_text(KEY.name, size, root).encode())
    return {"root": root.hex(), "signature": tlog.encode_base64(KEY.id + signature), "size": size}


def _note(leaves: list) -> str:
    text = tlog.checkpoint_text(KEY.name, len(leaves), tlog.root_of(leaves))
    signature = tlog.encode_base64(KEY.id + ed25519.sign(SEED, text.encode()))
    return f"{text}\n\u2014 {KEY.name} {signature}\n"


def _receipt(log: list, indices: list) -> dict:
    """A receipt of some of a log's entries."""
    leaves = [tlog.leaf_hash(_bytes(value)) for value in log]

    def proof(index: int) -> list:
        return [tlog.encode_base64(h) for h in tlog.inclusion_path(leaves, index)]

    shown = [{"index": i, "entry": _bytes(log[i]).decode(), "proof": proof(i)} for i in indices]
    return {"format": "fairdeal/receipt/v1", "entries": shown, "checkpoint": _note(leaves)}


def _verdict(value: dict, reader: Reader = Reader()) -> dict:
    return receipt.verify(_bytes(value), KEY, reader).to_json()


def _codes(verdict: dict) -> list:
    return [(f["code"], f.get("index")) for f in verdict["findings"]]


def checks():
    """(name, found, expected)."""
    yield from _tables()
    yield from _excerpts()
    yield from _impossible()
    yield from _signatures()
    yield from _layouts()
    yield from _beacons()
    yield from _receipts()
    yield from _together()
    yield from _example()


def _tables():
    """One open commitment for each table."""
    first, second = _commit(1), _commit(2, after=_name(1))
    yield "a commit while the one before is open", _found([first, second]), [("out-of-turn", 1)]
    yield "and after its whole void", _found([first, _void(1), second]), []
    yield "and after its reveal", _found([first, _reveal(1), second]), []
    yield (
        "a void of a round uses the commitment",
        _found([first, _void(1, nonce=0), _void(1)]),
        [("void-after-use", 2)],
    )
    yield (
        "which does not free its table",
        _found([first, _void(1, nonce=0), second]),
        [("out-of-turn", 2)],
    )
    one = _commit(1, rounds=1)
    yield "but of the last round does", _found([one, _void(1, nonce=0), second]), []
    yield "another table is free", _found([first, _commit(2, table="table-2")]), []
    over = b'{"entry":"' + b"x" * 65535
    yield "over 65,535 bytes", [f.code for f in Life(KEY, False).apply(0, over)], ["invalid-entry"]


def _excerpts():
    """The findings of an excerpt, and the violations that it cannot show."""
    commit, hashed = _commit(1), [{"from": "alice", "hash": "00" * 32}]
    lock = _lock(1, 0, hashed)
    yield "an answer that is left out", _found([(0, commit), (1, lock), (9, _reveal(1))], True), []
    later = _deal(commit, 1, 1)
    yield "and one before a later round", _found([(0, commit), (1, lock), (9, later)], True), []
    yield "a second lock", _found([(0, commit), (1, lock), (2, lock)], True), [("open-round", 2)]
    yield "a round twice", _found([(0, commit), (1, later), (2, later)], True), [("nonce-gap", 2)]
    second = _commit(2, after=_name(1))
    yield (
        "a commitment left behind",
        _found([(0, commit), (5, second), (6, later)], True),
        [("out-of-turn", 6)],
    )
    yield "its reveal may come late", _found([(0, commit), (5, second), (6, _reveal(1))], True), []
    third = _commit(3, after=_name(1))
    yield (
        "two after one",
        _found([(0, commit), (5, second), (6, third)], True),
        [("out-of-turn", 6)],
    )
    yield (
        "a table's first that is not",
        _found([(0, commit), (5, _commit(2))], True),
        [("out-of-turn", 5)],
    )


def _impossible():
    """Results that no seeds give (8.5)."""
    commit = _commit(1)
    for what, cards, wrong in (
        ("possible", "Td3h6d9d4c", False),
        ("a card too few", "Td3h6d9d", True),
        ("a card twice", "Td3h6d9dTd", True),
        ("a joker in the standard deck", "Td3h6d9dX1", True),
    ):
        result = {"cards": cards}
        yield what, bool(results.impossible(commit, result)), wrong
    cycle = _commit(1, method="cycle", deck={"count": 4, "sha256": "00" * 32}, draw=4)
    yield "one cycle", results.impossible(cycle, {"indices": [1, 2, 3, 0]}), None
    yield "two cycles", bool(results.impossible(cycle, {"indices": [1, 0, 3, 2]})), True
    copies = _commit(1, method="cycle", deck="standard-52x2", draw=104)
    cards = deal.DECKS["standard-52x2"]
    yield "copies that all stay", bool(results.impossible(copies, {"cards": "".join(cards)})), True
    turned = cards[1:52] + cards[:1] + cards[52:]
    yield (
        "copies of which one set goes round",
        results.impossible(copies, {"cards": "".join(turned)}),
        None,
    )
    dealt = _deal(commit, 1, result={"cards": "TdTdTdTdTd"})
    yield "found at once, and once", _found([commit, dealt, _reveal(1)]), [("result-mismatch", 1)]
    yield "opened cards that close a cycle", results.cycle_is_closed({0: 1, 1: 0}, 3), True
    yield "and those that may not", results.cycle_is_closed({0: 1, 1: 2}, 3), False


def _signatures():
    """Contributions under keys (8.3)."""
    commit, alice = _commit(1, signed=True), _signed(1, 0, {"from": "alice", "seed": "lucky"})
    yield "a signed contribution", _found([commit, _deal(commit, 1, given=[alice]), _reveal(1)]), []
    yield "one that is not", _found([commit, _deal(commit, 1)]), [("weak-mixing", 1)]
    other = _found([commit, _deal(commit, 1, given=[{**alice, "seed": "other"}])])
    yield "one moved to another seed", other, [("contribution-signature", 1)]
    hashed = _signed(1, 0, {"from": "alice", "hash": "11" * 32})
    yield "a signed hash", contributions.verifies(KEY.name, _name(1), 0, hashed), True
    yield "and in another round", contributions.verifies(KEY.name, _name(1), 1, hashed), False
    yield "false is not said", _found([_commit(1, signed=False)]), [("invalid-entry", 0)]


def _layouts():
    """Who gets which card (8.7)."""
    rule = {"hand": 2, "board": [3, 1], "burn": True}
    places = layout.places(rule, ["a", "b"])
    yield "the second card of the second seat", places[3], {"seat": "b", "card": 1}
    yield "then one is burnt", places[4:6], [{"burnt": 0}, {"street": 0}]
    yield "and nobody's", len(places), 10
    yield "no room", (layout.has_room(rule, 2, 10), layout.has_room(rule, 2, 9)), (True, False)
    commit = _commit(1, layout=rule, draw=10)
    seats = {"seats": ["bob", "alice"]}
    yield "seats that hold who contributes", _found([commit, _deal(commit, 1, **seats)]), []
    yield "no seats", _found([commit, _deal(commit, 1)]), [("invalid-entry", 1)]
    more = {"seats": ["bob", "alice", "carol"]}
    yield "too many seats", _found([commit, _deal(commit, 1, **more)]), [("invalid-entry", 1)]
    log = [commit, _deal(commit, 1, **seats), _reveal(1)]
    verdict = _verdict(_receipt(log, [0, 1, 2]))
    yield "places in a verdict", verdict["placed"][1], {"t": 1, "seat": "alice", "card": 0}


def _beacons():
    """A deal with a beacon is replayed with the signature that it claims."""
    commit = _commit(1, mixing="beacon", beacon={"chain": "00" * 32, "margin": 0})
    lock, signature = {**_lock(1, 0, [{"from": "alice", "seed": "lucky"}]), "beacon": 7}, "ab" * 48
    clients = [deal.Contribution("alice", "lucky")]
    randomness = deal.sha256(bytes.fromhex(signature))
    result = results.result_of(commit, deal.Inputs(_server_seed(1), 0, clients, randomness))
    dealt = {"beacon": signature, "commitment": _name(1), "entry": "deal", "lock": 1, "nonce": 0}
    dealt.update(result=result, time=TIME)
    log = [commit, lock, dealt, _reveal(1)]
    yield "a beacon's deal", _found(log), []
    yield (
        "is not shown as replayed",
        "replayed" in _verdict(_receipt(log, [0, 1, 2, 3]))["shown"],
        False,
    )
    log[2] = {**dealt, "beacon": "ac" * 48}
    yield "with another signature", _found(log), [("result-mismatch", 2)]


def _receipts():
    """A reader's contributions, and `seen` checkpoints."""
    commit, alice = _commit(1), _signed(1, 0, {"from": "alice", "seed": "lucky"})
    log = [commit, _deal(commit, 1, given=[alice]), _reveal(1)]
    file, mine = _receipt(log, [0, 1, 2]), {"from": "alice", "seed": "lucky"}
    verdict = _verdict(file, Reader((mine,)))
    yield "what is yours", verdict["shown"], ["logged", "replayed", "yours", "authentic"]
    wrong = _verdict(file, Reader(({**mine, "seed": "other"},)))
    yield "what is not", _codes(wrong), [("contribution-mismatch", 1)]
    yield (
        "a player's key",
        _verdict(file, Reader((), {"alice": alice["key"]}))["shown"][-1],
        "authentic",
    )
    yield (
        "another's",
        _codes(_verdict(file, Reader((), {"alice": "00" * 32}))),
        [("contribution-mismatch", 1)],
    )
    leaves = [tlog.leaf_hash(_bytes(commit))]
    saw = {"from": "alice", "seed": "lucky", "seen": _seen(leaves, 1)}
    log = [commit, _deal(commit, 1, given=[saw]), _reveal(1)]
    leaves = [tlog.leaf_hash(_bytes(value)) for value in log]
    file = _receipt(log, [0, 1, 2])
    yield "a seen that nothing proves", _verdict(file)["committed_first"], []
    proof = [tlog.encode_base64(h) for h in (leaves[1], leaves[2])]
    file["seen"] = [{"size": 1, "root": leaves[0].hex(), "proof": proof}]
    yield "and one that is proved", _verdict(file)["committed_first"], ["alice"]
    file["seen"][0]["root"] = "00" * 32
    yield "and one that is not the log's", _codes(_verdict(file)), [("tree-mismatch", None)]
    yield "an array is no receipt", _codes(_verdict([file])), [("invalid-receipt", None)]


def _together():
    """Several receipts as one excerpt (11.6)."""
    commit, second = _commit(1), _commit(2, after=_name(1))
    log = [commit, second, _deal(commit, 1), _deal(second, 2)]
    files = [("a", _bytes(_receipt(log, [0, 2]))), ("b", _bytes(_receipt(log, [1, 3])))]
    found = several.verify(files, KEY)
    yield "each holds alone", [v.findings for v in found.verdicts], [[], []]
    yield "but not together", [(f.code, f.index) for f in found.findings], [("out-of-turn", 2)]
    fork = [commit, second, _deal(commit, 1), _deal(second, 2, 1)]
    files.append(("c", _bytes(_receipt(fork, [1, 3]))))
    found = several.verify(files, KEY)
    yield "a fork", [(f.code, f.index) for f in found.findings], [
        ("inconsistent", None),
        ("inconsistent", None),
        ("out-of-turn", 2),
    ]


def _example():
    """The three entries at the beginning of ledger.md, judged by audit.md from one file."""
    server_seed = bytes(range(32))
    name = deal.commitment_of(server_seed).hex()
    commit = _commit(1, commitment=name, reveal_by=1767312000000, rounds=1000)
    dealt = {
        "commitment": name,
        "contributions": [{"from": "alice", "seed": "lucky"}],
        "entry": "deal",
        "nonce": 0,
    }
    dealt.update(result={"cards": "Td3h6d9d4c"}, time=TIME + 60_000)
    reveal = {
        "commitment": name,
        "entry": "reveal",
        "server_seed": server_seed.hex(),
        "time": TIME + 120_000,
    }
    log = [_bytes(value) for value in (commit, dealt, reveal)]
    note = _note([tlog.leaf_hash(data) for data in log]).encode()
    parts = [logfiles.EXPORT, struct.pack(">I", len(note)), note]
    parts += [struct.pack(">H", len(data)) + data for data in log]
    verdict = audit.audit(logfiles.Export("the example", b"".join(parts)), KEY)
    yield (
        "the example of audit.md",
        verdict.text(),
        (
            '{"holds":true,"size":3,"root":"cf896c679db0f4a4e4dc20f49e43970fa1d7f9b42e69a65f1bbe45a53f231510",'
            '"commitments":1,"deals":1,"voids":0,"reveals":1,"not_judged":0,'
            '"as_of":1767225720000,"clock":null,"overdue_by_clock":null,'
            '"unverified":{"beacons":0,"commitments":0,"signatures":0},"findings":[],"counts":{},'
            '"reported":{"rounds_per_commitment":{"1":1},"never_used":0,"ended_early":1,'
            '"unanswered_locks":0,"unrevealed_deals":0,'
            '"tables":{"table-1":{"deals":1,"voided_rounds":0,"voided_locks":0,"voided_commitments":0}},'
            '"blamed":{},"reveal_delays":{"count":1,"shortest":120000,"longest":120000,"total":120000,'
            '"by_doubling":{"65536":1}},"weak_seeds":{},"seeds_not_told_apart":false,'
            '"rounds_without_committed_first":1,"beacon_rounds":0}}'
        ),
    )
    ahead = audit.audit(
        logfiles.Export("the example", b"".join(parts)), KEY, audit.Inputs(clock=TIME - 180_001)
    )
    yield (
        "a time ahead of the clock",
        [(f["code"], f["index"]) for f in ahead.to_json["findings"]],
        [("time-ahead", 2)],
    )
    other = KEY._replace(name="other.example", id=tlog.key_id("other.example", PUBLIC))
    another = audit.audit(
        logfiles.Export("the example", b"".join(parts)),
        other,
        audit.Inputs(since=(("saved", note),)),
    )
    found = [(f["code"], f["index"]) for f in another.to_json["findings"]]
    yield (
        "another log's entries are not judged",
        (found, another.to_json["size"]),
        ([("bad-signature", None)], 0),
    )
    try:
        logfiles.Export("cut", b"".join(parts)[:-1])
        yield "a file that ends early", "read", "not read"
    except logfiles.NotKnown:
        yield "a file that ends early", "not read", "not read"
