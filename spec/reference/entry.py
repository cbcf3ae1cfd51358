"""The grammar of entries: ledger.md 8.

This module judges an entry alone, by its bytes; life.py judges it after other entries.
"""

import re
from typing import Callable, Optional

import canonical
import deal
import layout
import results
import tlog
from refused import Refused

MAX_ENTRY = 65535
MAX_SEALED = 4096
MAX_NAME = 255
MAX_COSIGNATURES = 16
COSIGNATURES = (76, 2432)  # bytes, of which the first four are the key ID
PROTOCOL = "fairdeal/v1"

# 8.2: grammar. A check takes a value and its place, and raises Refused.

Check = Callable[[object, str], None]


def _refuse(where: str, expected: str, found) -> None:
    shown = canonical.text_of(found)
    raise Refused(
        "invalid-entry",
        f"{where} is {shown[:100]}{'…' if len(shown) > 100 else ''}, expected {expected}",
    )


def is_integer(value, least: int = 0, most: int = canonical.MAX_INTEGER) -> bool:
    """Whether a value is an integer of the formats (a bool or a float is not)."""
    return type(value) is int and least <= value <= most


def integer(least: int = 0, most: int = canonical.MAX_INTEGER) -> Check:
    """An integer in a range."""

    def check(value, where):
        if not is_integer(value, least, most):
            _refuse(where, f"an integer from {least} to {most}", value)

    return check


def text(most: int) -> Check:
    """Text of 1 to `most` bytes without control characters."""

    def check(value, where):
        if not isinstance(value, str) or not deal.text_fits(value, most):
            _refuse(where, f"text of 1 to {most} bytes without control characters", value)

    return check


def hexadecimal(length: int) -> Check:
    """Lowercase hexadecimal of a given number of bytes."""

    def check(value, where):
        if not is_hex(value, length):
            _refuse(where, f"{length} bytes in lowercase hexadecimal", value)

    return check


def is_hex(value, length: int) -> bool:
    """Whether a value is lowercase hexadecimal of a given number of bytes."""
    return (
        isinstance(value, str)
        and len(value) == 2 * length
        and re.fullmatch("[0-9a-f]*", value) is not None
    )


def one_of(*values: str) -> Check:
    """One of the given words."""

    def check(value, where):
        if value not in values or not isinstance(value, str):
            _refuse(where, " or ".join(values), value)

    return check


def array(most: int, item: Check) -> Check:
    """An array of 1 to `most` items."""

    def check(value, where):
        if not isinstance(value, list) or not 1 <= len(value) <= most:
            _refuse(where, f"an array of 1 to {most}", value)
        for i, part in enumerate(value):
            item(part, f"{where}[{i}]")

    return check


def members(required: dict, optional: Optional[dict] = None) -> Check:
    """An object with exactly these members."""
    optional = optional or {}

    def check(value, where):
        if not isinstance(value, dict):
            _refuse(where or "the entry", "an object", value)
        for name in required:
            if name not in value:
                raise Refused("invalid-entry", f"{where or 'the entry'} has no {name}")
        for name, part in value.items():
            rule = required.get(name) or optional.get(name)
            if rule is None:
                raise Refused(
                    "invalid-entry", f"{where or 'the entry'} has an unknown member {name!r}"
                )
            rule(part, f"{where}.{name}" if where else name)

    return check


HASH = hexadecimal(32)
FROM = text(64)
SEED = text(256)
TIME = integer()
NONCE = integer()


def _name(value, where):
    if not isinstance(value, str) or not tlog.is_name(value) or len(value.encode()) > MAX_NAME:
        _refuse(where, f"a key name of 1 to {MAX_NAME} bytes", value)


def _boolean(value, where):
    if not isinstance(value, bool):
        _refuse(where, "true or false", value)


def flag(value, where):
    """A flag that is there or not."""
    if value is not True:
        _refuse(where, "true, or to be absent", value)


def base64_of(length: int) -> Check:
    """A given number of bytes in base64."""

    def check(value, where):
        try:
            if isinstance(value, str) and len(tlog.decode_base64(value)) == length:
                return
        except ValueError:
            pass
        _refuse(where, f"{length} bytes in base64", value)

    return check


def _cards(value, where):
    pairs = [value[i : i + 2] for i in range(0, len(value), 2)] if isinstance(value, str) else []
    if not pairs or not all(card in deal.CARDS for card in pairs):
        _refuse(where, "one or more cards of two characters each", value)


