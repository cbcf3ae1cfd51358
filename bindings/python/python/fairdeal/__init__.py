"""Prove that a shuffle was fair, in Python: the library of the ``fairdeal`` command.

Answers are dicts, with the names of the command's ``--json``: ``spec/schema`` describes them. A
notebook shows a verdict as a table.
Errors are exceptions (:mod:`fairdeal.errors`); a receipt or a log that does not hold is an answer.
:mod:`fairdeal.tables` makes Arrow tables and Parquet of answers and of a log's rows,
:mod:`fairdeal.distributed` audits on many machines.

>>> import fairdeal
>>> fairdeal.verify_receipt("fixtures/receipts/round.json", "fixtures/receipts/log.key")["holds"]
True
"""

from . import errors
from ._fairdeal import version as _version
from .deals import cards_of, replay, verify_receipt, verify_receipts
from .errors import DoesNotHoldError, FairdealError, UnavailableError, UsageError
from .inside import entries, findings, published, rounds
from .logs import audit, generate, log_size, stats
from .rows import check_rows, dialects, limits
from .shuffles import lab

__version__ = _version()

__all__ = [
    "DoesNotHoldError",
    "FairdealError",
    "UnavailableError",
    "UsageError",
    "audit",
    "cards_of",
    "check_rows",
    "dialects",
    "entries",
    "errors",
    "findings",
    "generate",
    "lab",
    "limits",
    "log_size",
    "published",
    "replay",
    "rounds",
    "stats",
    "verify_receipt",
    "verify_receipts",
]
