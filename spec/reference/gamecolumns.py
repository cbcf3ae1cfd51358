"""The columns of games of numbers and symbols: spec/dialects.md, 16.2."""

import re
from typing import Optional

import rows


def _items(value, name: str) -> list:
    """The items of an array, of a text of them, or of a text with such an array; at least one."""
    if isinstance(value, rows.Number):
        return [value]
    if isinstance(value, str):
        value = parse_list(value) if value.startswith("[") else re.split("[ ,]+", value.strip(" ,"))
    if not isinstance(value, list) or not value or value == [""]:
        raise rows.Unreadable(f"{name}: expected a list of at least one, found {rows.show(value)}")
    return value


def parse_list(value: str):
    """A JSON array in a text; None if it is not JSON."""
    try:
        return rows.parse_json(value)
    except ValueError:
        return None


def _integers(value, name: str) -> list:
    return [rows.integer({name: item}, name) for item in _items(value, name) if _is_given(item, name)]


def _is_given(item, name: str) -> bool:
    if item is None:
        raise rows.Unreadable(f"{name}: expected an integer, found null")
    return True


def integers(row: dict, name: str) -> Optional[list]:
    """Integers; None if they are not given."""
    return None if row.get(name) is None else _integers(row[name], name)


def lists(row: dict, name: str) -> Optional[list]:
    """Lists of integers; None if they are not given."""
    value = row.get(name)
    if value is None:
        return None
    if isinstance(value, str) and not isinstance(value, rows.Number) and not value.startswith("["):
        return [_integers(part, name) for part in value.split(";")]
    return [_integers(item, name) for item in _items(value, name)]


def symbols(row: dict, name: str, known: tuple) -> Optional[list]:
    """Symbols by their names, or by a first letter that only one has; None if not given."""
    if row.get(name) is None:
        return None
    found = []
    for item in _items(row[name], name):
        low = item.lower() if isinstance(item, str) and item.isascii() else ""
        fits = [one for one in known if one == low]
        fits = fits or [one for one in known if len(low) == 1 and one.startswith(low)]
        if isinstance(item, rows.Number) or len(fits) != 1:
            raise rows.Unreadable(f"{name}: expected one of {', '.join(known)}, found {rows.show(item)}")
        found.append(fits[0])
    return found


def path(row: dict, name: str) -> Optional[list]:
    """Digits 0 and 1; None if they are not given."""
    value = row.get(name)
    if value is None:
        return None
    if isinstance(value, str) and not isinstance(value, rows.Number) and re.fullmatch("[01]+", value):
        return [int(digit) for digit in value]
    if isinstance(value, rows.Number):
        raise rows.Unreadable(f"{name}: expected a text of 0 and 1, found {rows.show(value)}")
    found = _integers(value, name)
    if not set(found) <= {0, 1}:
        raise rows.Unreadable(f"{name}: expected 0 and 1, found {rows.show(value)}")
    return found


def choice(row: dict, name: str, known) -> str:
    """One of some names, in any case of the letters A to Z."""
    value = row.get(name)
    low = value.lower() if isinstance(value, str) and value.isascii() else None
    if low not in known:
        raise rows.Unreadable(f"{name}: expected one of {', '.join(known)}, found {rows.show(value)}")
    return low


def number_of(row: dict, name: str, known: tuple) -> int:
    """One of some integers."""
    value = rows.integer(row, name)
    if value not in known:
        raise rows.Unreadable(f"{name}: expected one of {known}, found {rows.show(value)}")
    return value