SEEN = members({"root": HASH, "signature": base64_of(68), "size": integer(1)})
BESIDE = {"seen": SEEN, "key": HASH, "signature": base64_of(64)}
CLEAR = members({"from": FROM, "seed": SEED}, BESIDE)
HASHED = members({"from": FROM, "hash": HASH}, BESIDE)
OPENED = members({"blind": HASH, "from": FROM, "seed": SEED})


def all_or_none(value: dict, where: str, *names: str) -> None:
    """Refuse an object that has some of these members and not all."""
    refuse_unless(
        len({name in value for name in names}) == 1,
        f"{where} has only some of {', '.join(names)}",
    )


def _clear(value, where):
    CLEAR(value, where)
    all_or_none(value, where, "key", "signature")


def check_contribution(value, where: str = "contribution"):
    """A contribution of a lock, with `seed` or `hash`."""
    (HASHED if isinstance(value, dict) and "hash" in value else CLEAR)(value, where)
    all_or_none(value, where, "key", "signature")


def _ascending(item: Check) -> Check:
    def check(value, where):
        array(deal.MAX_CLIENTS, item)(value, where)
        labels = [part["from"].encode() for part in value]
        if any(a >= b for a, b in zip(labels, labels[1:])):
            raise Refused("invalid-entry", f"{where} is not in ascending order of from, each once")

    return check


def _result(value, where):
    if not isinstance(value, dict) or len(value) != 1:
        _refuse(where, "an object with seal, cards, indices or digest alone", value)
    members(
        {},
        {
            "seal": HASH,
            "cards": _cards,
            "digest": HASH,
            "indices": array(deal.MAX_ITEMS, integer(0, deal.MAX_ITEMS - 1)),
        },
    )(value, where)


def _seats(value, where):
    array(layout.MAX_SEATS, FROM)(value, where)
    refuse_unless(len(set(value)) == len(value), f"{where} has a label twice")


def check_layout(value, where: str = "layout") -> None:
    """A layout (8.7), without regard to the draw."""
    members({"hand": integer(1, 64)}, {"board": array(64, integer(1, 64)), "burn": _boolean})(
        value, where
    )
    refuse_unless("burn" not in value or "board" in value, f"{where}.burn stands only with board")


def _signer(line) -> Optional[tuple]:
    """The name and key ID of a signature line of an anchor; None if it is no such line."""
    if not isinstance(line, str) or not line.startswith("\u2014 "):
        return None
    name, _, encoded = line[2:].partition(" ")
    try:
        signature = tlog.decode_base64(encoded)
    except ValueError:
        return None
    is_name = tlog.is_name(name) and len(name.encode()) <= MAX_NAME
    return (name, signature[:4]) if is_name and len(signature) in COSIGNATURES else None


def _cosignatures(value, where):
    array(MAX_COSIGNATURES, _cosignature)(value, where)
    lines = [line.encode() for line in value]
    refuse_unless(
        all(a < b for a, b in zip(lines, lines[1:])),
        f"{where} is not in ascending order, each once",
    )
    refuse_unless(
        len({_signer(line) for line in value}) == len(value),
        f"{where} has two lines of one name and key ID",
    )


def _cosignature(value, where):
    if _signer(value) is None:
        _refuse(where, "a signature line of 76 or 2,432 bytes in base64", value)


def _deck(value, where):
    if isinstance(value, dict):
        members({"count": integer(1, deal.MAX_ITEMS), "sha256": HASH})(value, where)
    elif not isinstance(value, str) or value not in deal.DECKS:
        _refuse(where, "the name of a deck, or {count, sha256}", value)


def _kind(required: dict, optional: Optional[dict] = None) -> Check:
    common = {
        "entry": one_of("commit", "lock", "deal", "void", "reveal"),
        "time": TIME,
        "commitment": HASH,
    }
    return members({**common, **required}, {"ext": HASH, **(optional or {})})


GRAMMAR = {
    "commit": _kind(
        {
            "protocol": one_of(PROTOCOL),
            "origin": _name,
            "table": text(128),
            "method": one_of("shuffle", "cycle"),
            "deck": _deck,
            "draw": integer(1),
            "sealed": _boolean,
            "mixing": one_of("seeds", "hashes", "beacon"),
            "rounds": integer(1, 1_000_000),
            "reveal_by": TIME,
        },
        {
            "after": HASH,
            "rules": HASH,
            "signed": flag,
            "layout": check_layout,
            "beacon": members({"chain": HASH, "margin": integer()}),
        },
    ),
    "lock": _kind(
        {"nonce": NONCE},
        {
            "contributions": _ascending(check_contribution),
            "beacon": integer(1),
            "seats": _seats,
        },
    ),
    "deal": _kind(
        {"nonce": NONCE, "result": _result},
        {
            "contributions": _ascending(_clear),
            "seats": _seats,
            "lock": integer(),
            "beacon": hexadecimal(48),
            "opened": array(deal.MAX_CLIENTS, OPENED),
        },
    ),
    "void": _kind({"reason": text(256)}, {"nonce": NONCE, "blame": FROM}),
    "reveal": _kind({"server_seed": HASH}),
    "anchor": members(  # under no commitment, and without `ext`
        {
            "entry": one_of("anchor"),
            "time": TIME,
            "size": integer(1),
            "root": HASH,
            "cosignatures": _cosignatures,
        }
    ),
}
YEAR = 366 * 86_400_000


