"""Built-in checks of raffles (selftest.py runs them); raffle.md."""

import json

import beacon
import canonical
import contributions
import deal
import raffle
import results
import selftestbeacons as rounds
import selftestlogs as made
from brought import Reader
from selftestlists import NAMES, SIGNATURE, bytes_of, refused
from selftestwitness import OF_TWO, two

TWICE = ["ann", "ben", "ann", "cat", "ann"]
RULES = {"winners": 2, "title": "Winter", "prizes": ["a cake"]}
BEFORE, KEPT = "locked-before-beacon", "kept-before-beacon"
OTHER_KEY = made.tlog.VerifierKey("other.example", b"\x00" * 4, made.KEY.public)


def checks():
    """(name, found, expected)."""
    yield from _documents()
    yield from _lists_of_documents()
    if beacon.is_available():  # otherwise nothing is drawn; selftestbeacons.py says so
        yield from _winners()
        yield from _signatures()
        yield from _states()
        yield from _kept()
        yield from _findings()
        yield from _members()


def _commit(lines: list = NAMES, rules: dict = RULES, draw: int = 2, **changed) -> dict:
    digest = deal.sha256(canonical.text_of(rules).encode()).hex()
    deck = {"count": len(lines), "sha256": deal.sha256(bytes_of(lines)).hex()}
    of = {"chain": rounds.NAME, "margin": rounds.MARGIN}
    early = {"time": rounds.LOCKED - 1, "reveal_by": rounds.AFTER + 1000, "rounds": 1}
    early.update(deck=deck, draw=draw, rules=digest, mixing="beacon", beacon=of)
    return made.commit(1, **{**early, **changed})


def _lock(number=1000, time: int = rounds.LOCKED, **more) -> dict:
    value = made.lock(1, 0, [made.REMEMBERED], beacon=number, time=time, **more)
    return {name: v for name, v in value.items() if v is not None}


def _dealt(commit: dict, signature: str = SIGNATURE, **changed) -> dict:
    """The deal that the seeds and a signature give."""
    mixed = [contributions.in_clear(made.REMEMBERED)]
    randomness = deal.sha256(bytes.fromhex(signature))
    inputs = deal.Inputs(made.server_seed(1), 0, mixed, randomness)
    result = results.result_of(commit, inputs)
    value = {"entry": "deal", "nonce": 0, "time": rounds.AFTER, "result": result}
    value.update(commitment=commit["commitment"], lock=1, beacon=signature)
    return {**value, **changed}


REVEAL = {**made.reveal(1), "time": rounds.AFTER}


def _void(time: int = rounds.LOCKED) -> dict:
    return made.void(1, nonce=0, time=time)


def _document(log: list, rules: dict = RULES, seed: bool = True, **changed) -> dict:
    """The document that shows a whole log; a member changed to None is absent."""
    receipt = made.receipt_of(log, list(range(len(log))))
    value = {"format": raffle.FORMAT, "rules": rules, "receipt": receipt}
    if seed:
        value["server_seed"] = made.server_seed(1).hex()
    return {name: v for name, v in {**value, **changed}.items() if v is not None}


def _anchored(log: list, second: int, **changed) -> dict:
    """The same with an anchor after the lock, which two witnesses signed."""
    anchor = made.anchor(log[:2], two(second), time=log[1]["time"])
    log = [*log[:2], anchor, *log[2:]]
    value = _document(log, **changed)
    value["receipt"]["seen"] = [made.seen_of(log, 2)]
    return value


def _parse(value) -> raffle.Document:
    return raffle.parse(made.bytes_of(value))


def _verify(value, lines=NAMES, key=made.KEY, policy=None, mine=(), chains=None, **given) -> dict:
    """The verdict on a document; `kept` are documents, `signature` is text."""
    reader = Reader(mine=mine, policy=policy, chains=beacon.CHAINS if chains is None else chains)
    kept = tuple(_parse(other) for other in given.pop("kept", ()))
    if "signature" in given:
        given["signature"] = raffle.parse_signature(given["signature"].encode())
    inputs = raffle.Inputs(kept=kept, **given)
    of = raffle.parse_list(bytes_of(lines))
    return raffle.verify(_parse(value), of, key, reader, inputs).to_json()


