"""Built-in checks of receipts, alone and together (selftest.py runs them)."""

import brought
import canonical
import deal
import logfiles
import logs
import receipt
import selftestlogs as made
import several
import tlog
from brought import Reader
from life import Life
from refused import Refused
from several import Given


def checks():
    """(name, found, expected)."""
    yield from _kept()
    yield from _kept_locks()
    yield from _compared()
    yield from _left_out()
    yield from _openings()
    yield from _states()
    yield from _receipts()
    yield from _together()
    yield from _evidence()
    yield from _numbers()
    yield from _saved_view()


def _kept():
    """A contribution that a reader kept in a file (11.8)."""
    own = made.hashed(1, 0, "alice", "lucky")
    signed = made.signed(1, 0, own)
    bare = made.REMEMBERED
    of = {name: own[name] for name in ("log", "commitment", "nonce")}
    clear = made.signed(1, 0, {**bare, **of})
    saw = {**bare, **of, "seen": made.seen([bytes(32)], 1)}
    by_nobody = {**saw["seen"], "size": 2}
    for what, value, is_one in (
        ("a seed that is remembered", bare, True),
        ("one that names its log and its round", own, True),
        ("a round without its log", {n: v for n, v in own.items() if n != "log"}, False),
        ("a log that is no verifier key", {**own, "log": made.KEY.name}, False),
        ("a seed that its own hash does not name", {**own, "seed": "other"}, False),
        ("a nonce that its own hash does not name", {**own, "nonce": 1}, False),
        ("one signed over its hash", signed, True),
        ("a hash that names no round", {**bare, "hash": "00" * 32, "blind": "00" * 32}, True),
        ("one signed over its seed", clear, True),
        ("a seed that its own signature does not name", {**clear, "seed": "other"}, False),
        ("a label that its own signature does not name", {**clear, "from": "bob"}, False),
        ("a seen that its log signed", saw, True),
        ("a seen that its log did not sign", {**saw, "seen": by_nobody}, False),
        ("a seen of no log in particular", {**bare, "seen": by_nobody}, True),
        ("a seed that a program was given", {**own, "given": True}, True),
        ("and that it is not said to have been given", {**own, "given": False}, False),
    ):
        try:
            brought.check(value)
            yield what, True, is_one
        except Refused:
            yield what, False, is_one


def _compared():
    """Each row of the table in 11.8, and what a file of another round shows."""
    commit = made.commit(1, mixing="hashes")
    alice, bob = (made.hashed(1, 0, *who) for who in (("alice", "lucky"), ("bob", "seven")))
    locked = made.lock(1, 0, [made.locked(alice), made.locked(bob)])
    log = [commit, locked, made.answer(commit, 1, 1, [alice, bob]), made.reveal(1)]
    whole = made.receipt_of(log, [0, 1, 2, 3])
    in_lock, alone = made.receipt_of(log, [0, 1]), made.receipt_of(log, [0])
    void = made.receipt_of([commit, locked, made.void(1, nonce=0)], [0, 1, 2])
    other = made.hashed(1, 0, "alice", "other")
    carol = made.hashed(1, 0, "carol", "late")
    by_key = made.signed(1, 0, alice)
    signed_log = [commit, made.lock(1, 0, [made.locked(by_key)])]
    signed_log.append(made.answer(commit, 1, 1, [by_key]))
    signed = made.receipt_of(signed_log, [0, 1, 2])
    rotated = {**alice, "log": tlog.key_text(made.NEXT_KEY)}
    mismatch, nothing = [("contribution-mismatch", 1)], []
    for what, file, own, codes, is_yours in (
        ("nothing was mixed yet", alone, other, nothing, False),
        ("the round was given up", void, other, nothing, False),
        ("a hash that came too late", whole, carol, nothing, False),
        ("a seed of nobody's label", whole, {"from": "carol", "seed": "late"}, mismatch, False),
        ("it was mixed", whole, alice, nothing, True),
        ("it is in the lock", in_lock, alice, nothing, False),
        ("a remembered seed may be in the lock", in_lock, made.REMEMBERED, nothing, False),
        ("a remembered seed was mixed", whole, made.REMEMBERED, nothing, True),
        ("the lock has another hash", in_lock, other, nothing, False),
        ("the deal has another hash", whole, other, nothing, False),
        ("the deal has another seed", whole, {"from": "alice", "seed": "x"}, mismatch, False),
        ("the key's second hash", signed, made.signed(1, 0, other), nothing, False),
        ("the key's own hash", signed, by_key, nothing, True),
        ("a key that the lock does not have", whole, by_key, nothing, False),
        ("of another round", whole, made.hashed(1, 1, "alice", "other"), nothing, False),
        ("of another log", whole, rotated, nothing, False),
    ):
        verdict = made.verdict(file, Reader((own,)))
        yield f"{what}: findings", made.codes(verdict), codes
        yield f"{what}: yours", ("yours" in verdict["shown"], "yours" in verdict["not_shown"]), (
            is_yours,
            not is_yours,
        )
    of_others = made.verdict(whole, Reader((alice, made.hashed(1, 1, "alice", "lucky"))))
    yield "what is not compared takes nothing away", "yours" in of_others["shown"], True


