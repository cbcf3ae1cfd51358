"""Built-in checks of rounds of a beacon, in logs, receipts and audits (selftest.py runs them)."""

import beacon
import contributions
import deal
import receipt
import results
import selftestlogs as made
from beacon import QUICKNET
from brought import Reader
from life import Life
from refused import Refused
from selftestwitness import OF_TWO, two

NAME = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
SIGNATURES = {  # recorded rounds of quicknet
    1000: "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125"
    "e342b73a8dd2bacbe47e4b6b63ed5e39",
    1001: "b33bf3667cbd5a82de3a24b4e0e9fe5513cc1a0e840368c6e31f5fcfa79bea03"
    "f73896b25883abf2853d10337fb8fa41",
    1002: "ab066f9c12dd6de1336fca0f925192fb0c72a771c3e4c82ede1fd362c1a770f9"
    "eb05843c6308ce2530b53a99c0281a6e",
}
# That of round 1000 plus a point of order 3: only the check of the subgroup refuses it.
TWISTED = (
    "abbaa2cd356c8b543308abe2c07d92facb092294f841b0c295786b635167aba1"
    "48d4e2e86fedf3cf2c04c43b68a5aaee"
)
OUT = QUICKNET.out_at(1000)
MARGIN = 20_000
LOCKED = 1000 * (OUT - QUICKNET.period) - MARGIN  # the first time whose right round is 1000
AFTER = 1000 * OUT + 500
OTHER_CARDS = {"result": {"cards": "2c3c4c5c6c"}}


def checks():
    """(name, found, expected)."""
    yield from _rounds()
    yield "a reader can load py_ecc", beacon.is_available(), True
    if beacon.is_available():  # otherwise all of the rest fails
        yield from _chain_files()
        yield from _signatures()
        yield from _rules()
        yield from _replays()
        yield from _receipts()
        yield from _seats()
        yield from _audits()


