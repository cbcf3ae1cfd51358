"""Reads rounds from a file and their fields from a row: spec/dialects.md, section 16.

A row is a `dict` of its columns, or an `Unreadable` that says why it cannot be read. A file that
cannot be judged, or that ends in the middle of its syntax, raises `NotRead`.
"""

import json
import re
from typing import Optional

MAX_NONCE = (1 << 53) - 1
COLUMNS = set(
    "server_seed commitment client_seed nonce cards full result held final game_id chain_steps contributions deck"
    " method".split()
)
SUITS = {
    "C": "C",
    "D": "D",
    "H": "H",
    "S": "S",
    "CLUB": "C",
    "DIAMOND": "D",
    "HEART": "H",
    "SPADE": "S",
}
SIGNS = {"♣": "C", "♦": "D", "♥": "H", "♠": "S"}
JOKERS = ("X1", "X2")
RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]


class NotRead(Exception):
    """The file cannot be read at all, or ends too early."""


class Unreadable(Exception):
    """A row, or a field of it, cannot be read."""

    pairs = None  # the members, if one name occurs twice


class Number(str):
    """A number as its JSON text, so that it is not rounded."""


# 16.1: the file


def _object(pairs: list):
    value = dict(pairs)
    if len(value) == len(pairs):
        return value
    names = [name for name, _ in pairs]
    twice = next(name for name in names if names.count(name) > 1)
    unreadable = Unreadable(f"it has two members named {json.dumps(twice)}")
    unreadable.pairs = pairs
    return unreadable


def _constant(text: str):
    raise ValueError(f"{text} is not JSON")


def parse_json(text: str):
    """JSON with its numbers as text; an object with a name twice is an `Unreadable`. Raises ValueError."""
    try:
        return json.loads(
            text,
            parse_int=Number,
            parse_float=Number,
            parse_constant=_constant,
            object_pairs_hook=_object,
        )
    except RecursionError:
        raise ValueError("it is nested too deep") from None


def _row(value, line: Optional[int] = None):
    """A row from a JSON value."""
    if isinstance(value, dict):
        return value
    where = "" if line is None else f"line {line}: "
    if isinstance(value, Unreadable):
        return Unreadable(f"{where}{value}")
    return Unreadable(f"{where}expected an object, found {json.dumps(value, default=str)[:60]}")


def _json_lines(text: str) -> list:
    rows = []
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        if not line.strip(" \t\r"):
            continue
        try:
            rows.append(_row(parse_json(line), number))
        except ValueError as error:
            if number == len(lines):
                raise NotRead(
                    f"line {number}: the file breaks off in the middle of a row ({error})"
                ) from None
            rows.append(Unreadable(f"line {number}: it is not JSON ({error})"))
    return rows


def _rows(value) -> Optional[list]:
    """The member `rows` of an object that has it; other names may occur twice."""
    if not isinstance(value, (dict, Unreadable)):
        return None
    pairs = value.items() if isinstance(value, dict) else value.pairs
    found = [member for name, member in pairs if name == "rows"]
    if len(found) > 1:
        raise NotRead("rows: expected one array, found a second member of that name")
    if found and not isinstance(found[0], list):
        raise NotRead(f"rows: expected an array, found {json.dumps(found[0], default=str)[:60]}")
    return found[0] if found else None


def _json(text: str) -> list:
    """An array, an object with `rows`, or JSON lines."""
    try:
        whole = parse_json(text)
    except ValueError as error:
        whole, reason = None, error
    if isinstance(whole, list):
        return [_row(value) for value in whole]
    if (rows := _rows(whole)) is not None:
        return [_row(value) for value in rows]
    if whole is not None:
        return [_row(whole, 1)]
    first = next(line for line in text.split("\n") if line.strip(" \t\r"))
    try:
        value = parse_json(first)
    except ValueError:
        value = None
    if text.lstrip().startswith("[") or value is None or _rows(value) is not None:
        raise NotRead(f"it is not whole JSON ({reason})")
    return _json_lines(text)


CELL = re.compile(r"(?:[^,\r\n]|\r(?!\n))*")  # without quotes; a lone CR does not end a line