def _together_with(file: dict, kept=(), beside=(), reader: Reader = Reader()) -> tuple:
    """What is listed and found of a file beside others: its tokens, and the state of all."""
    files = [Given("file", made.bytes_of(file))]
    files += [Given("kept", made.bytes_of(value), is_kept=True) for value in kept]
    files += [Given("beside", made.bytes_of(value)) for value in beside]
    found = several.verify(files, made.KEY, reader)
    return "no-collusion" not in found.verdicts[0].not_shown, found.state()


def _kept_locks():
    """A lock that the reader kept, without which nothing is fair (11.4 and 11.8)."""
    commit = made.commit(1, mixing="hashes")
    alice = made.hashed(1, 0, "alice", "lucky")
    by_key = made.signed(1, 0, alice)
    bare = {name: alice[name] for name in ("from", "seed")}
    log = [commit, made.lock(1, 0, [made.locked(by_key)]), made.answer(commit, 1, 1, [alice])]
    log.append(made.reveal(1))
    whole, lock = made.receipt_of(log, [0, 1, 2, 3]), made.receipt_of(log, [0, 1])
    void = made.receipt_of([*log[:2], made.void(1, nonce=0)], [0, 1, 2])
    unsigned = {**lock, "checkpoint": lock["checkpoint"].replace("2gm7", "2gm8")}
    player = {"alice": by_key["key"]}
    of_alice = Reader((alice,))
    given = Reader(({**alice, "given": True},))
    fair, unproved = (True, "fair"), (False, "unproved")
    for what, kept, beside, reader, expected in (
        ("the reader's hash and lock", [lock], [], of_alice, fair),
        ("nothing that was kept", [], [], of_alice, unproved),
        ("a lock that somebody gave", [], [lock], of_alice, unproved),
        ("the same receipt, kept", [whole], [], of_alice, unproved),
        ("a receipt without the lock", [made.receipt_of(log, [0])], [], of_alice, unproved),
        ("a lock that was voided", [void], [], of_alice, (False, "caught")),
        ("a lock that nobody signed", [unsigned], [], of_alice, (False, None)),
        ("a seed that a program was given", [lock], [], given, unproved),
        ("a seed without its hash", [lock], [], Reader((bare,)), unproved),
        ("the hash of a player with a key", [lock], [], Reader((), player), (True, "unproved")),
        ("a seed without its hash, and a key", [lock], [], Reader((bare,), player), (True, "unproved")),
        ("evidence that the reader kept", [made.evidence([lock], [alice])], [], Reader(), fair),
        ("evidence", [], [made.evidence([lock], [alice])], Reader(), unproved),
        ("evidence and a kept lock", [lock], [made.evidence([lock], [alice])], Reader(), unproved),
    ):
        yield f"kept: {what}", _together_with(whole, kept, beside, reader), expected
    second = [*log[:2], log[1], {**log[2], "lock": 2}, log[3]]
    file = made.receipt_of(second, [0, 2, 3, 4])
    yield "kept: another lock around the hash", _together_with(file, [], [], of_alice), unproved
    first = made.receipt_of(second, [0, 1])
    caught = (False, "caught")
    yield "kept: and the first beside it", _together_with(file, [first], [], of_alice), caught
    yield "locks alone are no state", _together_with(lock, [lock])[1], None
    other = made.receipt_of([{**commit, "protocol": "other/v2"}], [0])
    found = several.verify([Given("a", made.bytes_of(lock)), Given("b", b"x")], made.KEY)
    yield "a file that was not read is no state", found.state(), None
    alone = several.verify([Given("a", made.bytes_of(other))], made.KEY)
    yield "another protocol is not passed over", alone.state(), None


