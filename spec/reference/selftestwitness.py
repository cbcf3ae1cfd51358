"""Built-in checks of anchors and of audits with a policy (selftest.py runs them)."""

import audit
import logfiles
import policy as policies
import selftestlogs as made
import tlog
from brought import Reader
from life import Life
from refused import Refused

NOW = made.TIME // 1000
LATER = made.TIME + 1_000_000
OF_TWO, NOBODY = made.policy(), made.policy("quorum none")
WITHOUT_THE_THIRD = made.policy("group two all w1 w2\nquorum two")


def checks():
    """(name, found, expected)."""
    yield from _policies()
    yield from _grammar()
    yield from _places()
    yield from _views()
    yield from _backdated()
    yield from _excerpts()
    yield from _ahead()
    yield from _numbers()
    yield from _checkpoints()


def two(second: int) -> dict:
    """The times of two witnesses that say the same."""
    return {1: second, 2: second}


def _policies():
    """For which logs a policy is (witness.md 24.3)."""
    of = made.policy()
    text = "".join(
        f"witness {name.decode()} {tlog.key_text(key)}\n" for name, key in of.witnesses().items()
    )
    text += "quorum w1\n"
    for what, logs, is_for in (
        ("no log", [], True),
        ("this log", [made.KEY], True),
        ("the next key of this log", [made.NEXT_KEY], False),
        ("both", [made.NEXT_KEY, made.KEY], True),
    ):
        lines = "".join(f"log {tlog.key_text(key)}\n" for key in logs)
        try:
            policies.of_log((lines + text).encode(), made.KEY)
            yield f"a policy that lists {what}", True, is_for
        except Refused:
            yield f"a policy that lists {what}", False, is_for


def _grammar():
    """The form of an anchor (ledger.md 8.2)."""
    commit = made.commit(1)
    anchor = made.anchor([commit], two(NOW))
    lines = anchor["cosignatures"]

    def line(length: int, name: str = "w", last: int = 0) -> str:
        return f"\u2014 {name} {tlog.encode_base64(bytes(length - 1) + bytes([last]))}"

    many = [line(76, f"w{n:02}") for n in range(17)]
    for what, changed, is_one in (
        ("an anchor", {}, True),
        ("lines that are not sorted", {"cosignatures": lines[::-1]}, False),
        ("a line twice", {"cosignatures": [lines[0]] * 2}, False),
        ("one name and key ID twice", {"cosignatures": [line(76), line(76, last=1)]}, False),
        ("one name and key ID in two types", {"cosignatures": [line(76), line(2432)]}, False),
        ("16 lines", {"cosignatures": many[:16]}, True),
        ("17 lines", {"cosignatures": many}, False),
        ("no lines", {"cosignatures": []}, False),
        ("75 bytes", {"cosignatures": [line(75)]}, False),
        ("76 bytes", {"cosignatures": [line(76)]}, True),
        ("77 bytes", {"cosignatures": [line(77)]}, False),
        ("2,431 bytes", {"cosignatures": [line(2431)]}, False),
        ("2,432 bytes", {"cosignatures": [line(2432)]}, True),
        ("a name of 255 bytes", {"cosignatures": [line(76, "w" * 255)]}, True),
        ("a name of 256 bytes", {"cosignatures": [line(76, "w" * 256)]}, False),
        ("a name with a plus sign", {"cosignatures": [line(76, "w+w")]}, False),
        ("no name", {"cosignatures": [line(76, "")]}, False),
        ("another dash", {"cosignatures": ["-" + line(76)[1:]]}, False),
        ("a newline", {"cosignatures": [line(76) + "\n"]}, False),
        ("a line that is a number", {"cosignatures": [1]}, False),
        ("a commitment", {"commitment": made.name_of(1)}, False),
        ("ext", {"ext": "00" * 32}, False),
        ("a nonce", {"nonce": 0}, False),
        ("size 0", {"size": 0}, False),
        ("a root that is no hash", {"root": "00"}, False),
    ):
        value = {**anchor, **changed}
        # The size is over the index, so that the grammar alone refuses.
        codes = made.found([(0, commit), (1, value)], True)
        yield f"anchor: {what}", codes, [] if is_one else [("invalid-entry", 1)]
    bare = {name: value for name, value in anchor.items() if name != "root"}
    yield "anchor: no root", made.found([commit, bare]), [("invalid-entry", 1)]
    over = made.audited([commit, {**anchor, "commitment": made.name_of(1)}])["findings"]
    yield "anchor: the commitment that it names", over[0]["commitment"], made.name_of(1)
    other = {**commit, "protocol": "other/v2"}
    under = made.found([other, {**anchor, "commitment": made.name_of(1)}])
    yield "anchor: under a commitment that is not judged", under, []