def _documents():
    """What can be read (35.2 and 37)."""
    log = [_commit(), _lock()]
    commit, text = log[0], "\u00e9" * 100

    def of(rules=RULES, **changed) -> dict:
        """A document with other rules, or whose commit differs."""
        return _document([_commit(rules=rules, **changed), log[1]], rules)

    good, no_rules = _document(log), {n: v for n, v in commit.items() if n != "rules"}
    unsigned = {**good["receipt"], "checkpoint": "x"}
    seed, seen = made.server_seed(1).hex(), made.hashed(1, 0, "bob", "x")
    for what, value, is_one in (
        ("no seed", _document(log, seed=False), True),
        ("all members", {**good, "policy": "x\n\x01", "list": "x" * 2048}, True),
        ("200 bytes", of({"winners": 1, "title": text, "prizes": [text]}), True),
        ("a title of 201 bytes", of({"winners": 1, "title": text + "x"}), False),
        ("a title with a control character", of({"winners": 1, "title": "a\x85"}), False),
        ("an empty title", of({"winners": 1, "title": ""}), False),
        ("an empty prize", of({"winners": 1, "prizes": [""]}), False),
        ("no prizes in an array", of({"winners": 1, "prizes": []}), False),
        ("as many prizes as winners", of({"winners": 2, "prizes": ["a", "b"]}), True),
        ("more prizes than winners", of({"winners": 2, "prizes": ["a", "b", "c"]}), False),
        ("1,000 winners", of({"winners": 1000}), True),
        ("1,001 winners", of({"winners": 1001}), False),
        ("no winner", of({"winners": 0}), False),
        ("winners that are no number", of({"winners": True}), False),
        ("rules without winners", of({"title": "x"}), False),
        ("rules with another member", of({"winners": 1, "more": 1}), False),
        ("other rules than its commit", {**good, "rules": {"winners": 2}}, False),
        ("a commit of other rules", _document([{**commit, "rules": "00" * 32}, log[1]]), False),
        ("a commit without rules", _document([no_rules, log[1]]), False),
        ("another seed", {**good, "server_seed": made.server_seed(2).hex()}, False),
        ("a seed in capitals", {**good, "server_seed": seed.upper().replace("0", "A")}, False),
        ("an empty policy", {**good, "policy": ""}, False),
        ("a policy of the greatest length", {**good, "policy": "\u00e9" * 524_288}, True),
        ("a policy a byte longer", {**good, "policy": "x" + "\u00e9" * 524_288}, False),
        ("a list of 2,049 bytes", {**good, "list": "x" * 2049}, False),
        ("a list with a control character", {**good, "list": "x\n"}, False),
        ("an empty list", {**good, "list": ""}, False),
        ("a list that is no text", {**good, "list": 0.5}, False),
        ("another member", {**good, "winners": []}, False),
        ("another format", {**good, "format": "fairdeal/raffle/v2"}, False),
        ("no receipt", _document(log, receipt=None), False),
        ("an invalid receipt", {**good, "receipt": {**good["receipt"], "seen": []}}, False),
        ("a receipt without its lock", _document(log[:1]), False),
        ("a lock that names no round", _document([commit, _lock(None)]), False),
        ("a lock of another round", _document([commit, {**log[1], "nonce": 1}]), True),
        ("a lock with a hash", _document([commit, _lock(contributions=[made.locked(seen)])]), True),
        ("a receipt that nobody signed", {**good, "receipt": unsigned}, True),
        ("a commit of another protocol", of(protocol="x"), False),
        ("method cycle", of(method="cycle", draw=5), False),
        ("a named deck", of(deck="standard-52"), False),
        ("a sealed deal", of(sealed=True), False),
        ("mixing seeds", of(mixing="seeds", beacon=None), False),
        ("two rounds", of(rounds=2), False),
        ("a layout", of(layout={"hand": 1}), False),
        ("signed contributions", of(signed=True), True),
        ("a commit after another", of(after="00" * 32), True),
        ("an array", [good], False),
    ):
        found = isinstance(refused(_parse, value), raffle.Document)
        yield f"a document with {what}", found, is_one
    data = made.bytes_of(good)
    room = b" " * (raffle.MAX_DOCUMENT - len(data))
    for what, bytes_, is_one in (
        ("of the greatest length", data + room, True),
        ("a byte longer", data + room + b" ", False),
        ("after a byte order mark", b"\xef\xbb\xbf" + data, True),
        ("with a member twice", data[:-1] + b',"list":"x","list":"x"}', False),
        ("with a number of winners that has a fraction", data.replace(b'rs":2', b'rs":2.0'), False),
    ):
        found = isinstance(refused(raffle.parse, bytes_), raffle.Document)
        yield f"a document {what}", found, is_one