def refuse_unless(holds: bool, says: str) -> None:
    """Refuse an invalid entry, and say why."""
    if not holds:
        raise Refused("invalid-entry", says)


def _check_seats(e: dict) -> None:
    labels = {c["from"] for c in e.get("contributions", [])}
    refuse_unless(
        "seats" not in e or labels <= set(e["seats"]),
        "seats does not hold every from of contributions",
    )


def _check_together(e: dict) -> None:
    """The rules of the grammar for several members together."""
    kind = e["entry"]
    if kind == "commit":
        items = results.deck_size(e["deck"])
        refuse_unless(e["draw"] <= items, f"draw is {e['draw']}, the deck has {items} items")
        if e["method"] == "cycle":
            refuse_unless(
                items >= 2 and e["draw"] == items,
                f"a cycle draws all of 2 items or more, not {e['draw']} of {items}",
            )
        refuse_unless(
            not e["sealed"] or e["draw"] <= MAX_SEALED,
            f"a sealed deal draws {MAX_SEALED} at most, not {e['draw']}",
        )
        if "layout" in e:
            refuse_unless(e["method"] != "cycle", "a layout does not stand with method cycle")
            refuse_unless(
                layout.has_room(e["layout"], 1, e["draw"]), "the layout has no room for one seat"
            )
        refuse_unless(
            e["time"] < e["reveal_by"] <= e["time"] + YEAR,
            f"reveal_by is {e['reveal_by']}, expected more than time ({e['time']}) by at most 366 days",
        )
        refuse_unless(
            ("beacon" in e) == (e["mixing"] == "beacon"),
            f"beacon stands exactly with mixing beacon, not with {e['mixing']}",
        )
    elif kind == "lock":
        refuse_unless(
            "contributions" in e or "beacon" in e, "a lock has contributions, beacon, or both"
        )
        _check_seats(e)
    elif kind == "deal":
        refuse_unless(
            ("contributions" in e) != ("lock" in e),
            "a deal has exactly one of contributions and lock",
        )
        for name in ("opened", "beacon"):
            refuse_unless(name not in e or "lock" in e, f"{name} stands only beside lock")
        refuse_unless(
            "seats" not in e or "contributions" in e, "seats stands only beside contributions"
        )
        _check_seats(e)
    elif kind == "void":
        refuse_unless("blame" not in e or "nonce" in e, "blame stands only beside nonce")


def is_other_protocol(value) -> bool:
    """A commit of another protocol (8.6)."""
    return (
        isinstance(value, dict)
        and value.get("entry") == "commit"
        and is_integer(value.get("time"))
        and is_hex(value.get("commitment"), 32)
        and isinstance(value.get("protocol"), str)
        and value["protocol"] != PROTOCOL
    )


def read(data: bytes):
    """The value of an entry's bytes; refuses bytes that are too long, then bytes that are not canonical."""
    refuse_unless(
        len(data) <= MAX_ENTRY, f"an entry has at most {MAX_ENTRY} bytes, not {len(data)}"
    )
    try:
        return canonical.parse(data)
    except canonical.NotJson as error:
        raise Refused("not-canonical", str(error)) from None


def commitment_of(value) -> Optional[str]:
    """The member `commitment`, if the entry is an object and has a hash there; or None."""
    name = value.get("commitment") if isinstance(value, dict) else None
    return name if is_hex(name, 32) else None


def check_grammar(value) -> str:
    """The kind of a canonical entry; refuses invalid ones, including those of other protocols."""
    refuse_unless(isinstance(value, dict), "an entry is an object")
    kind = value.get("entry")
    refuse_unless(
        isinstance(kind, str) and kind in GRAMMAR,
        "entry is not commit, lock, deal, void, reveal or anchor",
    )
    GRAMMAR[kind](value, "")
    _check_together(value)
    return kind


def parse_entry(data: bytes):
    """(kind, value) of an entry's bytes, judged alone; the kind may be "other-protocol"."""
    value = read(data)
    return "other-protocol" if is_other_protocol(value) else check_grammar(value), value