def _places():
    """An anchor among other entries (ledger.md 9.3)."""
    commit = made.commit(1, mixing="hashes")
    alice = made.hashed(1, 0, "alice", "lucky")
    log = [commit, made.lock(1, 0, [made.locked(alice)])]
    log.append(made.anchor(log, two(NOW)))
    log += [made.answer(commit, 1, 1, [alice]), made.reveal(1)]
    log.append(made.anchor(log, two(NOW)))
    yield "anchors in a locked round and at the end", made.found(log), []
    yield "and for a reader who has a policy", made.found(log, policy=OF_TWO), []
    late = [*log, {**made.anchor(log, two(NOW)), "time": made.TIME - 1}]
    yield "an anchor's time runs back", made.found(late), [("time-runs-back", 6)]
    late = [*log[:5], {**log[5], "time": LATER}]
    verdict = made.audited(late)
    yield "an anchor's time is the last one", (verdict["last_time"], verdict["as_of"]), (LATER,) * 2
    log = [made.commit(1), made.void(1)]
    log += [made.anchor(log, {1: NOW}, 2)]
    again = [*log, made.anchor(log, {2: NOW}, 2), made.anchor(log, {2: NOW}, 1)]
    codes = made.found([*again, made.anchor(log, {1: NOW}, 3)])
    yield "an anchor of the same size, and of less", codes, [
        ("invalid-entry", 3),
        ("invalid-entry", 4),
    ]
    told = made.audited(again)["findings"]
    yield "and they have no commitment", [(f["commitment"], f["nonce"]) for f in told], [
        (None, None)
    ] * 2
    ahead = [log[0], {**made.anchor(log, {1: NOW}), "size": 9}, made.anchor(log, {1: NOW}, 1)]
    codes = [("split-view", 1), ("invalid-entry", 2)]
    yield "an anchor that is too large has effect", made.found(ahead), codes


def _views():
    """An anchor's size and root against the log's (row 11)."""
    log = [made.commit(1), made.void(1)]
    fork = [made.commit(1), made.commit(2)]
    for what, anchor, codes in (
        ("of its index", made.anchor(log, {1: NOW}), []),
        ("of less", made.anchor(log, {1: NOW}, 1), []),
        ("of itself too", made.anchor([*log, log[1]], {1: NOW}), [("split-view", 2)]),
        ("of another log", made.anchor(fork, {1: NOW}), [("split-view", 2)]),
        ("of its first entry", made.anchor(fork, {1: NOW}, 1), []),
    ):
        yield f"an anchor {what}", made.found([*log, anchor]), codes
        again = made.found([*log, anchor], policy=OF_TWO)
        yield f"an anchor {what}, with a policy", again, codes
        whole = made.codes(made.audited([*log, anchor], policy=OF_TWO))
        yield f"an anchor {what}, in an audit", whole, codes
    lines = made.cosignatures(two(NOW), 9, bytes(32))
    ahead = made.anchor(log, {}, size=9, root="00" * 32, cosignatures=lines)
    whole = made.codes(made.audited([*log, ahead], policy=OF_TWO))
    yield "an anchor of more than the log, in an audit", whole, [("split-view", 2)]
    life = Life(made.KEY, False)
    life.has_roots = False
    values = [*log, made.anchor(fork, {1: NOW})]
    found = [f for i, value in enumerate(values) for f in life.apply(i, made.bytes_of(value))]
    yield "an anchor where the log has no roots", found, []