def _lists_of_documents():
    """The list of a document (38, step 3)."""
    lock, five, six = _lock(), {"winners": 5}, _commit()
    six["deck"] = {**six["deck"], "count": 6}
    for what, lines, commit, rules, expected in (
        ("another list", NAMES[::-1], _commit(), RULES, "list-mismatch"),
        ("a list with a line more", [*NAMES, "x"], _commit(), RULES, "list-mismatch"),
        ("another count and draw", NAMES, _commit() | {"deck": {"count": 4, "sha256": "00" * 32}},
         RULES, "list-mismatch"),
        ("another count alone", NAMES, six, RULES, "list-mismatch"),
        ("as many lines as winners", NAMES, _commit(rules=five, draw=5), five, None),
        ("fewer different lines", [*NAMES[:4], "ann"], _commit([*NAMES[:4], "ann"], five, 5), five,
         "unread"),
        ("another draw", NAMES, _commit(draw=3), RULES, "unread"),
        ("all of the lines drawn", NAMES, _commit(draw=5), RULES, "unread"),
        ("equal lines, all drawn", TWICE, _commit(TWICE, draw=5), RULES, None),
        ("equal lines, as many drawn as win", TWICE, _commit(TWICE), RULES, "unread"),
    ):  # fmt: skip
        found = refused(_verify, _document([commit, lock], rules), lines)
        yield f"a document and {what}", None if isinstance(found, dict) else found, expected


def _drawn(verdict: dict):
    """The items that won, or None."""
    return [of["item"] for of in verdict["drawn"]] if "drawn" in verdict else None


def _winners():
    """Who wins (35.3)."""
    log = [_commit(), _lock(), _dealt(_commit()), REVEAL]
    (first, second) = log[2]["result"]["indices"]
    yield "winners as they were dealt", _drawn(_verify(_document(log))), [first, second]
    known = _verify(_document(log[:2]), signature=SIGNATURE)
    yield "the same without the deal", _drawn(known), [first, second]
    commit = _commit(TWICE, draw=5)
    order = _dealt(commit)["result"]["indices"]
    expected = []
    for item in order:  # another way than raffle.py's
        if TWICE[item] not in [TWICE[other] for other in expected] and len(expected) < 2:
            expected.append(item)
    drawn = _drawn(_verify(_document([commit, _lock()]), TWICE, signature=SIGNATURE))
    yield "nobody wins twice", drawn, expected
    three = {"winners": 3}
    commit = _commit(TWICE, three, 5)
    drawn = _verify(_document([commit, _lock()], three), TWICE, signature=SIGNATURE)["drawn"]
    yield "as many winners as lines", sorted(of["line"] for of in drawn), ["ann", "ben", "cat"]
    alone = _verify(_document([_commit(), _lock(contributions=None)]), signature=SIGNATURE)
    yield "a lock without contributions", len(alone["drawn"]), 2
    own = made.hashed(1, 0, "bob", "x")
    hashed = _document([_commit(), _lock(contributions=[made.locked(own)])])
    found = _verify(hashed, signature=SIGNATURE)
    yield "a lock with a hash", (_drawn(found), made.codes(found)), (None, [("weak-mixing", 1)])


