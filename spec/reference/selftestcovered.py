"""Built-in checks of receipts with a policy, alone and together (selftest.py runs them)."""

import selftestlogs as made
import several
from brought import Reader
from several import Given
from selftestwitness import LATER, NOBODY, NOW, OF_TWO, two


def checks():
    """(name, found, expected)."""
    yield from _covered()
    yield from _timed()
    yield from _together()


def _covered():
    """Entries that a quorum had seen (receipt.md 11.11)."""
    commit = made.commit(1)
    log = [commit, made.dealt(commit, 1), made.reveal(1)]
    anchor = made.anchor(log, {1: NOW, 2: NOW + 2, 3: NOW + 9})
    log += [anchor, made.void(1)]
    seen = {"seen": [made.seen_of(log, 3)]}
    all_by = {kind: {"by": NOW + 2, "witnesses": ["w1", "w2"]} for kind in ("deal", "reveal")}
    later = {kind: {"by": NOW + 5, "witnesses": ["w2", "w3"]} for kind in ("deal", "reveal")}
    both = {kind: {"by": NOW + 2, "witnesses": ["w1", "w2", "w3"]} for kind in ("deal", "reveal")}
    no_time = {kind: {"witnesses": ["w1", "w2"]} for kind in ("deal", "reveal")}
    bare = made.receipt_of(log, [0, 1, 2, 3])
    by_checkpoint = made.receipt_of(log, [0, 1, 2], {2: NOW + 5, 3: NOW})
    by_both = made.receipt_of(log, [0, 1, 2, 3], {2: NOW + 5, 3: NOW})
    without_times = made.receipt_of(log, [0, 1, 2], two(0))
    fork = [commit, log[1], made.void(1), anchor]
    early = [*log[:2], made.anchor(log, two(NOW), 2), log[2]]
    half = {**made.receipt_of(early, [0, 1, 2, 3]), "seen": [made.seen_of(early, 2)]}
    on_index = [commit, made.anchor(log, two(NOW), 1), log[1]]
    before = {**made.receipt_of(on_index, [0, 1, 2]), "seen": [made.seen_of(on_index, 1)]}
    alone = {**made.receipt_of(on_index, [0, 1]), "seen": [made.seen_of(on_index, 1)]}
    deal = {"deal": {"by": NOW, "witnesses": ["w1", "w2"]}}
    for what, value, policy, is_shown, witnessed in (
        ("an anchor that is proved", {**bare, **seen}, OF_TWO, True, all_by),
        ("an anchor that is not proved", bare, OF_TWO, False, None),
        ("the checkpoint alone", by_checkpoint, OF_TWO, True, later),
        ("both", {**by_both, **seen}, OF_TWO, True, both),
        ("the checkpoint, beside an anchor that is not proved", by_both, OF_TWO, True, later),
        ("the checkpoint without times", without_times, OF_TWO, True, no_time),
        ("one witness", made.receipt_of(log, [0, 1, 2], {1: NOW}), OF_TWO, False, None),
        ("the quorum none", {**by_both, **seen}, NOBODY, False, None),
        ("an anchor before the reveal", half, OF_TWO, False, deal),
        ("an anchor before the deal", before, OF_TWO, False, None),
        ("a commit alone", alone, OF_TWO, True, None),
        ("no policy", {**by_both, **seen}, None, False, None),
        ("no receipt", {}, OF_TWO, False, None),
    ):
        verdict = made.verdict(value, Reader(policy=policy))
        told = ("witnessed" in verdict["shown"], "witnessed" in verdict["not_shown"])
        yield f"witnessed by {what}", told, (is_shown, not is_shown)
        yield f"witnessed by {what}: who", verdict.get("witnessed"), witnessed
        of = None if policy is None else policy.hash.hex()
        yield f"witnessed by {what}: policy", verdict.get("policy"), of
        yield f"witnessed by {what}: holds", verdict["holds"], value != {}
    value = {**made.receipt_of(fork, [0, 1, 3]), "seen": [made.seen_of(fork, 3)]}
    verdict = made.verdict(value, Reader(policy=OF_TWO))
    yield "a proved root that is not the anchor's", made.codes(verdict), [("split-view", 3)]
    yield "and nothing is witnessed", "witnessed" in verdict, False
    del value["seen"]
    verdict = made.verdict(value, Reader(policy=OF_TWO))
    yield "a fork that nothing proves", made.codes(verdict), []
    told = verdict["shown"], "witnessed" in verdict
    yield "shows nothing", told, (["logged"], False)
    other = [{**commit, "protocol": "other/v2"}, made.void(1)]
    verdict = made.verdict(made.receipt_of(other, [0, 1], two(NOW)), Reader(policy=OF_TWO))
    yield "another protocol", verdict["shown"], ["logged", "witnessed"]
    wrong = [*log[:2], {"entry": "anchor"}]
    wrong.append(made.anchor(wrong, two(NOW), 2))
    value = {**made.receipt_of(wrong, [0, 1, 2, 3]), "seen": [made.seen_of(wrong, 2)]}
    verdict = made.verdict(value, Reader(policy=OF_TWO))
    yield "what is no grammatical anchor is to be covered", verdict["shown"], ["logged", "timed"]