def _left_out():
    """Files without an entry that they need, or with one too many, accuse nobody (11.1)."""
    commit, second = made.commit(1), made.commit(2, table="table-2")
    locked = made.lock(1, 0, [made.REMEMBERED])
    dealt = made.dealt(commit, 1, lock=2)
    del dealt["contributions"]
    log = [second, commit, locked, dealt, made.reveal(1), made.dealt(second, 2)]
    for what, indices, codes in (
        ("a whole round", [1, 2, 3, 4], []),
        ("its deal left out", [1, 2, 4], []),
        ("its lock left out", [1, 3, 4], [("invalid-receipt", None)]),
        ("its commit left out", [2, 3, 4], [("invalid-receipt", None)]),
        ("another commitment's deal", [1, 2, 3, 5], [("invalid-receipt", None)]),
        ("another commitment's commit", [0, 1], [("invalid-receipt", None)]),
    ):
        yield what, made.codes(made.verdict(made.receipt_of(log, indices))), codes
    log = [{**commit, "protocol": "other/v2"}, made.dealt(commit, 1), made.dealt(commit, 1, 1)]
    verdict = made.verdict(made.receipt_of([*log, dealt], [0, 1, 2, 3]))
    yield "another protocol's rounds and locks", made.codes(verdict), []
    data = made.bytes_of(made.receipt_of(log, [0]))
    mark = "\ufeff".encode()
    found = receipt.verify(mark + data, made.KEY).findings
    yield "one byte order mark is passed over", found, []
    try:
        receipt.verify(mark + mark + data, made.KEY)
        yield "and not two", "read", "not read"
    except canonical.NotJson:
        yield "and not two", "not read", "not read"
    marked = [f.code for f in Life(made.KEY, False).apply(0, mark + made.bytes_of(commit))]
    yield "nor one before an entry", marked, ["not-canonical"]


def _openings():
    """Cards opened by anybody, and cards that the operator sealed (12)."""
    rule = {"hand": 1}
    commit = made.commit(1, sealed=True, layout=rule)
    dealt = made.dealt(commit, 1, seats=["bob", "alice"])
    file = made.receipt_of([commit, dealt], [0, 1])
    opening = made.opening_of(file, commit, 1, [1, 4])
    verdict = made.verdict(opening)
    yield "two cards that were sealed", made.codes(verdict), []
    places = [{"t": 1, "seat": "alice", "card": 0}, {"t": 4, "nobody": True}]
    yield "the places of a seat and of nobody", verdict["placed"], places
    seat = made.verdict(opening, Reader(seat="alice"))
    yield "nobody's card is not a seat's", made.codes(seat), [("placed-mismatch", 1)]
    yield "and is the writer's fault", seat["findings"][0]["accuses"], "writer"
    opened = opening["opened"]
    other = {**opening, "opened": [{**opened[0], "item": opened[0]["item"] ^ 1}]}
    yield "a card that was not sealed", _accused(other), ("opening-mismatch", "writer", None)
    other = {**opening, "card_seals": opening["card_seals"][::-1]}
    yield "other seals than the deal's", _accused(other), ("opening-mismatch", "writer", None)
    for what, items, draw in (
        ("one item sealed twice", [7, 7, 8], 3),
        ("an item that the deck does not have", [7, 52, 8], 3),
        ("fewer cards sealed than the draw", [7, 9], 3),
        ("more cards sealed than the draw", [7, 9, 8, 6], 3),
    ):
        sealed = _sealed(made.commit(1, sealed=True, draw=draw), items)
        yield what, _accused(sealed), ("result-mismatch", "operator", "caught")
    sealed = _sealed(made.commit(1, sealed=True, draw=3), [7, 9, 8])
    yield "cards that may be", made.codes(made.verdict(sealed)), []
    whole = made.verdict(made.receipt_of([commit, dealt, made.reveal(1)], [0, 1, 2]))
    yield "the places of a whole deal", [p["t"] for p in whole["placed"]], [0, 1, 2, 3, 4]


def _sealed(commit: dict, items: list) -> dict:
    """An opening of all cards of a deal that seals these items, whatever the seeds give."""
    name, salt = bytes.fromhex(commit["commitment"]), bytes(16)
    seals = [deal.card_seal(name, 0, t, item, salt) for t, item in enumerate(items)]
    dealt = made.dealt(commit, 1, result={"seal": deal.seal_of(seals).hex()})
    return {
        "format": "fairdeal/opening/v1",
        "receipt": made.receipt_of([commit, dealt], [0, 1]),
        "card_seals": [seal.hex() for seal in seals],
        "opened": [{"t": t, "item": item, "salt": salt.hex()} for t, item in enumerate(items)],
    }


