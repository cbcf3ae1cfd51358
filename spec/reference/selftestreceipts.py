"""Built-in checks of receipts, alone and together (selftest.py runs them)."""

import selftestlogs as made
import several
import tlog
from brought import Reader


def checks():
    """(name, found, expected)."""
    yield from _receipts()
    yield from _together()


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


def _together():
    """Several receipts as one excerpt (11.6)."""
    commit, second = made.commit(1), made.commit(2, after=made.name_of(1))
    log = [commit, second, made.dealt(commit, 1), made.dealt(second, 2)]
    files = [
        ("a", made.bytes_of(made.receipt_of(log, [0, 2]))),
        ("b", made.bytes_of(made.receipt_of(log, [1, 3]))),
    ]
    found = several.verify(files, made.KEY)
    yield "each holds alone", [v.findings for v in found.verdicts], [[], []]
    yield "but not together", [(f.code, f.index) for f in found.findings], [("out-of-turn", 2)]
    fork = [commit, second, made.dealt(commit, 1), made.dealt(second, 2, 1)]
    files.append(("c", made.bytes_of(made.receipt_of(fork, [1, 3]))))
    found = several.verify(files, made.KEY)
    yield "a fork", [(f.code, f.index) for f in found.findings], [
        ("inconsistent", None),
        ("inconsistent", None),
        ("out-of-turn", 2),
    ]