def _csv_records(text: str):
    """(line, cells or Unreadable, whether a line end follows) of RFC 4180, with LF or CRLF."""
    at, line, end = 0, 1, len(text)
    while at < end:
        if text.startswith(("\n", "\r\n"), at):  # an empty line; a line of "" has an empty cell
            at = text.index("\n", at) + 1
            line += 1
            continue
        cells, wrong, started = [], None, line
        while True:
            if text.startswith('"', at):
                cell, at = "", at + 1
                while True:
                    quote = text.find('"', at)
                    if quote < 0:
                        raise NotRead(f"line {started}: the file breaks off in a quoted cell")
                    cell += text[at:quote]
                    at = quote + 1
                    if not text.startswith('"', at):
                        break
                    cell += '"'
                    at += 1
                line += cell.count("\n")
                rest = CELL.match(text, at)
                if rest.group():
                    wrong = Unreadable(f"line {started}: text follows a closed quote")
            else:
                rest = CELL.match(text, at)
                cell = rest.group()
                if "\r" in cell:
                    wrong = Unreadable(f"line {started}: a CR without LF")
                if '"' in cell:
                    wrong = Unreadable(
                        f"line {started}: a quote stands inside a cell that is not quoted"
                    )
            at = rest.end()
            cells.append(cell)
            if at < end and text[at] == ",":
                at += 1
                continue
            break
        ended = at < end
        if text.startswith("\r\n", at):
            at += 2
        elif ended:
            at += 1
        line += 1
        yield started, wrong or cells, ended


def _csv(text: str) -> list:
    header, rows = None, []
    for line, cells, ended in _csv_records(text):
        if header is None:
            if isinstance(cells, Unreadable):
                raise NotRead(str(cells))
            header = cells
            if len(set(header)) != len(header):
                raise NotRead(f"line {line}: the header names a column twice")
            if not COLUMNS & set(header):
                raise NotRead(
                    f"line {line}: expected a header with columns such as server_seed, found {header!r:.80}"
                )
            continue
        if isinstance(cells, Unreadable):
            rows.append(cells)
        elif len(cells) != len(header):
            if not ended and len(cells) < len(header):
                raise NotRead(f"line {line}: the file breaks off in the middle of a row")
            rows.append(
                Unreadable(f"line {line}: expected {len(header)} cells, found {len(cells)}")
            )
        else:
            row = {name: cell or None for name, cell in zip(header, cells)}
            if row.get("final") is not None and "held" in row and row["held"] is None:
                row["held"] = ""  # no card was held: CSV has no other way to write this
            rows.append(row)
    return rows


def read(data: bytes) -> list:
    """The rows of a file, in order; raises NotRead."""
    try:
        text = data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise NotRead(f"byte {error.start} is not UTF-8") from None
    start = text.lstrip(" \t\r\n")
    if not start:
        raise NotRead("it is empty")
    return _json(text) if start[0] in "[{" else _csv(text)


# 16.2: columns


def show(value) -> str:
    """A field in a message."""
    return json.dumps(value, default=str, ensure_ascii=False)[:80]


def text(row: dict, name: str) -> str:
    """Text of at least one character."""
    value = row.get(name)
    if value is None:
        raise Unreadable(f"{name}: expected text, found none")
    if not isinstance(value, str) or isinstance(value, Number) or not value:
        raise Unreadable(f"{name}: expected text, found {show(value)}")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise Unreadable(f"{name}: it has half a surrogate pair") from None
    return value


def hex_bytes(row: dict, name: str, length: int) -> bytes:
    """Hex of exactly `length` bytes, in either case."""
    value = text(row, name)
    if not re.fullmatch(f"[0-9a-fA-F]{{{2 * length}}}", value):
        raise Unreadable(f"{name}: expected {2 * length} hexadecimal digits, found {show(value)}")
    return bytes.fromhex(value)


def commitment(row: dict) -> Optional[bytes]:
    """The commitment, or None if the row has none."""
    return None if row.get("commitment") is None else hex_bytes(row, "commitment", 32)