def _accused(value: dict) -> tuple:
    """A file's only finding, whom it accuses, and the state."""
    verdict = made.verdict(value)
    (found,) = verdict["findings"]
    return found["code"], found["accuses"], verdict.get("state")


def _states():
    """What a person should think of a round, in one word (11.4)."""
    commit = made.commit(1, mixing="hashes")
    alice = made.hashed(1, 0, "alice", "lucky")
    log = [commit, made.lock(1, 0, [made.locked(alice)]), made.answer(commit, 1, 1, [alice])]
    log.append(made.reveal(1))
    file, reader = made.receipt_of(log, [0, 1, 2, 3]), Reader((alice,))
    yield "the reader's own hash", made.verdict(file, reader).get("state"), "unproved"
    yield "the same without a reader", made.verdict(file).get("state"), "unproved"
    early = made.verdict(made.receipt_of(log, [0, 1, 2]), reader)
    yield "before the reveal", (early["holds"], early.get("state")), (True, None)
    commit = made.commit(1)
    clear = [commit, made.dealt(commit, 1), made.reveal(1)]
    file = made.receipt_of(clear, [0, 1, 2])
    mine = Reader((made.REMEMBERED,))
    yield "the reader's seed in the clear", made.verdict(file, mine).get("state"), "unproved"
    clear[1] = made.dealt(commit, 1, result={"cards": "2c3c4c5c6c"})
    file = made.receipt_of(clear, [0, 1, 2])
    yield "other cards", _accused(file), ("result-mismatch", "operator", "caught")
    file["checkpoint"] = file["checkpoint"].replace("2gm7", "2gm8")
    told = [(f["code"], f["accuses"]) for f in made.verdict(file)["findings"]]
    expected = [("bad-signature", "nobody"), ("result-mismatch", "nobody")]
    yield "other cards that nobody signed", told, expected
    yield "are no state", made.verdict(file).get("state"), None
    yield "no receipt", _accused({}), ("invalid-receipt", "writer", None)
    other = [{**commit, "protocol": "other/v2"}]
    file = made.receipt_of(other, [0])
    yield "another protocol", made.verdict(file).get("state"), None


def _receipts():
    """A reader's contributions, and `seen` checkpoints."""
    commit, alice = made.commit(1), made.signed(1, 0, {"from": "alice", "seed": "lucky"})
    log = [commit, made.dealt(commit, 1, given=[alice]), made.reveal(1)]
    file, mine = made.receipt_of(log, [0, 1, 2]), {"from": "alice", "seed": "lucky"}
    verdict = made.verdict(file, Reader((mine,)))
    yield "what is yours", verdict["shown"], ["logged", "replayed", "yours", "authentic"]
    wrong = made.verdict(file, Reader(({**mine, "seed": "other"},)))
    yield "what is not", made.codes(wrong), [("contribution-mismatch", 1)]
    yield (
        "a player's key",
        made.verdict(file, Reader((), {"alice": alice["key"]}))["shown"][-1],
        "authentic",
    )
    yield (
        "another's",
        made.codes(made.verdict(file, Reader((), {"alice": "00" * 32}))),
        [("contribution-mismatch", 1)],
    )
    leaves = [tlog.leaf_hash(made.bytes_of(commit))]
    saw = {"from": "alice", "seed": "lucky", "seen": made.seen(leaves, 1)}
    log = [commit, made.dealt(commit, 1, given=[saw]), made.reveal(1)]
    leaves = [tlog.leaf_hash(made.bytes_of(value)) for value in log]
    file = made.receipt_of(log, [0, 1, 2])
    yield "a seen that nothing proves", made.verdict(file)["committed_first"], []
    proof = [tlog.encode_base64(h) for h in (leaves[1], leaves[2])]
    file["seen"] = [{"size": 1, "root": leaves[0].hex(), "proof": proof}]
    yield "and one that is proved", made.verdict(file)["committed_first"], ["alice"]
    file["seen"][0]["root"] = "00" * 32
    yield "and one that is not the log's", made.codes(made.verdict(file)), [("tree-mismatch", None)]
    yield "an array is no receipt", made.codes(made.verdict([file])), [("invalid-receipt", None)]


def _on(value: dict) -> several.Together:
    return several.verify([Given("evidence", made.bytes_of(value))], made.KEY)


