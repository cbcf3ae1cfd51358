"""Built-in checks of the ledger's rules and of the audit (selftest.py runs them)."""

import struct

import audit
import contributions
import deal
import layout
import logfiles
import results
import selftestlogs as made
import tlog
from life import Life


def checks():
    """(name, found, expected)."""
    yield from _tables()
    yield from _excerpts()
    yield from _impossible()
    yield from _signatures()
    yield from _layouts()
    yield from _beacons()
    yield from _example()
    yield from _older()
    yield from _signed()
    yield from _counted()


def _tables():
    """One open commitment for each table."""
    first, second = made.commit(1), made.commit(2, after=made.name_of(1))
    yield "a commit while the one before is open", made.found([first, second]), [("out-of-turn", 1)]
    yield "and after its whole void", made.found([first, made.void(1), second]), []
    yield "and after its reveal", made.found([first, made.reveal(1), second]), []
    yield (
        "a void of a round uses the commitment",
        made.found([first, made.void(1, nonce=0), made.void(1)]),
        [("void-after-use", 2)],
    )
    yield (
        "which does not free its table",
        made.found([first, made.void(1, nonce=0), second]),
        [("out-of-turn", 2)],
    )
    one = made.commit(1, rounds=1)
    yield "but of the last round does", made.found([one, made.void(1, nonce=0), second]), []
    yield "another table is free", made.found([first, made.commit(2, table="table-2")]), []
    over = b'{"entry":"' + b"x" * 65535
    yield "over 65,535 bytes", [f.code for f in Life(made.KEY, False).apply(0, over)], [
        "invalid-entry"
    ]


def _excerpts():
    """The findings of an excerpt, and the violations that it cannot show."""
    commit, hashed = made.commit(1), [{"from": "alice", "hash": "00" * 32}]
    lock = made.lock(1, 0, hashed)
    yield "an answer that is left out", made.found(
        [(0, commit), (1, lock), (9, made.reveal(1))], True
    ), []
    later = made.dealt(commit, 1, 1)
    yield "and one before a later round", made.found([(0, commit), (1, lock), (9, later)], True), []
    yield "a second lock", made.found([(0, commit), (1, lock), (2, lock)], True), [
        ("open-round", 2)
    ]
    yield "a round twice", made.found([(0, commit), (1, later), (2, later)], True), [
        ("nonce-gap", 2)
    ]
    over, answer = made.void(1, nonce=3), made.void(1, nonce=0, blame="alice")
    log = [(0, commit), (1, lock), (8, over), (9, answer)]
    yield "a later round without effect", made.found(log, True), [("too-many-rounds", 8)]
    log[3] = (9, {**answer, "blame": "bob"})
    expected = [("too-many-rounds", 8), ("invalid-entry", 9)]
    yield "leaves the lock open", made.found(log, True), expected
    second = made.commit(2, after=made.name_of(1))
    yield (
        "a commitment left behind",
        made.found([(0, commit), (5, second), (6, later)], True),
        [("out-of-turn", 6)],
    )
    yield "its reveal may come late", made.found(
        [(0, commit), (5, second), (6, made.reveal(1))], True
    ), []
    third = made.commit(3, after=made.name_of(1))
    yield (
        "two after one",
        made.found([(0, commit), (5, second), (6, third)], True),
        [("out-of-turn", 6)],
    )
    yield (
        "a table's first that is not",
        made.found([(0, commit), (5, made.commit(2))], True),
        [("out-of-turn", 5)],
    )


def _impossible():
    """Results that no seeds give (8.5)."""
    commit = made.commit(1)
    for what, cards, wrong in (
        ("possible", "Td3h6d9d4c", False),
        ("a card too few", "Td3h6d9d", True),
        ("a card twice", "Td3h6d9dTd", True),
        ("a joker in the standard deck", "Td3h6d9dX1", True),
    ):
        result = {"cards": cards}
        yield what, bool(results.impossible(commit, result)), wrong
    cycle = made.commit(1, method="cycle", deck={"count": 4, "sha256": "00" * 32}, draw=4)
    yield "one cycle", results.impossible(cycle, {"indices": [1, 2, 3, 0]}), None
    yield "two cycles", bool(results.impossible(cycle, {"indices": [1, 0, 3, 2]})), True
    copies = made.commit(1, method="cycle", deck="standard-52x2", draw=104)
    cards = deal.DECKS["standard-52x2"]
    yield "copies that all stay", bool(results.impossible(copies, {"cards": "".join(cards)})), True
    turned = cards[1:52] + cards[:1] + cards[52:]
    yield (
        "copies of which one set goes round",
        results.impossible(copies, {"cards": "".join(turned)}),
        None,
    )
    dealt = made.dealt(commit, 1, result={"cards": "TdTdTdTdTd"})
    yield "found at once, and once", made.found([commit, dealt, made.reveal(1)]), [
        ("result-mismatch", 1)
    ]
    yield "opened cards that close a cycle", results.cycle_is_closed({0: 1, 1: 0}, 3), True
    yield "and those that may not", results.cycle_is_closed({0: 1, 1: 2}, 3), False


