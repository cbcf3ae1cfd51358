"""Reads rounds from a file and their fields from a row: spec/dialects.md, section 16.

A row is a `dict` of its columns, or an `Unreadable` that says why it cannot be read. A file that
cannot be judged, or that ends in the middle of its syntax, raises `NotRead`.
"""

import json
import re
from typing import Optional

MAX_NONCE = (1 << 53) - 1
# 16.2: the other names of a column; those of a chain's server seed
NAMES = {
    "server_seed": "unhashed_server_seed revealed_server_seed",
    "commitment": "server_seed_hash hashed_server_seed server_seed_hashed server_hash seed_hash",
    "client_seed": "player_seed salt drand drand_value drand_signature drand_randomness randomness",
    "result": "multiplier crash_point bust busted_at",
    "game_id": "game_number",
    "numbers": "mine_positions mines_positions mine_tiles",
    "rolls": "roll_totals",
    "symbols": "gems values",
    "floors": "egg_positions_by_round",
    "slot": "final_slot winning_slot",
    "path": "drop_details",
    "rows": "plinko_row number_of_rows",
    "segments": "wheel_segments",
    "mine_count": "mines_count",
    "risk": "plinko_risk wheel_risk risk_level",
}
CHAIN_NAMES = "game_hash hash"
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


# 16.2: the names of columns


def _folded(name: str) -> str:
    """A name without what does not matter; of letters, only A to Z have a case."""
    kept = re.sub("[-_ ]", "", name)
    return "".join(c.lower() if c.isascii() else c for c in kept)


class Columns:
    """The names that mean the columns that one dialect reads."""

    def __init__(self, reads: str, is_chain: bool, result_names: str = NAMES["result"]):
        """`result_names`: the other names of `result` in this dialect."""
        self.of = {}
        self.has_difficulty = "difficulty" in reads.split()
        for column in reads.split():
            others = (result_names if column == "result" else NAMES.get(column, "")).split()
            if is_chain and column == "server_seed":
                others += CHAIN_NAMES.split()
            self.of.update((_folded(name), column) for name in [column, *others])

    def of_name(self, name: str) -> Optional[str]:
        """The column that a name means, or None."""
        folded = _folded(name)
        if self.has_difficulty and folded.endswith(("difficulty", "difficultylevel")):
            return "difficulty"
        return self.of.get(folded)

    def row(self, members) -> dict:
        """The columns of (name, value) pairs; raises Unreadable if two names mean one column."""
        row, names = {}, {}
        for name, value in members:
            column = self.of_name(name)
            if column is None:
                continue
            if column in names:
                found = f"{show(names[column])} and {show(name)}"
                raise Unreadable(f"{column}: expected one name, found {found}: take one of them out")
            row[column], names[column] = value, name
        return row


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


def _row(value, columns: Columns, line: Optional[int] = None):
    """A row from a JSON value."""
    where = "" if line is None else f"line {line}: "
    try:
        if isinstance(value, Unreadable):
            raise value
        if isinstance(value, dict):
            return columns.row(value.items())
        raise Unreadable(f"expected an object, found {show(value)}")
    except Unreadable as error:
        return Unreadable(f"{where}{error}")


def _json_lines(text: str, columns: Columns) -> list:
    rows = []
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        if not line.strip(" \t\r"):
            continue
        try:
            rows.append(_row(parse_json(line), columns, number))
        except ValueError as error:
            if number == len(lines):
                raise NotRead(
                    f"line {number}: the file breaks off in the middle of a row ({error})"
                ) from None
            rows.append(Unreadable(f"line {number}: it is not JSON ({error})"))
    return rows


def _members(value) -> list:
    """The (name, value) pairs of an object, also of one with a name twice."""
    if isinstance(value, Unreadable):
        return value.pairs
    return list(value.items()) if isinstance(value, dict) else []


def _begins_with_row(member, columns: Columns) -> bool:
    """Whether it is an array that begins with an object that may have a server seed."""
    first = _members(member[0]) if isinstance(member, list) and member else []
    return any(columns.of_name(name) == "server_seed" for name, _ in first)