def _evidence():
    """The records of a player's program (11.10)."""
    commit, second = made.commit(1), made.commit(2, table="table-2")
    dealt, other = made.dealt(commit, 1), made.dealt(commit, 1, 1)
    log, fork = [commit, dealt, second], [commit, other, second, made.reveal(1)]
    file = made.receipt_of(log, [0, 1])
    early = {"checkpoint": made.note([made.leaf(value) for value in log])}
    later = {"checkpoint": made.note([made.leaf(value) for value in fork])}
    proved = {**later, "seen": [made.seen_of(fork, 2), made.seen_of(fork, 3)]}
    not_proved = {**later, "seen": [{**made.seen_of(log, 2), "size": 3}]}
    unsigned = {**later, "checkpoint": later["checkpoint"].replace("2gm7", "2gm8")}
    receipt_seen = {**file, "seen": [made.seen_of(log, 2)]}
    for what, files, since, many in (
        ("two heads of two sizes", [file], [early, later], 0),
        ("two heads, one with what the log was before", [file], [early, proved], 1),
        ("the file alone with that head", [file], [proved], 1),
        ("a proof that does not verify", [file], [not_proved], 0),
        ("a head that nobody signed", [file], [{**proved, **unsigned}], 0),
        ("two sizes of a file and a head", [receipt_seen], [proved], 2),
    ):
        found = _on(made.evidence(files, since=since))
        yield what, [f.code for f in found.findings], ["inconsistent"] * many
        yield f"{what}: state", found.state(), "caught" if many else None
    saw = made.dealt(commit, 1, given=[{**made.REMEMBERED, "seen": made.seen([bytes(32)], 1)}])
    torn = made.receipt_of([commit, saw], [0, 1])
    torn["seen"] = [made.seen_of([commit, saw], 1)]
    alone = _on(made.evidence([torn])).to_json()
    yield "a file alone is not compared with itself", alone["findings"], []
    beside = _on(made.evidence([torn], since=[{"checkpoint": "x"}])).to_json()
    yield "nor with a head that does not open", beside, alone
    beside = several.verify([Given("a", made.bytes_of(torn)), Given("b", b"{}")], made.KEY)
    yield "nor with what is no receipt", beside.findings, []
    found = _on(made.evidence([torn], since=[early])).findings
    yield "but beside a head that does", [f.code for f in found], ["inconsistent"]
    larger = {**early, "seen": [made.seen_of(fork, 4)]}
    for what, value in (
        ("a head that is text", made.evidence([file], since=[early["checkpoint"]])),
        ("another shape without files", {**made.evidence([]), "more": 1}),
        ("what was brought and changed", made.evidence([file], [{**made.REMEMBERED, "nonce": 0}])),
        ("a seen larger than its head", made.evidence([file], since=[larger])),
    ):
        yield what, [f.code for v in _on(value).read() for f in v.findings], ["invalid-receipt"]
    try:
        _on(made.evidence([]))
        yield "no files", "read", "not read"
    except several.Unread:
        yield "no files", "not read", "not read"
    off_tree = made.receipt_of(fork, [0, 1])
    off_tree["entries"][1]["proof"] = []
    files = [Given("a", made.bytes_of(receipt_seen)), Given("b", made.bytes_of(off_tree))]
    yield "other sizes do not differ", several.verify(files, made.KEY).findings, []
    off_tree["checkpoint"] = made.note([made.leaf(value) for value in [*fork[:2], fork[3]]])
    files[1] = Given("b", made.bytes_of(off_tree))
    found = several.verify(files, made.KEY).findings
    expected = ["inconsistent"]
    yield "the checkpoint of a file that is not logged", [f.code for f in found], expected
    off_tree["checkpoint"] = off_tree["checkpoint"].replace("2gm7", "2gm8")
    files[1] = Given("b", made.bytes_of(off_tree))
    yield "one that does not open", several.verify(files, made.KEY).findings, []
    found = several.verify([Given("a", made.bytes_of(file)), Given("b", b"no JSON")], made.KEY)
    yield "the others are judged", [v.findings for v in found.read()], [[]]
    yield "and do not hold as a whole", logs.exit_of(found.to_json()), 3
    whole = made.receipt_of([commit, dealt, made.reveal(1)], [0, 1, 2])
    mine = {
        **made.REMEMBERED,
        "log": tlog.key_text(made.KEY),
        "commitment": made.name_of(1),
        "nonce": 0,
    }
    for what, own, is_kept, shown in (
        ("what was brought to this round", mine, True, ["yours", "authentic"]),
        ("what somebody says was brought", mine, False, []),
        ("to another round", {**mine, "nonce": 1}, True, []),
        ("to no round by name", made.REMEMBERED, True, []),
    ):
        given = Given("evidence", made.bytes_of(made.evidence([whole], [own])), is_kept)
        (verdict,) = several.verify([given], made.KEY).read()
        yield what, verdict.to_json()["shown"], ["logged", "replayed", *shown]
        yield f"{what}: not shown", "yours" in verdict.not_shown, not shown
    given = Given("evidence", made.bytes_of(made.evidence([whole], [{**mine, "seed": "other"}])))
    (verdict,) = several.verify([given], made.KEY).read()
    yield "what was not brought", made.codes(verdict.to_json()), [("contribution-mismatch", 1)]