def _signatures():
    """Contributions under keys (8.3)."""
    commit, alice = made.commit(1, signed=True), made.signed(
        1, 0, {"from": "alice", "seed": "lucky"}
    )
    yield "a signed contribution", made.found(
        [commit, made.dealt(commit, 1, given=[alice]), made.reveal(1)]
    ), []
    yield "one that is not", made.found([commit, made.dealt(commit, 1)]), [("weak-mixing", 1)]
    other = made.found([commit, made.dealt(commit, 1, given=[{**alice, "seed": "other"}])])
    yield "one moved to another seed", other, [("contribution-signature", 1)]
    hashed = made.signed(1, 0, {"from": "alice", "hash": "11" * 32})
    yield "a signed hash", contributions.verifies(made.round_of(1, 0), hashed), True
    yield "and in another round", contributions.verifies(made.round_of(1, 1), hashed), False
    rotated = contributions.round_of(made.NEXT_KEY, made.name_of(1), 0)
    yield "and under the log's next key", contributions.verifies(rotated, hashed), False
    yield "false is not said", made.found([made.commit(1, signed=False)]), [("invalid-entry", 0)]


def _layouts():
    """Who gets which card (8.7)."""
    rule = {"hand": 2, "board": [3, 1], "burn": True}
    places = layout.places(rule, ["a", "b"])
    yield "the second card of the second seat", places[3], {"seat": "b", "card": 1}
    yield "then one is burnt", places[4:6], [{"burnt": 0}, {"street": 0}]
    yield "and nobody's", len(places), 10
    yield "no room", (layout.has_room(rule, 2, 10), layout.has_room(rule, 2, 9)), (True, False)
    commit = made.commit(1, layout=rule, draw=10)
    seats = {"seats": ["bob", "alice"]}
    yield "seats that hold who contributes", made.found(
        [commit, made.dealt(commit, 1, **seats)]
    ), []
    yield "no seats", made.found([commit, made.dealt(commit, 1)]), [("invalid-entry", 1)]
    more = {"seats": ["bob", "alice", "carol"]}
    yield "too many seats", made.found([commit, made.dealt(commit, 1, **more)]), [
        ("invalid-entry", 1)
    ]
    log = [commit, made.dealt(commit, 1, **seats), made.reveal(1)]
    verdict = made.verdict(made.receipt_of(log, [0, 1, 2]))
    yield "places in a verdict", verdict["placed"][1], {"t": 1, "seat": "alice", "card": 0}


def _beacons():
    """A deal of a chain that is not known is replayed with the signature that it claims."""
    commit = made.commit(1, mixing="beacon", beacon={"chain": "00" * 32, "margin": 0})
    lock, signature = {
        **made.lock(1, 0, [{"from": "alice", "seed": "lucky"}]),
        "beacon": 7,
    }, "ab" * 48
    clients = [deal.Contribution("alice", "lucky")]
    randomness = deal.sha256(bytes.fromhex(signature))
    result = results.result_of(commit, deal.Inputs(made.server_seed(1), 0, clients, randomness))
    dealt = {
        "beacon": signature,
        "commitment": made.name_of(1),
        "entry": "deal",
        "lock": 1,
        "nonce": 0,
    }
    dealt.update(result=result, time=made.TIME)
    log = [commit, lock, dealt, made.reveal(1)]
    yield "a beacon's deal", made.found(log), []
    yield (
        "is not shown as replayed",
        "replayed" in made.verdict(made.receipt_of(log, [0, 1, 2, 3]))["shown"],
        False,
    )
    log[2] = {**dealt, "beacon": "ac" * 48}
    yield "with another signature", made.found(log), [("result-mismatch", 2)]


