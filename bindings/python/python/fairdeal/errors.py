"""Why there is no answer. The exit codes of the command (spec/cli.md, section 1) are classes here.

A receipt or a log that does not hold raises nothing: that is an answer, with ``holds`` false.
"""

from __future__ import annotations

import json
from typing import Any


class FairdealError(Exception):
    """Something gave no answer.

    ``code`` is stable and for programs (spec/cli.md, section 3). The text is for people: what was expected, what came,
    and where. ``findings`` has what was found, where the reason is in a log or in a seed.

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
        # An exception crosses from a worker to its client: all of it, not only the text.
        return (type(self), (self.code, str(self), json.dumps(self.findings)))


class DoesNotHoldError(FairdealError):
    """It was checked and is wrong, and there is no answer beside that: exit code 1."""

    exit_code = 1


class UsageError(FairdealError, ValueError):
    """An argument is wrong: exit code 2."""

    exit_code = 2


class UnavailableError(FairdealError, OSError):
    """It could not be checked: unreadable, unreachable, not revealed yet. Exit code 3."""

    exit_code = 3

    def __str__(self) -> str:
        return str(self.args[0])
