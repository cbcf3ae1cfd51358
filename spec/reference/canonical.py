"""Strict JSON, and its canonical form: ledger.md 8.1, RFC 8785 (JCS).

Integers that a double holds exactly are read as `int`, every other number as
`float`. So `1.0` and `-0` are not integers, and print as in ECMAScript.
"""

import json
import math
from collections import Counter

MAX_INTEGER = (1 << 53) - 1
MAX_DEPTH = 127


class NotJson(ValueError):
    """The bytes are not readable JSON."""


def _integer(text: str):
    if text != "-0" and len(text) <= 17 and abs(int(text)) <= MAX_INTEGER:
        return int(text)
    return _double(text)


def _double(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise NotJson(f"the number {text[:40]} overflows a double")
    return value


def _constant(text: str):
    raise NotJson(f"{text} is not JSON")


def _object(pairs: list) -> dict:
    value = dict(pairs)
    if len(value) != len(pairs):
        twice = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise NotJson(f"an object has two members named {json.dumps(twice)}")
    return value


def _check_depth_and_text(value, depth: int) -> None:
    if isinstance(value, str):
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            raise NotJson("a string has an escape for half a surrogate pair") from None
    elif isinstance(value, (dict, list)):
        if depth == MAX_DEPTH:
            raise NotJson(f"arrays and objects are nested over {MAX_DEPTH} deep")
        if isinstance(value, dict):
            for name in value:
                _check_depth_and_text(name, depth + 1)
            value = value.values()
        for part in value:
            _check_depth_and_text(part, depth + 1)


def read(data: bytes):
    """The value of a JSON text (RFC 8259); raises NotJson for what ledger.md 8.1 refuses.

    One byte order mark is passed over, as in a file (receipt.md 11.1); `parse` refuses it.
    """
    try:
        text = data.decode("utf-8").removeprefix("\ufeff")
        value = json.loads(
            text,
            parse_int=_integer,
            parse_float=_double,
            parse_constant=_constant,
            object_pairs_hook=_object,
        )
    except UnicodeDecodeError as error:
        raise NotJson(f"byte {error.start} is not UTF-8") from None
    except json.JSONDecodeError as error:
        at = len(data) - len(text[error.pos :].encode("utf-8"))
        raise NotJson(f"byte {at} is where it stops being JSON ({error.msg})") from None
    except RecursionError:
        raise NotJson(f"arrays and objects are nested over {MAX_DEPTH} deep") from None
    _check_depth_and_text(value, 0)
    return value


def number_text(value) -> str:
    """A number as ECMAScript's Number::toString prints it (RFC 8785, 3.2.2.3)."""
    if isinstance(value, int):
        return str(value)
    if value == 0:
        return "0"
    sign = "-" if value < 0 else ""
    mantissa, _, exponent = repr(abs(value)).partition("e")
    whole, _, part = mantissa.partition(".")
    # The value is 0.DIGITS times ten to the power of `point`.
    digits = whole + part
    point = len(whole) + int(exponent or 0)
    leading = len(digits) - len(digits.lstrip("0"))
    digits, point = digits.strip("0"), point - leading
    count = len(digits)
    if count <= point <= 21:
        return sign + digits + "0" * (point - count)
    if 0 < point <= 21:
        return sign + digits[:point] + "." + digits[point:]
    if -6 < point <= 0:
        return sign + "0." + "0" * -point + digits
    power = f"e{point - 1:+d}"
    return sign + digits[0] + ("." + digits[1:] if count > 1 else "") + power


def text_of(value) -> str:
    """The canonical form of a value that `read` returned."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, (int, float)):
        return number_text(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)  # the same escapes as JCS
    if isinstance(value, list):
        return "[" + ",".join(map(text_of, value)) + "]"
    names = sorted(value, key=lambda name: name.encode("utf-16-be"))
    return "{" + ",".join(f"{text_of(name)}:{text_of(value[name])}" for name in names) + "}"


def parse(data: bytes):
    """The value of canonical bytes; raises NotJson for any others."""
    value = read(data)
    canonical = text_of(value).encode("utf-8")
    if canonical != data:
        at = next(
            (i for i, (a, b) in enumerate(zip(data, canonical)) if a != b),
            min(len(data), len(canonical)),
        )
        raise NotJson(
            f"from byte {at} on this is not its own canonical form, which has {canonical[at : at + 20]!r} there"
        )
    return value