def _example():
    """The three entries at the beginning of ledger.md, judged by audit.md from one file."""
    server_seed = bytes(range(32))
    name = deal.commitment_of(server_seed).hex()
    commit = made.commit(1, commitment=name, reveal_by=1767312000000, rounds=1000)
    dealt = {
        "commitment": name,
        "contributions": [made.REMEMBERED],
        "entry": "deal",
        "nonce": 0,
        "result": {"cards": "Td3h6d9d4c"},
        "time": made.TIME + 60_000,
    }
    reveal = {
        "commitment": name,
        "entry": "reveal",
        "server_seed": server_seed.hex(),
        "time": made.TIME + 120_000,
    }
    log = [commit, dealt, reveal]
    data = made.export(log)
    verdict = audit.audit(logfiles.Export("the example", data), made.KEY)
    yield (
        "the example of audit.md",
        verdict.text(),
        (
            '{"holds":true,"size":3,'
            '"root":"cf896c679db0f4a4e4dc20f49e43970fa1d7f9b42e69a65f1bbe45a53f231510",'
            '"commitments":1,"deals":1,"voids":0,"reveals":1,"not_judged":0,'
            '"last_time":1767225720000,'
            '"as_of":1767225720000,"clock":null,"overdue_by_clock":null,'
            '"unverified":{"beacons":0,"commitments":0,"signatures":0},"findings":[],"counts":{},'
            '"reported":{"rounds_per_commitment":{"1":1},"never_used":0,"ended_early":1,'
            '"voided_locks":0,"unanswered_locks":0,"unrevealed_deals":0,'
            '"commitments_per_table":{"1":1},'
            '"tables":{"table-1":{"commitments":1,"deals":1,"voided_rounds":0,"voided_locks":0,'
            '"voided_commitments":0}},'
            '"blamed":{},"reveal_delays":{"count":1,"shortest":120000,"longest":120000,'
            '"total":120000,"by_doubling":{"65536":1}},"weak_seeds":{},'
            '"seeds_not_told_apart":false,"rounds_without_committed_first":1,"beacon_rounds":0,'
            '"beacon_voids":0}}'
        ),
    )
    gap = made.audited([commit, {**dealt, "nonce": 1}, reveal])["findings"]
    expected = {
        "code": "nonce-gap",
        "class": "order",
        "index": 1,
        "commitment": name,
        "nonce": 1,
        "accuses": "operator",
        "says": "the next round is 0, found 1",
    }
    yield "the example that does not hold", gap, [expected]
    unsigned = made.export([commit, {**dealt, "nonce": 1}]).replace(b"2gm7", b"2gm8")
    found = audit.audit(logfiles.Export("unsigned", unsigned), made.KEY).to_json["findings"]
    told = [(f["code"], f["accuses"]) for f in found]
    expected = [("bad-signature", "nobody"), ("nonce-gap", "nobody")]
    yield "what nobody signed accuses nobody", told, expected
    ahead = made.audited(log, clock=made.TIME - 180_001)
    yield "a time ahead of the clock", made.codes(ahead), [("time-ahead", 2)]
    other = made.KEY._replace(
        name="other.example", id=tlog.key_id("other.example", made.KEY.public)
    )
    another = made.audited(log, key=other)
    yield (
        "another log's entries are not judged",
        (made.codes(another), another["size"]),
        ([("bad-signature", None)], 0),
    )
    try:
        logfiles.Export("cut", data[:-1])
        yield "a file that ends early", "read", "not read"
    except logfiles.NotKnown:
        yield "a file that ends early", "not read", "not read"


def _older():
    """Checkpoints that a reader saved, and what the reader's earlier audits missed (13)."""
    commit = made.commit(1)
    log = [commit, made.dealt(commit, 1), made.reveal(1)]
    larger, fork = [*log, made.commit(2, after=made.name_of(1))], [commit, made.void(1)]

    def since(entries: list) -> tuple:
        return (("saved", made.note([made.leaf(value) for value in entries]).encode()),)

    def found(**given) -> list:
        return [(f["code"], f["accuses"]) for f in made.audited(log, **given)["findings"]]

    yield "a part of the log", found(since=since(log[:2])), []
    yield "more than the log", found(since=since(larger)), [("rolled-back", "nobody")]
    yield "a fork", found(since=since(fork)), [("inconsistent", "operator")]
    for what, note in (
        ("a note with CRLF", since(log)[0][1].replace(b"\n", b"\r\n")),
        ("a note with a byte order mark", "\ufeff".encode() + since(log)[0][1]),
        ("no note", b""),
    ):
        try:
            made.audited(log, since=(("saved", note),))
            yield what, "a verdict", "no verdict"
        except logfiles.NotKnown:
            yield what, "no verdict", "no verdict"
    missed = ((made.name_of(1), made.TIME + 400_000),)
    yield "a reveal that was missed", found(missed=missed), [("late-reveal", "operator")]
    yield "another that was", found(missed=((made.name_of(2), made.TIME),)), []
    log[2]["time"] = commit["reveal_by"] + 1
    yield "and a late one is one finding", found(missed=missed), [("late-reveal", "operator")]