def _rounds():
    """The right round on either side of its borders (beacon.md 31)."""
    first, period, most = 1000 * QUICKNET.genesis, 1000 * QUICKNET.period, (1 << 53) - 1
    for what, time, margin, expected in (
        ("before round 1", first - 1, 0, 1),
        ("at round 1", first, 0, 2),
        ("before round 2", first + period - 1, 0, 2),
        ("at round 2", first + period, 0, 3),
        ("the margin counts", first, period, 3),
        ("before the recorded rounds", LOCKED - 1, MARGIN, 999),
        ("the last time", most, 0, (most - first) // period + 2),
        ("after the last time", most, 1, None),
    ):
        yield f"the right round {what}", QUICKNET.right_round(time, margin), expected
    yield "when a round is out", (QUICKNET.out_at(1), OUT), (QUICKNET.genesis, 1_692_806_364)
    yield "the hash of quicknet", QUICKNET.hash().hex(), NAME


def _chain_files():
    """What a chain file needs (beacon.md 30); the vectors have more."""
    file = {"public_key": QUICKNET.key.hex(), "groupHash": QUICKNET.group_hash.hex()}
    file.update(period=3, genesis_time=QUICKNET.genesis, schemeID=beacon.SCHEME)
    file.update(metadata={"beaconID": "quicknet"}, hash=NAME)
    for what, changed, is_one in (
        ("quicknet", {}, True),
        ("another member", {"more": None}, True),
        ("another ID than that of its hash", {"metadata": {"beaconID": "other"}}, False),
        ("another scheme", {"schemeID": "pedersen-bls-chained"}, False),
        ("the identity as its key", {"public_key": "c0" + "00" * 95}, False),
    ):
        try:
            found = beacon.parse(made.bytes_of({**file, **changed})) == QUICKNET
        except Refused:
            found = False
        yield f"a chain file with {what}", found, is_one


def _signatures():
    """Signatures that verify, and what is near them (beacon.md 32)."""
    good = SIGNATURES[1000]
    flag = f"{int(good[:2], 16) ^ 0x20:02x}{good[2:]}"
    for what, number, signature, expected in (
        ("round 1000", 1000, good, True),
        ("round 1002", 1002, SIGNATURES[1002], True),
        ("another round", 1001, good, False),
        ("the negative", 1000, flag, False),
        ("the identity", 1000, "c0" + "00" * 47, False),
        ("a point that is not of the subgroup", 1000, TWISTED, False),
        ("no point", 1000, "ff" * 48, False),
    ):
        found = QUICKNET.verifies(number, bytes.fromhex(signature))
        yield f"a signature of {what}", found, expected


def _commit(chain: str = NAME, **changed) -> dict:
    of = {"chain": chain, "margin": MARGIN}
    early = {"time": LOCKED - 1, "reveal_by": AFTER + 1000, **changed}
    return made.commit(1, mixing="beacon", beacon=of, **early)


def _lock(number: int = 1000, time: int = LOCKED, **more) -> dict:
    return made.lock(1, 0, [made.REMEMBERED], beacon=number, time=time, **more)


def _dealt(commit: dict, signature: str = SIGNATURES[1000], **changed) -> dict:
    """The deal that the seeds and a signature give."""
    randomness = deal.sha256(bytes.fromhex(signature))
    mixed = [contributions.in_clear(made.REMEMBERED)]
    inputs = deal.Inputs(made.server_seed(1), 0, mixed, randomness)
    value = made.dealt(commit, 1, result=results.result_of(commit, inputs), time=AFTER)
    del value["contributions"]
    return {**value, "lock": 1, "beacon": signature, **changed}


def _log(number=1000, signature=SIGNATURES[1000], time=LOCKED, chain=NAME, **changed) -> list:
    """A commit, its lock, its deal and its reveal; `changed` are members of the deal."""
    commit = _commit(chain)
    dealt = _dealt(commit, signature, **changed)
    return [commit, _lock(number, time), dealt, {**made.reveal(1), "time": AFTER}]


def _found(log: list, chains: dict = beacon.CHAINS) -> list:
    life = Life(made.KEY, False)
    life.chains = chains
    found = [f for index, value in enumerate(log) for f in life.apply(index, made.bytes_of(value))]
    return [(f.code, f.index) for f in found]


def _rules():
    """The findings of row 13 (ledger.md 9.3)."""
    first, other = SIGNATURES[1000], SIGNATURES[1001]
    wrong_round, wrong_signature = ("beacon-round", 1), ("beacon-signature", 2)
    last = LOCKED + 1000 * QUICKNET.period - 1
    for what, log, codes in (
        ("the right round and its signature", _log(), []),
        ("the right round, at the last moment", _log(time=last), []),
        ("a round before", _log(time=last + 1), [wrong_round]),
        ("a round later", _log(time=LOCKED - 1), [wrong_round]),
        ("the next round with its signature", _log(1001, other), [wrong_round]),
        ("the next round with this signature", _log(1001), [wrong_round, wrong_signature]),
        ("the signature of another round", _log(1000, other), [wrong_signature]),
        ("a point that is not of the subgroup", _log(1000, TWISTED), [wrong_signature]),
        ("96 bytes", _log(beacon=first * 2), [("invalid-entry", 2), ("open-round", 3)]),
    ):
        yield f"a beacon with {what}", _found(log), codes
    log = _log(1001)
    yield "nothing of a beacon is judged without chains", _found(log, {}), []
    unknown = _log(1001, chain="00" * 32)
    yield "nor of a chain that is not known", _found(unknown), []
    named = {QUICKNET.hash().hex(): QUICKNET, "00" * 32: QUICKNET}
    yield "but of one that was given", _found(unknown, named), [wrong_round, wrong_signature]
    unknown[2].update(OTHER_CARDS)
    yield "its deal is replayed", _found(unknown), [("result-mismatch", 2)]
    log = _log(beacon=other, lock=0)
    yield "a deal that names another lock", _found(log), [wrong_signature, ("lock-mismatch", 2)]
    log = [*_log()[:1], *_log()[2:]]
    yield "a deal without a lock", _found(log), [("lock-mismatch", 1)]
    log = _log()
    del log[1]["beacon"]
    yield "a lock that names no round", _found(log), [("weak-mixing", 1), wrong_signature]
    log = _log()
    del log[2]["beacon"]
    yield "a deal without the signature", _found(log), [wrong_signature]
    huge = _log()
    huge[0]["beacon"] = {"chain": NAME, "margin": (1 << 53) - 1}
    yield "a time that has no right round", _found(huge), [wrong_round]


def _replays():
    """Where it is not known what was mixed, cards that do not follow are no finding (on 16)."""
    for what, log, codes in (
        ("of the right round", _log(**OTHER_CARDS), [("result-mismatch", 2)]),
        ("of a wrong round", _log(time=LOCKED - 1, **OTHER_CARDS), [("beacon-round", 1)]),
        ("of a wrong signature", _log(1000, TWISTED, **OTHER_CARDS), [("beacon-signature", 2)]),
    ):
        yield f"other cards {what}", _found(log), codes


def _anchored(log: list, second: int, indices=(0, 1, 2, 3, 4)) -> dict:
    """A receipt of a log with an anchor after its lock, which two witnesses signed."""
    anchor = made.anchor(log[:2], two(second), time=log[1]["time"])
    log = [*log[:2], anchor, *log[2:]]
    return {**made.receipt_of(log, list(indices)), "seen": [made.seen_of(log, 2)]}


def _receipts():
    """What a receipt shows of a beacon (receipt.md 11.4 and 11.11)."""
    reader, mine = Reader(policy=OF_TWO), Reader((made.REMEMBERED,), policy=OF_TWO)
    not_mine = Reader(({**made.REMEMBERED, "seed": "x"},), policy=OF_TWO)
    elsewhere = Reader((made.hashed(1, 1, "alice", "lucky"),), policy=OF_TWO)
    unknown, in_time, late = _log(chain="00" * 32), OUT - 5, OUT - 4
    before, none = "locked-before-beacon", set()
    for what, file, of, state, shown, left_out in (
        ("in time", _anchored(_log(), in_time), reader, "fair", {"replayed", before}, none),
        ("a second late", _anchored(_log(), late), reader, "unproved", {"replayed"}, {before}),
        ("no policy", _anchored(_log(), in_time), Reader(), "unproved", {"replayed"}, {before}),
        ("my seed", _anchored(_log(), in_time), mine, "fair", {"replayed", before, "yours"}, none),
        ("not my seed", _anchored(_log(), in_time), not_mine, None, {"replayed", before},
         {"yours"}),
        ("mine elsewhere", _anchored(_log(), in_time), elsewhere, "unproved",
         {"replayed", before}, {"yours"}),
        ("before the deal", _anchored(_log(), in_time, (0, 1, 2)), reader, None, {before},
         {"replayed", "beacon"}),
        ("before the reveal", _anchored(_log(), in_time, (0, 1, 2, 3)), reader, None, {before},
         {"replayed"}),
        ("a wrong round", _anchored(_log(time=LOCKED - 1), in_time), reader, "caught", none,
         {"replayed", before}),
        ("a wrong signature", _anchored(_log(1000, TWISTED), in_time), reader, "caught", {before},
         {"replayed"}),
        ("a chain that is not known", _anchored(unknown, in_time), reader, None, none,
         {"replayed", "beacon", before}),
    ):
        verdict = made.verdict(file, of)
        tokens = {"replayed", "beacon", before, "yours"}
        told = (set(verdict["shown"]) & tokens, set(verdict["not_shown"]) & tokens)
        yield f"a beacon's receipt: {what}", told, (shown, left_out)
        yield f"a beacon's receipt: {what}: state", verdict.get("state"), state
        is_open, is_closed = "no-collusion" in verdict["not_shown"], {"replayed", before} <= shown
        yield f"a beacon's receipt: {what}: no-collusion", is_open, not is_closed
        seconds = 5 if before in shown else None
        yield f"a beacon's receipt: {what}: seconds", verdict.get("before_beacon"), seconds
    other = Reader(policy=OF_TWO, chains={"00" * 32: QUICKNET})
    state = made.verdict(_anchored(unknown, in_time), other).get("state")
    yield "a receipt of a chain that was given", state, "fair"
    unsigned = _anchored(_log(), in_time)
    unsigned["checkpoint"] = made.note([made.leaf(made.commit(2))] * 5)
    told = receipt.verify(made.bytes_of(unsigned), made.KEY, reader).not_shown
    yield "a receipt that is not logged", {before, "no-collusion"} <= told, True


def _seats():
    """A lock before the beacon fixes the seats, too (receipt.md 11.4)."""
    seats, commit = ["bob", "alice"], _commit(layout={"hand": 1})
    log = [commit, _lock(seats=seats), _dealt(commit), {**made.reveal(1), "time": AFTER}]
    for what, second, is_open in (("in time", OUT - 5, False), ("too late", OUT - 4, True)):
        verdict = made.verdict(_anchored(log, second), Reader(policy=OF_TWO))
        found = ("placed" in verdict, "seats" in verdict["not_shown"])
        yield f"seats that were locked {what}", found, (True, is_open)


def _audits():
    """The numbers of an audit (audit.md 14.1, 15 and 15.1)."""
    unknown, void = "00" * 32, made.void(1, nonce=0)
    for what, log, given, numbers in (
        ("a deal", _log(), {}, (0, 1, 0)),
        ("a wrong round and signature", _log(1001), {}, (0, 1, 0)),
        ("a chain that is not known", _log(chain=unknown), {}, (1, 1, 0)),
        ("beacons that are skipped", _log(1001), {"chains": {}}, (1, 1, 0)),
        ("a void when it is out", [*_log()[:2], {**void, "time": 1000 * OUT}], {}, (0, 0, 0)),
        ("a void later", [*_log()[:2], {**void, "time": 1000 * OUT + 1}], {}, (0, 0, 1)),
        ("a void of another chain", [*_log(chain=unknown)[:2], {**void, "time": AFTER}], {},
         (0, 0, 0)),
        ("a void without a lock", [_commit(), {**void, "time": AFTER}], {}, (0, 0, 0)),
    ):
        verdict = made.audited(log, **given)
        reported = verdict["reported"]
        found = (verdict["unverified"]["beacons"], reported["beacon_rounds"])
        yield f"an audit of {what}", (*found, reported["beacon_voids"]), numbers
    late = [*_log()[:2], {**void, "time": AFTER}]
    for what, log, times, counts in (
        ("a lock in time", _log(), two(OUT - 5), (0, 0)),
        ("a lock a second late", _log(), two(OUT - 4), (1, 0)),
        ("a lock that nobody saw", _log(), None, (1, 0)),
        ("a lock of a wrong round", _log(time=LOCKED - 1), two(OUT - 5), (1, 0)),
        ("a lock of another chain", _log(chain=unknown), two(OUT - 5), (1, 0)),
        ("a deal without its lock", [*_log()[:1], *_log()[2:]], two(OUT - 5), (1, 0)),
        ("a void in time", late, two(OUT), (0, 0)),
        ("a void a second late", late, two(OUT + 1), (0, 1)),
        ("a void that nobody saw", late, None, (0, 1)),
        ("a void of another chain", [*_log(chain=unknown)[:2], late[2]], two(OUT), (0, 1)),
    ):
        witnesses = made.audited(log, times=times, policy=OF_TWO)["witnesses"]
        found = (witnesses["locks_not_before_beacon"], witnesses["voids_not_before_beacon"])
        yield f"witnesses of {what}", found, counts