def _signatures():
    """Which signature counts (38, step 4)."""
    commit, lock = _commit(), _lock()
    early, whole = _document([commit, lock]), _document([commit, lock, _dealt(commit)])
    other, answer = rounds.SIGNATURES[1001], {"round": 1000, "signature": SIGNATURE}
    wrong = _document([commit, _lock(1001), _dealt(commit)])
    twisted = _document([commit, lock, _dealt(commit, rounds.TWISTED)])
    for what, document, signature, expected in (
        ("of the round", early, SIGNATURE, SIGNATURE),
        ("of the round, as an answer", early, json.dumps(answer), SIGNATURE),
        ("of the round, beside the deal's", whole, SIGNATURE, SIGNATURE),
        ("of another round", early, other, "signature"),
        ("of another round, beside the deal's", whole, other, "signature"),
        ("of a named round", early, json.dumps({**answer, "round": 1001}), "signature"),
        ("of a point that is not of the subgroup", early, rounds.TWISTED, "signature"),
        ("beside a wrong one of the deal", twisted, SIGNATURE, SIGNATURE),
        ("where the lock names a wrong round", wrong, SIGNATURE, None),
    ):
        found = refused(lambda: _verify(document, signature=signature))
        if isinstance(found, dict):
            is_missing, found = "beacon" in found["not_shown"], found["beacon"].get("signature")
            yield f"the token of a signature {what}", is_missing, found is None
        yield f"a signature {what}", found, expected
    found = _verify(whole)
    yield "the deal's own", found["beacon"], {
        "chain": rounds.NAME, "round": 1000, "out": rounds.OUT, "signature": SIGNATURE
    }  # fmt: skip
    expected = {"chain": rounds.NAME, "round": 1001}
    yield "a wrong round is out at no time", _verify(wrong)["beacon"], expected
    found = _verify(whole, chains={}, signature=other)
    yield "a chain that is not known", found["beacon"], {"chain": rounds.NAME, "round": 1000}
    told = {"drawn", "replayed", "beacon"} <= set(found["not_shown"])
    yield "of which nothing is drawn", (_drawn(found), told, found.get("state")), (None, True, None)
    found = _verify(twisted)
    told = (made.codes(found), _drawn(found), "beacon" in found["not_shown"])
    yield "a wrong signature", told, ([("beacon-signature", 2)], None, True)
    found = _verify(twisted, signature=SIGNATURE)
    yield "is drawn all the same", (len(found["drawn"]), found["state"]), (2, "caught")


def _states():
    """The states, on either side of each condition (38)."""
    commit, lock = _commit(), _lock()
    dealt, in_time, late = _dealt(commit), rounds.OUT - 5, rounds.OUT - 4
    log = [commit, lock, dealt, REVEAL]
    own, far = {**made.REMEMBERED, "seed": "other"}, made.hashed(1, 1, "alice", "lucky")
    void = [commit, lock, _void()]
    of_two, now, mine = {"policy": OF_TWO}, {"signature": SIGNATURE}, {"mine": (made.REMEMBERED,)}
    for what, document, given, expected in (
        ("no policy", _document(log), {}, "unproved"),
        ("a policy, in time", _anchored(log, in_time), of_two, "fair"),
        ("a policy, a second late", _anchored(log, late), of_two, "unproved"),
        ("no reveal, with the seed", _anchored(log[:3], in_time), of_two, "fair"),
        ("no reveal and no seed", _anchored(log[:3], in_time, seed=False), of_two, None),
        ("the seed in the reveal alone", _anchored(log, in_time, seed=False), of_two, "fair"),
        ("no deal", _anchored(log[:2], in_time), {**of_two, **now}, "fair"),
        ("no deal and no signature", _anchored(log[:2], in_time), of_two, None),
        ("the reader's seed", _anchored(log, in_time), {**of_two, **mine}, "fair"),
        ("what is not the reader's", _anchored(log, in_time), {**of_two, "mine": (own,)}, None),
        ("what the reader brought elsewhere", _anchored(log, in_time), {**of_two, "mine": (far,)},
         "unproved"),
        ("the reader's, not dealt", _anchored(log[:2], in_time), {**of_two, **now, **mine},
         "fair"),
        ("the reader's, not drawn", _anchored(log[:2], in_time), {**of_two, **mine}, None),
        ("a void", _anchored(void, in_time), {**of_two, **now}, None),
        ("another key", _document(log), {"key": OTHER_KEY}, None),
    ):  # fmt: skip
        found = _verify(document, **given)
        yield f"a raffle with {what}", found.get("state"), expected
        is_open = not ({"logged", "drawn"} <= set(found["shown"]) and BEFORE in found["shown"])
        yield f"no-collusion with {what}", "no-collusion" in found["not_shown"], is_open
        yield f"complete with {what}", found["not_shown"][-1], "complete"
    found = _verify(_anchored(void, in_time), policy=OF_TWO, signature=SIGNATURE)
    told = (found["void"], len(found["drawn"]), found["holds"])
    yield "a void is named, and drawn all the same", told, (rounds.LOCKED, 2, True)
    for what, found, is_yours in (
        ("in the lock, and drawn", _verify(_document(log[:2]), **now, **mine), True),
        ("in the lock, and not drawn", _verify(_document(log[:2]), **mine), False),
        ("in the lock, and given up", _verify(_document(void), **now, **mine), False),
        ("not in the lock", _verify(_document(log[:2]), mine=(own,), **now), False),
        ("in the lock, with another that is not",
         _verify(_document(log[:2]), mine=(made.REMEMBERED, own), **now), False),
    ):  # fmt: skip
        shown = ("yours" in found["shown"], "yours" in found["not_shown"])
        yield f"a contribution {what}", shown, (is_yours, not is_yours)
    found = _verify(_document(log[:2], seed=False))
    expected = ["drawn", "replayed", "committed-first", "authentic", "beacon", "no-collusion"]
    expected += ["witnessed", BEFORE, "complete"]
    yield "what is not shown before the draw", found["not_shown"], expected
    yield "and what is", (found["shown"], found["has_seed"]), (["logged"], False)
    found = _verify(_anchored(log, in_time), policy=OF_TWO)
    expected = ["logged", "drawn", "replayed", BEFORE]
    yield "what is shown after it", found["shown"], expected


