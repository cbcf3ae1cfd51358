"""Built-in checks of a raffle's list and of a given signature (selftest.py runs them); raffle.md."""

import json

import raffle
from refused import Refused
from selftestbeacons import SIGNATURES

SIGNATURE = SIGNATURES[1000]
NAMES = ["ann", "ben", "cat", "dan", "eve"]


def checks():
    """(name, found, expected)."""
    yield from _lists()
    yield from _signature_forms()


def refused(act, *of):
    """What a call returns, or the code or the name of its refusal."""
    try:
        return act(*of)
    except Refused as error:
        return error.code
    except raffle.Unread:
        return "unread"


def bytes_of(lines: list) -> bytes:
    return "".join(line + "\n" for line in lines).encode()


def _lists():
    """How many lines are different, and the draw that follows (35.1 and 35.2)."""
    for what, lines, expected in (
        ("of different lines", NAMES, (5, 2)),
        ("with one line twice", [*NAMES, "ann"], (5, 6)),
        ("with one line in another case", [*NAMES, "Ann"], (6, 2)),
        ("with one line in another normal form", ["\u00e9", "e\u0301"], (2, 2)),
        ("with one line with a space", [*NAMES, "ann "], (6, 2)),
    ):
        found = raffle.parse_list(bytes_of(lines))
        yield f"a list {what}", (found.different, raffle.draw_of(found, 2)), expected
    for what, data, expected in (
        ("of the greatest length", b"a" * (raffle.MAX_LIST - 1) + b"\n", 1),
        ("a byte longer", b"a" * raffle.MAX_LIST + b"\n", "unread"),
        ("without its last LF", b"a", "list"),
    ):
        found = refused(raffle.parse_list, data)
        yield f"a list {what}", getattr(found, "different", found), expected


def _signature_forms():
    """The forms of a given signature (38)."""
    data = bytes.fromhex(SIGNATURE)
    answer = {"round": 1000, "signature": SIGNATURE, "randomness": "x"}
    text = json.dumps(answer)
    longest = text[:-1] + " " * (raffle.MAX_ANSWER - len(text)) + "}"
    for what, given, expected in (
        ("digits", SIGNATURE, (None, data)),
        ("digits with white space", f"\r\n\t {SIGNATURE}\n", (None, data)),
        ("digits with a no-break space", f"{SIGNATURE}\u00a0", "signature"),
        ("capitals", SIGNATURE.upper(), "signature"),
        ("95 digits", SIGNATURE[1:], "signature"),
        ("an answer", text, (1000, data)),
        ("an answer with a space", text.replace(SIGNATURE, f" {SIGNATURE}"), "signature"),
        ("an answer without a round", json.dumps({"signature": SIGNATURE}), "signature"),
        ("a round that is text", json.dumps({**answer, "round": "1000"}), "signature"),
        ("a round with a fraction", text.replace("1000", "1000.0"), "signature"),
        ("a member twice", text.replace("{", '{"randomness": 1, '), "signature"),
        ("an array", json.dumps([answer]), "signature"),
        ("an answer after a byte order mark", "\ufeff" + text, (1000, data)),
        ("digits after a byte order mark", "\ufeff \n" + SIGNATURE, (None, data)),
        ("digits after two byte order marks", "\ufeff\ufeff" + SIGNATURE, "signature"),
        ("digits in 65,536 bytes", SIGNATURE.rjust(raffle.MAX_ANSWER), (None, data)),
        ("digits in 65,537 bytes", SIGNATURE.rjust(raffle.MAX_ANSWER + 1), "signature"),
        ("65,536 bytes", longest, (1000, data)),
        ("65,537 bytes", longest + " ", "signature"),
    ):
        yield f"a signature as {what}", refused(raffle.parse_signature, given.encode()), expected