def _signed():
    """Whom findings accuse, in a log whose files or notes are not whole (13.2 and 13.4)."""
    commit = made.commit(1)
    log = [commit, made.dealt(commit, 1), made.reveal(1), made.reveal(1)]
    leaves = [made.leaf(value) for value in log]
    note, row = made.note(leaves), b"".join(leaves)
    last = note.splitlines()[-1]
    also_wrong = note + last[:-6] + ("A" if last[-6] != "A" else "B") + last[-5:] + "\n"
    bundle = b"".join(struct.pack(">H", len(d)) + d for d in map(made.bytes_of, log))
    whole = {"tile/entries/000.p/4": bundle, "tile/0/000.p/4": row}
    no_tile = {"tile/entries/000.p/4": bundle}
    same = made.note([made.leaf(value) for value in [*log[:3], commit]]).encode()
    older = made.note([made.leaf(value) for value in [commit, commit]]).encode()
    larger = made.note([*leaves, bytes(32)]).encode()
    missed = ((made.name_of(1), made.TIME + 400_000),)
    twice = ("after-reveal", "operator")
    by_nobody = ("after-reveal", "nobody")
    late = ("late-reveal", "operator")
    tree, unsigned = ("tree-mismatch", "writer"), ("bad-signature", "nobody")
    forked, back = ("inconsistent", "operator"), ("rolled-back", "nobody")
    for what, checkpoint, files, since, expected in (
        ("a whole log", note, whole, [], [late, twice]),
        ("a fork behind a missing hash tile", note, no_tile, [older], [tree, forked, late, twice]),
        ("a fork behind a missing bundle", note, {}, [same], [tree, forked]),
        ("and at another size", note, {}, [older], [tree]),
        ("a stale mirror", note, whole, [larger], [back, late, twice]),
        ("an extension line", made.note(leaves, "x\n"), whole, [same],
         [unsigned, forked, late, twice]),
        ("a second line that does not verify", also_wrong, whole, [], [unsigned, late, twice]),
        ("a log that nobody signed", note.replace("2gm7", "2gm8"), whole, [same],
         [unsigned, ("inconsistent", "nobody"), ("late-reveal", "nobody"), by_nobody]),
        ("entries of another root", made.note([*leaves[:3], bytes(32)]), whole, [],
         [tree, ("late-reveal", "nobody"), by_nobody]),
        ("and an older root", made.note([*leaves[:3], bytes(32)]), no_tile, [older],
         [tree, tree, ("late-reveal", "nobody"), by_nobody]),
    ):
        given = audit.Inputs(since=tuple(("saved", one) for one in since), missed=missed)
        verdict = audit.audit(_Files(checkpoint, files), made.KEY, given).to_json
        told = [(f["code"], f["accuses"]) for f in verdict["findings"]]
        yield what, sorted(told), sorted(expected)


class _Files:
    """A log's files by their paths."""

    def __init__(self, note: str, files: dict):
        self.note, self.read = note.encode(), files.get


def _counted():
    """What is reported and not judged (14)."""
    commit = made.commit(1, rounds=9)
    view = made.seen([made.leaf(commit)], 1)
    clear, saw = made.REMEMBERED, {**made.REMEMBERED, "seen": view}
    given = [clear, saw, made.signed(1, 2, clear), made.signed(1, 3, saw)]
    log = [commit]
    for nonce, c in enumerate(given):
        log.append(made.dealt(commit, 1, nonce, [c]))
    log += [made.lock(1, 4, [clear]), made.void(1, nonce=4), made.void(1, nonce=5)]
    reported = made.audited([*log, made.commit(2, table="table-2")])["reported"]
    yield "only a signed seen ties a seed", reported["rounds_without_committed_first"], 3
    yield "voids of locks in all", reported["voided_locks"], 1
    yield "commitments of each table", reported["commitments_per_table"], {"1": 2}
    used = {"commitments": 1, "deals": 4, "voided_rounds": 2, "voided_locks": 1}
    unused = {"commitments": 1, "deals": 0, "voided_rounds": 0, "voided_locks": 0}
    tables = {"table-1": used, "table-2": unused}
    expected = {name: {**of, "voided_commitments": 0} for name, of in tables.items()}
    yield "tables", reported["tables"], expected