def _kept():
    """Documents that the reader kept (38)."""
    commit, lock = _commit(), _lock()
    log = [commit, lock, _dealt(commit), REVEAL]
    document, promise = _document(log), _document(log[:2], seed=False)
    anchored = _anchored(log, rounds.OUT - 5)
    promise_anchored = _anchored(log[:2], rounds.OUT - 5)
    later = {**lock, "time": rounds.LOCKED + 1}
    unsigned = {**promise, "receipt": {**promise["receipt"], "checkpoint": "x"}}
    elsewhere = [commit, made.commit(2), lock]
    wrong_reveal = {**REVEAL, "server_seed": made.server_seed(2).hex()}
    lie, own = _document([commit, lock, wrong_reveal], seed=False), [("seed-mismatch", 2)]
    other_winners = {"indices": log[2]["result"]["indices"][::-1]}
    wrong, other = [*log[:2], {**log[2], "result": other_winners}], [("result-mismatch", 2)]
    unsigned_lie = {**lie, "receipt": {**lie["receipt"], "checkpoint": "x"}}
    moved = _document(elsewhere)
    moved["receipt"] = made.receipt_of(elsewhere, [0, 2])
    for what, kept, of, state, token, codes in (
        ("none", [], document, "unproved", None, []),
        ("the promise", [promise], document, "fair", True, []),
        ("the promise with its seed", [_document(log[:2])], document, "fair", True, []),
        ("itself", [document], document, "unproved", False, []),
        ("one with the deal", [_document(log[:3])], document, "unproved", False, []),
        ("the deal, and the promise", [_document(log[:3]), promise], document, "fair", True, []),
        ("a void", [_document([commit, lock, _void()])], document, "caught", False,
         [("inconsistent", None)]),
        ("one that nobody signed", [unsigned], document, "unproved", False, []),
        ("another lock", [_document([commit, later])], document, "caught", False,
         [("inconsistent", None)]),
        ("the lock at another index", [moved], document, "caught", False,
         [("inconsistent", None)]),
        ("one with a finding of its own", [lie], promise, "caught", False, own),
        ("two with one finding", [promise, lie, lie], promise, "caught", True, own),
        ("the finding of the receipt", [lie], lie, "caught", False, own),
        ("a finding in one that nobody signed", [unsigned_lie], promise, None, False, []),
        ("other winners, with the seed of the receipt", [_document(wrong, seed=False)],
         _document(log[:2]), "caught", False, other),
        ("other winners, with its own seed", [_document(wrong)], promise, "caught", False, other),
        ("other winners, without a seed", [_document(wrong, seed=False)], promise, None, False, []),
        ("a finding of its own, and one among them", [lie], _document(log[:3], seed=False),
         "caught", False, own + [("inconsistent", None)]),
    ):  # fmt: skip
        found = _verify(of, kept=kept)
        shown = True if KEPT in found["shown"] else False if KEPT in found["not_shown"] else None
        yield f"kept: {what}", (found.get("state"), shown), (state, token)
        # Two logs differ at more than one index or size: one such finding is enough here.
        told = [f for at, f in enumerate(made.codes(found)) if f not in made.codes(found)[:at] or f[1]]
        yield f"kept: findings with {what}", (told, found["holds"]), (codes, not codes)
    found = _verify(anchored, kept=[promise_anchored], policy=OF_TWO)
    both = [t for t in found["shown"] if t in (BEFORE, KEPT)]
    yield "both ways to show it", (found["state"], both), ("fair", [BEFORE, KEPT])
    found = _verify(anchored, kept=[anchored], policy=OF_TWO)
    yield "a kept one that shows nothing is a doubt", found["state"], "unproved"
    yield "but no-collusion needs one of the two", "no-collusion" in found["not_shown"], False
    found = _verify(promise, kept=[_document(log[:2])], signature=SIGNATURE)
    yield "a kept seed is known", (found["has_seed"], found["state"]), (True, "fair")
    found = _verify(_document(log[:3], seed=False), kept=[_document(log[:2])])
    yield "a deal is replayed with a kept seed", "replayed" in found["shown"], True
    found = _verify(promise, kept=[promise], chains={})
    yield "a chain that is not known", KEPT in found["shown"], True