def _rows(value, columns: Columns) -> Optional[list]:
    """The list of rows of an object that has one; other names may occur twice."""
    members = _members(value)
    found = [(n, member) for n, member in members if n == "rows" and isinstance(member, list)]
    if not found:
        found = [(name, member) for name, member in members if _begins_with_row(member, columns)]
    if len(found) > 1:
        names = " and ".join(show(name) for name, _ in found)
        raise NotRead(f"expected one list of rows, found {names}")
    seeds = [name for name, _ in members if columns.of_name(name) == "server_seed"]
    if found and seeds:
        says = f"found a list and {show(seeds[0])} beside it"
        raise NotRead(f"expected a row or a list of rows, {says}")
    return found[0][1] if found else None


def _json(text: str, columns: Columns) -> list:
    """An array, an object with a list of rows, or JSON lines."""
    try:
        whole = parse_json(text)
    except ValueError as error:
        whole, reason = None, error
    if isinstance(whole, list):
        return [_row(value, columns) for value in whole]
    if (rows := _rows(whole, columns)) is not None:
        return [_row(value, columns) for value in rows]
    if whole is not None:
        return [_row(whole, columns, 1)]
    first = next(line for line in text.split("\n") if line.strip(" \t\r"))
    try:
        value = parse_json(first)
    except ValueError:
        value = None
    if text.lstrip().startswith("[") or value is None or _rows(value, columns) is not None:
        raise NotRead(f"it is not whole JSON ({reason})")
    return _json_lines(text, columns)


SEPARATORS = ",;\t"


def _first_line(text: str) -> tuple:
    """Where the records begin, the line there, and the separator."""
    at = re.match("(?:\r?\n)*", text).end()
    line = text[at : text.find("\n", at) + 1] or text[at:]
    plain = re.sub("\r?\n$", "", line)
    if plain[:4] == "sep=" and len(plain) == 5 and plain[4] in SEPARATORS:
        return at + len(line), text.count("\n", 0, at + len(line)) + 1, plain[4]
    outside = re.sub('"[^"]*("|$)', "", line)
    separator = max(SEPARATORS, key=outside.count)  # the first of those that are equal
    return 0, 1, separator


def _table_records(text: str):
    """(line, cells, Unreadable or None, whether a line end follows) of RFC 4180, LF or CRLF."""
    at, line, separator = _first_line(text)
    end = len(text)
    # A cell without quotes. A CR alone does not end a line.
    plain = re.compile(rf"(?:[^{separator}\r\n]|\r(?!\n))*")
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
                rest = plain.match(text, at)
                if rest.group():
                    wrong = Unreadable(f"line {started}: text follows a closed quote")
            else:
                rest = plain.match(text, at)
                cell = rest.group()
                if "\r" in cell:
                    wrong = Unreadable(f"line {started}: a CR without LF")
                if '"' in cell:
                    wrong = Unreadable(
                        f"line {started}: a quote stands inside a cell that is not quoted"
                    )
            at = rest.end()
            cells.append(cell)
            if at < end and text[at] == separator:
                at += 1
                continue
            break
        ended = at < end
        if text.startswith("\r\n", at):
            at += 2
        elif ended:
            at += 1
        line += 1
        yield started, cells, wrong, ended


def _header(line: int, names: list, wrong: Optional[Unreadable], columns: Columns) -> None:
    """Checks the first record; raises NotRead."""
    try:
        if wrong is not None:
            raise wrong
        if len(set(names)) != len(names):
            raise Unreadable("the header names a column twice")
        if not columns.row((name, None) for name in names):
            raise Unreadable(
                f"expected a header with columns such as server_seed, found {names!r:.80}"
            )
    except Unreadable as error:
        raise NotRead(f"line {line}: {error}") from None