def _numbers():
    """An integer is written in digits only, in a file and in evidence (11.1)."""
    file = made.receipt_of([made.commit(1)], [0])
    alone, beside = made.bytes_of(file), made.bytes_of(made.evidence([file]))
    for number, codes in (
        (b"0", []),
        (b"0.0", ["invalid-receipt"]),
        (b"0e0", ["invalid-receipt"]),
        (b"-0", ["invalid-receipt"]),
    ):
        for what, data in (("a file", alone), ("evidence", beside)):
            changed = data.replace(b'"index":0', b'"index":' + number)
            (verdict,) = several.verify([Given("a", changed)], made.KEY).read()
            name = f"the index {number.decode()} in {what}"
            yield name, [f.code for f in verdict.findings], codes


def _saved_view():
    """A checkpoint that the reader saved (11.9)."""
    commit = made.commit(1)
    log = [commit, made.dealt(commit, 1), made.reveal(1)]
    fork = [commit, made.dealt(commit, 1, 1), made.reveal(1)]
    file = made.receipt_of(log, [0, 1, 2])
    seen = {**file, "seen": [made.seen_of(log, 2)]}
    wrong = {**made.receipt_of(log, [0, 1, 2]), "entries": []}
    for what, value, entries, expected in (
        ("of the same size", file, log, []),
        ("of a size that is proved", seen, log[:2], []),
        ("of a size that nothing proves", file, log[:2], "no verdict"),
        ("larger than the file's", file, [*log, made.commit(2)], "no verdict"),
        ("a fork of the same size", file, fork, ["inconsistent"]),
        ("a fork of a size that is proved", seen, fork[:2], ["inconsistent"]),
        ("beside a file that does not hold", wrong, log[:2], ["invalid-receipt"]),
        ("of the empty log", file, [], "since"),
    ):
        note = made.note([made.leaf(entry) for entry in entries]).encode()
        yield f"a saved view {what}", _since(value, note), expected
    unsigned = made.note([made.leaf(entry) for entry in log]).replace("2gm7", "2gm8")
    yield "a saved view that nobody signed", _since(file, unsigned.encode()), "no verdict"


def _since(value: dict, note: bytes):
    """The codes of what is found in a file or beside a saved view, or why there is no verdict."""
    try:
        found = several.verify([Given("a", made.bytes_of(value))], made.KEY, since=note)
    except logfiles.NotKnown:
        return "no verdict"
    except Refused as refused:
        return refused.code
    return [f.code for f in [*found.verdicts[0].findings, *found.findings]]


def _together():
    """Several receipts as one excerpt (11.6)."""
    commit, second = made.commit(1), made.commit(2, after=made.name_of(1))
    log = [commit, second, made.dealt(commit, 1), made.dealt(second, 2)]
    files = [
        Given("a", made.bytes_of(made.receipt_of(log, [0, 2]))),
        Given("b", made.bytes_of(made.receipt_of(log, [1, 3]))),
    ]
    found = several.verify(files, made.KEY)
    yield "each holds alone", [v.findings for v in found.verdicts], [[], []]
    yield "but not together", [(f.code, f.index) for f in found.findings], [("out-of-turn", 2)]
    fork = [commit, second, made.dealt(commit, 1), made.dealt(second, 2, 1)]
    files.append(Given("c", made.bytes_of(made.receipt_of(fork, [1, 3]))))
    found = several.verify(files, made.KEY)
    yield "a fork", [(f.code, f.index) for f in found.findings], [
        ("inconsistent", None),
        ("inconsistent", None),
        ("out-of-turn", 2),
    ]
