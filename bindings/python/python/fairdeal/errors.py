"""Errors: a class for each exit code of the command (spec/cli.md, section 1).

A receipt or a log that does not hold does not raise: it is an answer, with ``holds`` false.
"""

from __future__ import annotations

import json
from typing import Any


class FairdealError(Exception):
    """A call that gave no answer.

    ``code`` is stable and for programs (spec/cli.md, section 3). The text is for people: what was
    expected, what was found, and where. ``findings`` has the findings, if the reason is in a log or
    in a seed.

    >>> import fairdeal
    >>> try:
    ...     fairdeal.lab("swap-all", items=3)
    ... except fairdeal.FairdealError as error:
    ...     print(error.code, error.exit_code)
    usage 2
    """

    exit_code = 3

    def __init__(self, code: str, says: str, findings: str = "[]") -> None:
        super().__init__(says)
        self.code = code
        self.findings: list[dict[str, Any]] = json.loads(findings)

    def __reduce__(self) -> tuple[Any, ...]:
        # An exception is sent from a worker to its client with all members, not only the text.
        return (type(self), (self.code, str(self), json.dumps(self.findings)))


class DoesNotHoldError(FairdealError):
    """The data was checked and is wrong, and there is no other answer: exit code 1."""

    exit_code = 1


class UsageError(FairdealError, ValueError):
    """An argument is wrong: exit code 2."""

    exit_code = 2


class UnavailableError(FairdealError, OSError):
    """The data could not be checked: unreadable, unreachable, not revealed yet. Exit code 3."""

    exit_code = 3

    def __str__(self) -> str:
        return str(self.args[0])


class IncompleteWarning(UserWarning):
    """Rows are missing: an audit could not read all entries that the log's checkpoint promises."""