def _table(text: str, columns: Columns) -> list:
    header, rows = None, []
    for line, cells, wrong, ended in _table_records(text):
        if header is None:
            _header(line, cells, wrong, columns)
            header = cells
        elif not ended and len(cells) < len(header):
            raise NotRead(f"line {line}: the file breaks off in the middle of a row")
        elif wrong is not None:
            rows.append(wrong)
        elif len(cells) != len(header):
            rows.append(
                Unreadable(f"line {line}: expected {len(header)} cells, found {len(cells)}")
            )
        else:
            row = columns.row((name, cell or None) for name, cell in zip(header, cells))
            if row.get("final") is not None and "held" in row and row["held"] is None:
                row["held"] = ""  # no card was held: a table has no other way to write this
            rows.append(row)
    if header is None:
        raise NotRead("it has no header")
    return rows


def read(data: bytes, columns: Columns) -> list:
    """The rows of a file, in order; raises NotRead."""
    try:
        text = data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise NotRead(f"byte {error.start} is not UTF-8") from None
    start = text.lstrip(" \t\r\n")
    if not start:
        raise NotRead("it is empty")
    return _json(text, columns) if start[0] in "[{" else _table(text, columns)


# 16.2: values


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
        if jokers and value in (*JOKERS, "x1", "x2"):
            return value.upper()
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
        parts = re.findall("[^ ,]+", value)
        is_joined = (
            len(parts) == 1
            and ":" not in value
            and len(parts[0].encode("utf-8", "surrogatepass")) > 3
        )
        value = joined(parts[0], name) if is_joined else parts
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


def _with_point(text: str, name: str) -> str:
    """The text of a number without its last "x", with a point and without other commas."""
    number = re.sub("[xX×]$", "", text)
    if alone := re.fullmatch("([0-9]+),([0-9]+)", number):
        whole, part = alone.groups()
        if len(part) == 3:
            found = f"{show(text)}, which is {whole}.{part} or {whole}{part}"
            raise Unreadable(f"{name}: expected a point, or no comma, found {found}")
        return f"{whole}.{part}"
    if re.fullmatch(r"[0-9]{1,3}(,[0-9]{3})+(\.[0-9]+)?", number):
        return number.replace(",", "")
    return number


class Decimal:
    """A number that is not negative, compared exactly."""

    def __init__(self, row: dict, name: str):
        value = row.get(name)
        if value is None:
            raise Unreadable(f"{name}: expected a decimal number, found none")
        digits = str(value)
        if isinstance(value, Number):
            exponent = "(?:[eE]([+-]?[0-9]+))?"
        else:
            exponent, digits = "()", _with_point(digits, name) if isinstance(value, str) else ""
        match = re.fullmatch(rf"([0-9]+)(?:\.([0-9]+))?{exponent}", digits)
        if not match:
            raise Unreadable(
                f"{name}: expected a decimal number that is not negative, found {show(value)}"
            )
        self.shown = str(value)
        self.whole, self.part, power = match.group(1), match.group(2) or "", match.group(3) or "0"
        # No file has so many digits that they balance a longer exponent.
        size = power.lstrip("+-").lstrip("0")[:18] or "0"
        self.power = -int(size) if power[0] == "-" else int(size)

    def is_among(self, last: int, unit: int) -> bool:
        """Whether it is a multiple of so many hundredths, up to `last` of them."""
        digits = (self.whole + self.part).lstrip("0")
        kept = digits.rstrip("0")
        power = self.power - len(self.part) + 2 + len(digits) - len(kept)
        if not digits:
            return True
        if not 0 <= power <= 20 or len(kept) > 20:
            return False
        cents = int(kept) * 10**power
        return cents % unit == 0 and cents <= last * unit

    def is_cents(self, cents: int) -> bool:
        """Whether the number is exactly this many hundredths."""
        digits = (self.whole + self.part).lstrip("0")
        if not digits:
            return cents == 0
        power = self.power - len(self.part) + 2
        stripped = digits.rstrip("0")
        power += len(digits) - len(stripped)
        wanted = str(cents)
        kept = wanted.rstrip("0")
        return stripped == kept and power == len(wanted) - len(kept)
