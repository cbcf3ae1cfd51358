"""Makes our own files of fixtures/dialects: rows of fairdeal/v1, and digest cases.

Digest cases replace HMACs by given digests, for the paths that no real
round reaches.
"""

import json

import deal
import dialects
import schemes
import rows


def _file(head: dict, name: str, items: list) -> str:
    """JSON with one item on each line."""
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}," for key, value in head.items()]
    body = ",\n".join("    " + json.dumps(item, ensure_ascii=False) for item in items)
    return "{\n" + "\n".join(lines) + f'\n  "{name}": [\n{body}\n  ]\n}}\n'


# fairdeal-v1.json

SEED = bytes(range(32)).hex()
OTHER = schemes.sha256(b"fairdeal/v1 in fixtures/dialects").hex()
SEEN = {"root": schemes.sha256(b"a root that was seen").hex(), "size": 5}


def _dealt(row: dict) -> list:
    """The whole deal of a row's inputs."""
    deck = deal.deck_cards(row.get("deck") or "standard-52")
    contributions = dialects.FairdealV1.contributions(row)
    inputs = deal.Inputs(bytes.fromhex(row["server_seed"]), row["nonce"], contributions)
    return [
        deck[i] for i in deal.replay(inputs, row.get("method") or "shuffle", len(deck), len(deck)).indices
    ]


def _round(seed: str, client, nonce: int, count: int, joined: bool = True, note: str = "", **own) -> dict:
    """A valid row; a `client` that is not text is an array of contributions."""
    row = {"server_seed": seed, "commitment": schemes.sha256(bytes.fromhex(seed)).hex()}
    row["client_seed" if isinstance(client, str) else "contributions"] = client
    row.update(nonce=nonce, **own)
    readable = rows.parse_json(json.dumps(row))
    cards = _dealt({**readable, "nonce": nonce})[:count]
    row["cards"] = "".join(cards) if joined else cards
    row["valid"] = True
    return {**row, "note": note} if note else row


def _wrong(row: dict, reason: str, note: str, **changed) -> dict:
    return {**row, **changed, "valid": False, "reason": reason, "note": note, "derived": True}


def fairdeal_v1() -> str:
    """fixtures/dialects/fairdeal-v1.json"""
    two = "alice=lucky\nbob=seven"
    array = [{"from": "alice", "seed": "lucky", "seen": SEEN}, {"from": "bob", "seed": "seven"}]
    example = _round(SEED, "alice=lucky", 0, 52, note="the worked example of shuffle.md", full=True)
    five = _round(SEED, "alice=lucky", 1, 5)
    valid = [
        example,
        five,
        _round(SEED, two, 0, 10, joined=False),
        _round(SEED, "bob=seven\nalice=lucky", 0, 10, note="the order of contributions chooses nothing"),
        _round(SEED, array, 0, 10, note="one contributor had seen a checkpoint"),
        _round(OTHER, "carol=a=b", 7, 9, note="split at the first ="),
        _round(
            OTHER,
            "dora=Gl\u00fcck \u2663",
            2**53 - 1,
            9,
            note="the highest nonce, and text that is not ASCII",
        ),
        _round(OTHER, two, 3, 36, deck="short-36", full=True),
        _round(OTHER, two, 4, 54, deck="jokers-54", full=True),
        {**_round(OTHER, two, 5, 24, joined=False, deck="standard-52x8"), "commitment": None},
        _round(OTHER, two, 6, 104, deck="standard-52x2", method="shuffle", full=True),
        _round(OTHER, two, 3, 36, deck="short-36", method="cycle", full=True),
        _round(SEED, "alice=lucky", 2, 11, method="cycle"),
        {
            **five,
            "server_seed": SEED.upper(),
            "commitment": five["commitment"].upper(),
            "note": "upper-case hex is the same seed",
        },
    ]
    cards = example["cards"]
    invalid = [
        _wrong(
            example,
            "cards_mismatch",
            "two neighbouring cards exchanged",
            cards=cards[:8] + cards[10:12] + cards[8:10] + cards[12:],
        ),
        _wrong(example, "cards_mismatch", "the last card left out of a whole deck", cards=cards[:-2]),
        _wrong(five, "cards_mismatch", "nonce moved by one", nonce=2),
        _wrong(
            five,
            "cards_mismatch",
            "more cards than the deck holds",
            cards="".join(_dealt({**five, "deck": None})) + "2c",
        ),
        _wrong(five, "cards_mismatch", "dealt with another method", method="cycle"),
        _wrong(
            five,
            "commitment_mismatch",
            "commitment taken over the hex text",
            commitment=schemes.sha256(SEED.encode()).hex(),
        ),
        _wrong(
            five,
            "commitment_mismatch",
            "another commitment, and other cards too",
            commitment=valid[5]["commitment"],
            cards="2c3c",
        ),
    ]
    head = {
        "dialect": "fairdeal/v1",
        "source": "this project: python3 spec/reference/dialects.py make-fairdeal-v1",
        "algorithm": "spec/shuffle.md",
    }
    return _file(head, "rows", valid + invalid)


# digests.json

CLIENT, NONCE = "digests", 7
DEFAULT = schemes.sha256(b"the digest of all messages that a case does not name").hex()
TOP = 0xFFFFFFFF