def integer(row: dict, name: str) -> Optional[int]:
    """0 to 2^53 - 1 as a JSON integer or as digits, or None if it is not given."""
    value = row.get(name)
    if value is None:
        return None
    if (
        not isinstance(value, str)
        or not re.fullmatch("0|[1-9][0-9]{0,15}", value)
        or int(value) > MAX_NONCE
    ):
        raise Unreadable(f"{name}: expected an integer from 0 to 2^53-1, found {show(value)}")
    return int(value)


def flag(row: dict, name: str) -> bool:
    """true or false, in JSON or as text; false if it is not given."""
    value = row.get(name)
    if value is None:
        return False
    if not isinstance(value, (bool, str)) or str(value).lower() not in ("true", "false"):
        raise Unreadable(f"{name}: expected true or false, found {show(value)}")
    return str(value).lower() == "true"


def card(value, name: str, jokers: bool = False) -> str:
    """One card in any accepted form, as rank and suit letter."""
    if isinstance(value, str) and not isinstance(value, Number):
        if jokers and value in JOKERS:
            return value
        letters = value[:-1] + SIGNS.get(value[-1:], value[-1:])
        upper = letters.upper() if letters.isascii() else ""
        suit, colon, rank = upper.partition(":")
        if colon and len(suit) > 1 and suit in SUITS and re.fullmatch("[1-9]|1[0-3]", rank):
            return RANKS[int(rank) - 1] + SUITS[suit]
        rank = {"T": "10"}.get(upper[:-1], upper[:-1])
        if not colon and rank in RANKS and upper[-1:] in ("C", "D", "H", "S"):
            return rank + upper[-1]
    raise Unreadable(f"{name}: expected a card such as 10H, found {show(value)}")


def cards(row: dict, name: str, jokers: bool = False) -> Optional[list]:
    """An array of cards, or a text of them; None if not given."""
    value = row.get(name)
    if value is None:
        return None
    if isinstance(value, str) and not isinstance(value, Number):
        is_joined = len(value.encode("utf-8", "surrogatepass")) > 3 and not re.search(
            "[ ,:]", value
        )
        value = joined(value, name) if is_joined else re.findall("[^ ,]+", value)
    if not isinstance(value, list):
        raise Unreadable(f"{name}: expected a list of cards, found {show(value)}")
    return [card(c, name, jokers) for c in value]


def joined(value: str, name: str) -> list:
    """Cards of two characters with nothing between them, as shuffle.md writes them."""
    if not re.fullmatch("([2-9TJQKA][cdhs]|X[12])+", value):
        raise Unreadable(
            f"{name}: expected cards such as 10H, or TdAs without spaces, found {show(value)}"
        )
    return [value[at : at + 2] for at in range(0, len(value), 2)]


class Decimal:
    """A number that is not negative, compared exactly."""

    def __init__(self, row: dict, name: str):
        value = row.get(name)
        if value is None:
            raise Unreadable(f"{name}: expected a decimal number, found none")
        exponent = "(?:[eE]([+-]?[0-9]+))?" if isinstance(value, Number) else "()"
        digits, end = (
            (r"[0-9]+", "")
            if isinstance(value, Number)
            else (r"[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+", "[xX×]?")
        )
        match = isinstance(value, str) and re.fullmatch(
            rf"({digits})(?:\.([0-9]+))?{exponent}{end}", value
        )
        if not match:
            raise Unreadable(
                f"{name}: expected a decimal number that is not negative, found {show(value)}"
            )
        self.shown = str(value)
        self.whole, self.part, power = (
            match.group(1).replace(",", ""),
            match.group(2) or "",
            match.group(3) or "0",
        )
        self.power = (
            max(-(10**6), min(10**6, int(power)))
            if len(power) < 9
            else 10**6 * (-1 if power[0] == "-" else 1)
        )

    def is_cents(self, cents: int) -> bool:
        """Whether the number is exactly this many hundredths."""
        digits = (self.whole + self.part).lstrip("0")
        power = self.power - len(self.part) + 2
        stripped = digits.rstrip("0")
        power += len(digits) - len(stripped)
        wanted = str(cents)
        kept = wanted.rstrip("0")
        return stripped == kept and power == len(wanted) - len(kept)