def _backdated():
    """Times before the floor (row 10), on either side of the limit."""
    floor = NOW + 300  # exactly 300,000 ms after TIME

    def found(times: dict, time: int, then: int, policy=OF_TWO) -> list:
        """A log whose anchor has one time, and the void after it another."""
        commit = made.commit(1, time=time)
        log = [commit, made.anchor([commit], times, time=time), {**made.void(1), "time": then}]
        return made.found(log, policy=policy)

    before = made.TIME - 1
    both, back = [("backdated", 1), ("backdated", 2)], ("time-runs-back", 2)
    for what, times, time, then, codes in (
        ("at the limit", two(floor), made.TIME, made.TIME, []),
        ("one millisecond before it", two(floor), before, before, both),
        ("the anchor alone", two(floor), before, made.TIME, both[:1]),
        ("an entry alone", two(floor), made.TIME, before, [back, both[1]]),
        ("one witness of three", {1: floor + 9_999}, before, before, []),
        ("the second greatest", {1: floor + 9_999, 2: floor, 3: NOW}, before, before, both),
        ("the second greatest, at the limit", {1: floor + 99, 2: floor}, made.TIME, made.TIME, []),
        ("the second without a time", {1: floor + 9_999, 2: 0}, before, before, []),
        ("a time after the year 9999", {1: floor, 2: 253_402_300_800}, before, before, []),
    ):
        yield f"backdated: {what}", found(times, time, then), codes
    codes = found(two(floor), before, before, None)
    yield "backdated: without a policy", codes, []
    codes = found(two(floor + 9_999), before, before, NOBODY)
    yield "backdated: the quorum none", codes, []
    log = [made.commit(1), made.void(1)]
    first = made.anchor(log, two(floor + 1), 1)
    codes = made.found([*log, first, made.anchor(log, two(NOW), 2), made.reveal(2)], policy=OF_TWO)
    yield "backdated: the floor does not fall", codes, [
        ("backdated", 2),
        ("backdated", 3),
        ("no-commitment", 4),
    ]
    low = made.anchor(log, two(NOW), 2)
    codes = made.found([*log, low, first, made.commit(2, table="table-2")], policy=OF_TWO)
    yield "backdated: an anchor without effect is no floor", codes, [("invalid-entry", 3)]
    wrong = {**low, "cosignatures": first["cosignatures"]}
    yield "backdated: lines for another root", made.found([*log, wrong], policy=OF_TWO), []
    fork = made.anchor([made.commit(1), made.commit(2)], two(floor + 1))
    codes = made.found([*log, fork], policy=OF_TWO)
    yield "backdated: and of a fork", codes, [("backdated", 2), ("split-view", 2)]
    finding = made.audited([*log, first], policy=OF_TWO)["findings"][0]
    says = "under your policy, 'w1', 'w2'" in finding["says"]
    found_of = (finding["class"], finding["accuses"], finding["commitment"], says)
    yield "backdated: in words", found_of, ("time", "operator", None, True)
    first = made.anchor(log, {1: floor + 1, 2: floor + 1, 3: floor + 1})
    (finding,) = made.audited([*log, first], policy=WITHOUT_THE_THIRD)["findings"]
    yield "backdated: who is not of the quorum is not named", "w3" in finding["says"], False


def _excerpts():
    """Anchors in an excerpt."""
    commit, floor = made.commit(1), NOW + 301
    dealt = made.dealt(commit, 1)
    anchor = made.anchor([commit], two(floor), time=LATER)
    codes = made.found([(0, commit), (5, anchor), (9, {**dealt, "time": LATER})], True, OF_TWO)
    yield "excerpt: an anchor of any root", codes, []
    codes = made.found([(0, commit), (5, anchor), (9, dealt)], True, OF_TWO)
    yield "excerpt: backdated", codes, [("time-runs-back", 9), ("backdated", 9)]
    root = bytes.fromhex(anchor["root"])
    saw = {**made.REMEMBERED, "seen": made.seen([made.leaf(commit)], 1)}
    other = {**made.REMEMBERED, "seen": made.seen([bytes(32)], 1)}
    for what, given, codes in (("the same", saw, []), ("another", other, [("split-view", 9)])):
        anchored, saw_it = made.anchor([commit], {1: NOW}), made.dealt(commit, 1, 0, [given])
        log = [(0, commit), (5, anchored), (9, saw_it)]
        yield f"excerpt: a seen of {what} root than an anchor's", made.found(log, True), codes
        log = [(0, commit), (3, saw_it), (5, anchored)]
        codes = [("split-view", 5)] if codes else []
        yield f"excerpt: an anchor of {what} root than a seen's", made.found(log, True), codes
    life = Life(made.KEY, True, {1: root})
    life.apply(0, made.bytes_of(commit))
    found = life.apply(5, made.bytes_of({**anchor, "root": "00" * 32}))
    yield "excerpt: another root than the proved one", [f.code for f in found], ["split-view"]
    ahead = made.found([(0, commit), (5, {**anchor, "size": 6})], True)
    yield "excerpt: an anchor that is too large", ahead, [("split-view", 5)]
    twice = made.found([(0, commit), (5, anchor), (6, anchor)], True)
    yield "excerpt: an anchor twice", twice, [("invalid-entry", 6)]