def _words(*words: int) -> str:
    """A digest of eight words, the last one repeated."""
    return b"".join(w.to_bytes(4, "big") for w in (words + words[-1:] * 8)[:8]).hex()


def fed(digests: dict, default):
    """A `digest` that answers from a case; an unknown message raises KeyError."""
    known = {name.encode("utf-8"): bytes.fromhex(digest) for name, digest in digests.items()}
    rest = None if default is None else bytes.fromhex(default)
    return lambda message: known[message] if rest is None else known.get(message, rest)


def _case(dialect: str, what: str, digests: dict, default=DEFAULT, count: int = 52) -> dict:
    digests = {f"{CLIENT}:{NONCE}:{number}": digest for number, digest in digests.items()}
    case = {"dialect": dialect, "what": what, "digests": digests, "default": default}
    case.update(client_seed=CLIENT, nonce=NONCE)
    try:
        return {**case, "cards": schemes.DEALERS[dialect](fed(digests, default), CLIENT, NONCE, count)}
    except schemes.NoAnswer:
        return {**case, "error": "no-answer"}


def digests() -> str:
    """fixtures/dialects/digests.json"""
    liqd, duel = "liqd-blackjack", "duel-video-poker"
    video, replace = "stake-video-poker", "stake-replace"
    refused, jump = _words(TOP), 1_000_000
    cases = [
        _case(liqd, "nothing is refused: every message has the same digest", {}, count=416),
        _case(
            liqd,
            "position 415: eight words refused, then the cursor + 1,000,000",
            {415: refused, 415 + jump: _words(5)},
            count=416,
        ),
        _case(
            liqd,
            "position 415: eight words refused twice in a row, then the cursor + 2,000,000",
            {415: refused, 415 + jump: refused, 415 + 2 * jump: _words(11)},
            count=416,
        ),
        _case(
            liqd,
            "positions 411 and 2: eight words refused at each; the jump is not kept for the position after",
            {
                411: refused,
                411 + jump: _words(17),
                410: _words(3),
                2: refused,
                2 + jump: _words(1),
                1: _words(1),
            },
            count=416,
        ),
        _case(
            liqd,
            "position 415: the retry's first word is refused too, its second is used",
            {415: refused, 415 + jump: _words(TOP, 23)},
            count=416,
        ),
        _case(
            liqd,
            "position 415: seven words refused, the eighth is used",
            {415: _words(TOP, TOP, TOP, TOP, TOP, TOP, TOP, 29)},
            count=416,
        ),
    ]
    for i in (415, 411, 2):
        limit = (1 << 32) // (i + 1) * (i + 1)
        cases += [
            _case(
                liqd,
                f"position {i}: the word {limit:08x} is the limit and refused",
                {i: _words(limit, 1)},
                count=416,
            ),
            _case(
                liqd,
                f"position {i}: the word {limit - 1:08x} is one below the limit and used",
                {i: _words(limit - 1, 0)},
                count=416,
            ),
        ]
    for i in (255, 31, 1):
        cases.append(
            _case(
                liqd,
                f"position {i}: for a range of {i + 1} no word is refused, not even {TOP:08x}",
                {i: _words(TOP, 0)},
                count=416,
            )
        )
    cases += [
        _case(duel, "nothing is refused: every message has the same digest", {}),
        _case(duel, "position 51: eight words refused; no retry is invented", {0: refused}),
        _case(
            duel,
            "position 31: eight words at the limit of a power of two; no retry is invented",
            {20: _words(0xFFFFFFE0)},
        ),
        _case(duel, "position 1: eight words refused in the last choice", {50: refused}),
        _case(
            duel,
            "position 51: seven words refused, the eighth is used",
            {0: _words(TOP, TOP, TOP, TOP, TOP, TOP, TOP, 29)},
        ),
    ]
    for i in (51, 31, 15, 7, 3, 1):
        limit = TOP - TOP % (i + 1)
        cases += [
            _case(
                duel,
                f"position {i}: the word {limit:08x} is the limit and refused",
                {51 - i: _words(limit, 1)},
            ),
            _case(
                duel,
                f"position {i}: the word {limit - 1:08x} is one below the limit and used",
                {51 - i: _words(limit - 1, 0)},
            ),
        ]
    edges = [-(-v * (1 << 32) // 52) for v in (1, 13, 26, 51)]
    around = _words(*(word for edge in edges for word in (edge - 1, edge)))
    stream = {t: schemes.sha256(f"digest {t}".encode()).hex() for t in range(7)}
    cases += [
        _case(video, "the highest word always takes the last card", {}, _words(TOP)),
        _case(video, "the word 0 always takes the first card", {}, _words(0)),
        _case(video, "all 52 cards need seven digests, 0 to 6", stream, None),
        _case(
            replace, "the highest word is the last card, the word 0 the first", {0: _words(TOP, 0)}, None, 8
        ),
        _case(
            replace, "words on both sides of the edges of the cards 1, 13, 26 and 51", {0: around}, None, 8
        ),
        _case(replace, "more cards than a deck holds", stream, None, 56),
    ]
    return _file(
        {
            "about": "Digests in the place of HMACs; default is that of every message not named, null where there is none."
        },
        "cases",
        cases,
    )
