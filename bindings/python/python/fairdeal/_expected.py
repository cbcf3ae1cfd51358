"""Wrong arguments: a :class:`~fairdeal.UsageError` says what was expected, and what was found."""

from __future__ import annotations

import functools
import inspect
import operator
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ParamSpec, TypeVar

from .errors import UsageError

P = ParamSpec("P")
T = TypeVar("T")


def found(value: object) -> str:
    """A value in a message: short, and without what may be secret."""
    if value is None or isinstance(value, bool | int | float):
        return repr(value)[:40]
    if isinstance(value, str) and value == "":
        return "an empty text"
    return f"a value of type {type(value).__name__}"


def wrong(argument: str, expected: str, value: object) -> UsageError:
    """The error for an argument of another kind."""
    return UsageError("usage", f"{argument}: expected {expected}, found {found(value)}")


@dataclass(frozen=True)
class Kind:
    """The values that an argument takes."""

    says: str
    takes: Callable[[Any], bool]


def is_text(value: object) -> bool:
    """Whether a value is a text that has UTF-8: a lone surrogate has none."""
    return isinstance(value, str) and not any("\ud800" <= c <= "\udfff" for c in value)


def is_path(value: object) -> bool:
    """Whether a value is the name of a file."""
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    return is_text(value) and value != "" and "\0" not in str(value)


def is_whole(value: object, most: int) -> bool:
    """Whether a value is a whole number from 0 on, also one of numpy."""
    try:
        return not isinstance(value, bool) and 0 <= operator.index(value) <= most  # type: ignore[arg-type]
    except TypeError:
        return False


def _is_names(value: object) -> bool:
    return isinstance(value, Mapping) and all(map(is_text, (*value, *value.values())))


FLAG = Kind("True or False", lambda value: type(value).__name__ in ("bool", "bool_"))
TEXT = Kind("a text", is_text)
PATH = Kind("a path", is_path)
WHOLE = Kind("a whole number from 0 to 2^64 - 1", lambda value: is_whole(value, 2**64 - 1))
SMALL = Kind("a whole number from 0 to 2^32 - 1", lambda value: is_whole(value, 2**32 - 1))
NAMES = Kind("a mapping of texts to texts", _is_names)
CALL = Kind("a function", callable)


def expects(**kinds: Kind) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Checks arguments before the function runs. ``None`` is right where it is the default."""

    def with_check(function: Callable[P, T]) -> Callable[P, T]:
        signature = inspect.signature(function)

        @functools.wraps(function)
        def checked(*args: P.args, **kwargs: P.kwargs) -> T:
            given = signature.bind(*args, **kwargs).arguments
            for name, value in given.items():
                kind = kinds.get(name)
                may_miss = value is None and signature.parameters[name].default is None
                if kind is not None and not may_miss and not kind.takes(value):
                    raise wrong(name, kind.says, value)
            return function(*args, **kwargs)

        return checked

    return with_check


def several(argument: str, given: Any, expected: str) -> list[Any]:
    """What was given, as a list: one text, path, mapping or bytes is a list of one."""
    if isinstance(given, str | bytes | os.PathLike | Mapping):
        return [given]
    if isinstance(given, Iterable):
        return list(given)
    raise wrong(argument, expected, given)


def member(answer: Any, name: str, source: str) -> Any:
    """A member of an answer of another function of the package."""
    if not isinstance(answer, Mapping) or name not in answer:
        says = f'expected an answer of {source}, which has "{name}"'
        what = "one without it" if isinstance(answer, Mapping) else found(answer)
        raise UsageError("usage", f"{says}; found {what}")
    return answer[name]