def _ahead():
    """Times after witnesses signed (audit.md 13.3, step 5), on either side of the limit."""
    limit = made.TIME + 300_000  # for what was signed at NOW
    late = {"reveal_by": LATER}

    def found(log: list, times=None, policy=OF_TWO, **given) -> list:
        verdict = made.audited(log, times=times, policy=policy, **given)
        return [(f["code"], f["index"]) for f in verdict["findings"]]

    for what, time, codes in (
        ("at the limit", limit, []),
        ("a millisecond later", limit + 1, [("time-ahead", 0)]),
    ):
        commit = made.commit(1, time=time, **late)
        anchored = [commit, made.anchor([commit], two(NOW), time=time)]
        yield f"ahead of an anchor: {what}", found(anchored), codes
        yield f"ahead of the checkpoint: {what}", found([commit], two(NOW)), codes
        yield f"ahead of both: {what}", found(anchored, two(NOW)), codes
        yield f"ahead of one witness: {what}", found([commit], {1: NOW}), []
        yield f"ahead of nobody: {what}", found(anchored, two(NOW), NOBODY), []
        yield f"ahead without a policy: {what}", found(anchored, two(NOW), None), []
        by = {1: NOW - 99, 2: NOW, 3: NOW + 99}
        yield f"ahead of the second: {what}", found([commit], by), codes
        both = [commit, made.commit(2, time=time, table="table-2", **late)]
        yield f"ahead, the first of equals: {what}", found(both, two(NOW)), codes
        fork = {**anchored[1], **made.anchor([made.commit(2)], two(NOW)), "time": time}
        codes = found([commit, fork])
        yield f"ahead of an anchor of a fork: {what}", codes, [("split-view", 1)]
    commit = made.commit(1, **late)
    log = [commit, made.anchor([commit], two(NOW)), {**made.void(1), "time": limit + 1}]
    yield "ahead after an anchor's size", found(log), []
    yield "ahead under the checkpoint's", found(log, two(NOW)), [("time-ahead", 2)]
    log = [commit, made.anchor([commit], two(NOW), time=limit + 1)]
    (finding,) = made.audited(log, times=two(NOW), policy=OF_TWO)["findings"]
    says = "under your policy, 'w1', 'w2'" in finding["says"]
    told = (finding["index"], finding["commitment"], finding["accuses"], says)
    yield "an anchor ahead, in words", told, (1, None, "operator", True)
    log = [made.commit(1, time=limit + 1, **late)]
    log.append(made.anchor(log, two(NOW), time=limit + 2))
    log.append(made.commit(2, time=limit + 3, table="table-2", **late))
    twice = [("time-ahead", 0), ("time-ahead", 2)]
    yield "each size has its greatest", found(log, two(NOW)), twice
    yield "an entry has it once", found(log, two(NOW), clock=made.TIME), twice
    cut = logfiles.Export("cut", made.export(log, two(NOW)))
    cut.entries = [*cut.entries[:1], b"{}", *cut.entries[2:]]
    verdict = audit.audit(cut, made.KEY, audit.Inputs(policy=OF_TWO)).to_json
    codes = [("tree-mismatch", None), ("invalid-entry", 1)]
    yield "nothing proves where the log has no roots", made.codes(verdict), codes