def _timed():
    """Whether a deal's time is shown, on either side of both limits (receipt.md 11.11)."""
    for what, time, is_shown in (
        ("the same", made.TIME, True),
        ("300 s before", made.TIME - 300_000, True),
        ("1 ms more", made.TIME - 300_001, False),
        ("300 s after", made.TIME + 300_000, True),
        ("1 ms later", made.TIME + 300_001, False),
    ):
        commit = made.commit(1, time=made.TIME - 300_001)
        log = [commit, {**made.dealt(commit, 1), "time": time}]
        longer = [*log, made.anchor(log, two(NOW), time=made.TIME + 300_001)]
        anchored = {**made.receipt_of(longer, [0, 1, 2]), "seen": [made.seen_of(longer, 2)]}
        covered = made.receipt_of(log, [0, 1], two(NOW))
        for by, value in (("checkpoint", covered), ("anchor", anchored)):
            verdict = made.verdict(value, Reader(policy=OF_TWO))
            told = ("timed" in verdict["shown"], "timed" in verdict["not_shown"])
            yield f"timed by the {by}: {what}", told, (is_shown, not is_shown)
    shown = made.verdict(made.receipt_of(log, [0], two(NOW)), Reader(policy=OF_TWO))
    yield "timed: no deal", "timed" in shown["shown"] + shown["not_shown"], False
    shown = made.verdict(made.receipt_of(log, [0, 1], two(0)), Reader(policy=OF_TWO))
    yield "timed: no time", "timed" in shown["not_shown"], True
    shown = made.verdict(made.receipt_of(log, [0, 1], two(NOW)))
    yield "timed: no policy", "timed" in shown["shown"] + shown["not_shown"], False


def _together():
    """Anchors in several files (receipt.md 11.6)."""
    commit, floor = made.commit(1), NOW + 301
    log = [commit, made.anchor([commit], two(floor), time=made.TIME + 1000)]
    log.append({**made.dealt(commit, 1), "time": made.TIME + 999})
    log.append(made.anchor(log, two(floor), time=made.TIME + 1000))
    fork = [*log[:1], {**log[2], "time": LATER}]
    fork.append(made.anchor([commit, made.reveal(1)], two(floor), time=LATER))

    def found(*values, policy=OF_TWO) -> list:
        files = [Given(str(n), made.bytes_of(value)) for n, value in enumerate(values)]
        together = several.verify(files, made.KEY, Reader(policy=policy))
        return [(f.code, f.index) for f in together.findings]

    first, second = made.receipt_of(log, [0, 1]), made.receipt_of(log, [0, 2])
    runs_back, before = ("time-runs-back", 2), ("backdated", 2)
    yield "together: backdated", found(first, second), [runs_back, before]
    yield "together: without a policy", found(first, second, policy=None), [runs_back]
    yield "together: two anchors", found(first, made.receipt_of(log, [0, 3])), []
    other = made.receipt_of(fork, [0, 2])
    yield "together: sizes that nothing compares", found(made.receipt_of(log, [0]), other), []
    proved = {**made.receipt_of(log, [0]), "seen": [made.seen_of(log, 2)]}
    yield "together: an anchor and a proved root", found(proved, other), [("inconsistent", None)]
    third = [commit, log[2], made.anchor(log[:2], two(floor), time=LATER), made.void(1)]
    anchors = found(made.receipt_of(third, [0, 2]), other, policy=None)
    yield "together: two anchors of one size", anchors, [("inconsistent", None)] * 2
    yield "together: an anchor alone", found(other), []