def _findings():
    """The findings of the receipt of a raffle alone (38)."""
    commit, lock = _commit(), _lock()
    dealt = _dealt(commit)
    other = {**dealt, "result": {"indices": dealt["result"]["indices"][::-1]}}
    wrong = [("result-mismatch", 2)]
    for what, log, seed, codes in (
        ("replayed with a reveal", [commit, lock, dealt, REVEAL], False, []),
        ("other winners, with a reveal", [commit, lock, other, REVEAL], False, wrong),
        ("replayed with the document's seed", [commit, lock, dealt], True, []),
        ("other winners, with its seed", [commit, lock, other], True, wrong),
        ("other winners, without a seed", [commit, lock, other], False, []),
        ("both seeds", [commit, lock, other, REVEAL], True, wrong),
        ("another nonce", [commit, {**lock, "nonce": 1}], True, [("too-many-rounds", 1)]),
    ):  # fmt: skip
        found = _verify(_document(log, seed=seed))
        yield f"a deal {what}", made.codes(found), codes
        yield f"a deal {what}: holds", found["holds"], not codes
        is_replayed = not codes and (seed or REVEAL in log)
        yield f"a deal {what}: replayed", "replayed" in found["shown"], is_replayed
    foreign = _document([_commit(origin="other.example"), lock])
    found = _verify(foreign, signature=SIGNATURE)
    yield "a commit without effect", made.codes(found), [("invalid-entry", 0), ("no-commitment", 1)]
    told = (_drawn(found), "beacon" in found, found["table"])
    yield "draws nothing", told, (None, False, "table-1")


def _members():
    """The members of the verdict (39)."""
    commit = _commit(TWICE, draw=5)
    log = [commit, _lock(), _dealt(commit), REVEAL]
    document = _document(log)
    found = _verify(document, TWICE)
    whole = _document([_commit(), made.void(1, time=rounds.LOCKED), _lock()])
    told = _verify(whole, signature=rounds.SIGNATURES[1001])
    expected = (rounds.LOCKED, None, "caught")
    yield "a void of the whole commitment", tuple(map(told.get, ("void", "beacon", "state"))), expected
    told = _verify(_document([_commit(), _lock(None), _lock()]))
    yield "a lock that had effect without a round", told.get("beacon"), None
    told = {name: found[name] for name in ("table", "rules", "count", "different", "has_seed")}
    expected = {"table": "table-1", "rules": RULES, "count": 5, "different": 3, "has_seed": True}
    yield "the raffle", told, expected
    absent = {"nonce", "placed", "void", "line", "same_list", "policy"} & set(found)
    yield "what is absent", absent, set()
    yield "the logged result", found["indices"], log[2]["result"]["indices"]
    won = [of["line"] for of in found["drawn"]]
    lost = ({*TWICE} - {*won}).pop()
    for line, items in (("ann", 0), ("ben", 1), ("cat", 3)):
        told = _verify(document, TWICE, line=line)["line"]
        expected = {"line": line, "tickets": TWICE.count(line), "item": items}
        if line in won:
            expected["place"] = won.index(line)
        yield f"the line {line}", told, expected
        yield f"the line {line} has a place", "place" in told, line != lost
    told = _verify(document, TWICE, line="Ann")["line"]
    yield "a line that is not of the list", told, {"line": "Ann", "tickets": 0}
    told = _verify(_document(log[:2], seed=False), TWICE, line="ann")["line"]
    yield "a line before the draw", told, {"line": "ann", "tickets": 3, "item": 0}
    for what, line in (("an empty line", ""), ("two lines", "ann\nben")):
        told = _verify(document, TWICE, line=line)["line"]
        yield f"{what} has no tickets", told, {"line": line, "tickets": 0}
    yield "a line that is not UTF-8", refused(raffle.check_line, "\udcff"), "line"