def _numbers():
    """The member `witnesses` (audit.md 15.1)."""
    due = made.TIME + 1000  # the commits' reveal_by, whose last second is NOW + 301
    first = [made.commit(1), made.reveal(1)]
    log = [*first, made.anchor(first, two(NOW + 5))]
    log.append(made.anchor(log, {1: NOW + 7}))
    log.append(made.anchor(log, two(NOW + 4)))
    log.append(made.anchor(log, two(0)))
    none = {"policy": OF_TWO.hash.hex(), "anchors": 0, "proving": 0, "size": None, "by": None}
    none.update(longest=None, not_covered=0, reveals_not_in_time=0)
    none.update(locks_not_before_beacon=0, voids_not_before_beacon=0)
    one = {**none, "anchors": 1, "proving": 1, "size": 2, "by": NOW + 5, "not_covered": 1}
    whole = {**none, "anchors": 4, "proving": 3, "size": 5, "not_covered": 1, "longest": 0}
    other = [made.commit(2)]
    fork = [*first, made.anchor([*other, *other], two(NOW))]
    for what, of, times, expected in (
        ("an empty log", [], None, none),
        ("an empty log that is cosigned", [], two(NOW), none),
        ("no anchors", first, None, {**none, "not_covered": 2, "reveals_not_in_time": 1}),
        ("one", log[:3], None, one),
        ("one that does not prove", log[:4], None, {**one, "anchors": 2, "not_covered": 2}),
        ("a time that runs back, and one without", log, None, whole),
        ("and the checkpoint", log, two(NOW + 99),
         {**whole, "size": 6, "by": NOW + 99, "longest": 95, "not_covered": 0}),
        ("the checkpoint alone", first, two(NOW), {**none, "size": 2, "by": NOW}),
        ("a fork's anchor", fork, None,
         {**none, "anchors": 1, "not_covered": 3, "reveals_not_in_time": 1}),
        ("a reveal at the limit", first, two(NOW + 301), {**none, "size": 2, "by": NOW + 301}),
        ("a reveal a second later", first, two(NOW + 302),
         {**none, "size": 2, "by": NOW + 302, "reveals_not_in_time": 1}),
        ("a reveal that is not covered", [*first, made.anchor(first, two(NOW), 1)], None,
         {**one, "size": 1, "by": NOW, "not_covered": 2, "reveals_not_in_time": 1}),
    ):
        verdict = made.audited(of, times=times, policy=OF_TWO)
        yield f"witnesses of {what}", verdict["witnesses"], expected
    yield "their order", list(made.audited(log, policy=OF_TWO))[-2:], ["reported", "witnesses"]
    yield "the order in them", list(made.audited(log, policy=OF_TWO)["witnesses"]), list(none)
    yield "without a policy", "witnesses" in made.audited(log, times=two(NOW)), False
    late = [first[0], {**first[1], "time": due + 1}]
    verdict = made.audited(late, times=two(NOW), policy=OF_TWO)
    in_time = verdict["witnesses"]["reveals_not_in_time"]
    yield "a late reveal may be shown in time", (made.codes(verdict), in_time), (
        [("late-reveal", 1)],
        0,
    )


def _checkpoints():
    """A line of a witness that does not verify (witness.md 25)."""
    log = [made.commit(1), made.void(1)]
    note = made.note([made.leaf(value) for value in log], times=two(NOW))
    others = made.note([made.leaf(value) for value in log[:1]], times={1: NOW, 3: NOW})
    for what, line, codes in (
        ("another's line", "\u2014 x AAAAAAA=\n", []),
        ("a wrong line of a witness", others.splitlines()[-1] + "\n", [("bad-signature", None)]),
    ):
        file = logfiles.Export("the log", made.export(log))
        file.note = (note + line).encode()
        verdict = audit.audit(file, made.KEY, audit.Inputs(policy=OF_TWO)).to_json
        yield f"{what}: an audit", made.codes(verdict), codes
        yield f"{what}: proves", verdict["witnesses"]["size"], None if codes else 2
        verdict = audit.audit(file, made.KEY).to_json
        yield f"{what}: an audit without a policy", made.codes(verdict), []
        value = {**made.receipt_of(log, [0, 1]), "checkpoint": note + line}
        verdict = made.verdict(value, Reader(policy=OF_TWO))
        yield f"{what}: a receipt", made.codes(verdict), codes
        yield f"{what}: shown", verdict["shown"], [] if codes else ["logged", "witnessed"]
        yield f"{what}: a receipt without a policy", made.codes(made.verdict(value)), []
    dealt = made.dealt(log[0], 1, result={"cards": "2c3c4c5c6c"})
    bad = {**made.receipt_of([log[0], dealt, made.reveal(1)], [0, 1, 2])}
    bad["checkpoint"] += others.splitlines()[-1] + "\n"
    told = [(f["code"], f["accuses"]) for f in made.verdict(bad, Reader(policy=OF_TWO))["findings"]]
    expected = [("bad-signature", "nobody"), ("result-mismatch", "operator")]
    yield "a wrong line hides nothing", told, expected
