"""Rounds of other operators."""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from . import _fairdeal
from ._answers import answer_of
from ._expected import FLAG, NAMES, TEXT, expects, found, is_path, wrong
from .errors import UnavailableError, UsageError

#: The command's hint for a missing column.
_HINT = re.compile(r'(no \S+ column; found .*)\. Try --map "?(\w+)=(.*?)"?$')


@expects(dialect=TEXT, columns=NAMES, statistics=FLAG, brief=FLAG, name=TEXT)
def check_rows(
    dialect: str,
    rows: Any,
    *,
    columns: Mapping[str, str] | None = None,
    statistics: bool = False,
    brief: bool = False,
    name: str = "rows",
) -> dict[str, Any]:
    """Check rounds of another operator's scheme, as ``fairdeal check DIALECT --file ROWS --json`` does.

    >>> import fairdeal
    >>> row = {"server_seed": "9dd9a4ce539a7d11a36a96c71f3d939c46d972b2e56254bc85ea2c0681541dca",
    ...        "client_seed": "23eb7069c6fc5b1369b92f5321af9f63", "result": 7.74}
    >>> answer = fairdeal.check_rows("stake-crash", [row, {**row, "result": 7.75}])
    >>> [one["verdict"] for one in answer["rows"]]
    ['valid', 'result-mismatch']

    ``rows`` are dicts, a pandas data frame, an Arrow table or batch, the bytes of a file (JSON, JSON lines or CSV), or a
    path. ``columns`` gives the names of columns in your data: ``{"client_seed": "beacon"}``.
    :func:`dialects` lists the schemes, and spec/dialects.md describes them. A row that cannot be
    read is ``unreadable``, and the others are checked; if the rows end too early, or no row can be
    read, the answer has an ``error``, and does not hold. If no row has a column that the scheme
    needs, this raises :class:`~fairdeal.UnavailableError`, which names the column and yours.

    In a data frame a missing value counts as absent, and a whole number that pandas keeps as a
    float counts as a whole number.
    """
    names = list((columns or {}).items())
    if isinstance(rows, str | os.PathLike):
        if not is_path(rows):
            raise wrong("rows", "a path", rows)
        name, how = os.fspath(rows), {"statistics": statistics, "brief": brief}
        answer = answer_of(_fairdeal.check_file(dialect, name, names, **how))
    else:
        data = rows if isinstance(rows, bytes) else _json_of(rows)
        how = {"statistics": statistics, "brief": brief}
        answer = answer_of(_fairdeal.check_rows(dialect, data, name, names, **how))
    error = answer.get("error", {"code": "", "says": ""})
    hint = _HINT.search(error["says"])
    if hint is not None:
        what, column, here = hint.groups()
        says = f'{name}: {what}. Try columns={{"{column}": {json.dumps(here)}}}'
        raise UnavailableError(error["code"], says)
    return answer


def dialects() -> list[dict[str, str]]:
    """The known schemes, as in ``fairdeal check --list --json``.

    >>> import fairdeal
    >>> [one["name"] for one in fairdeal.dialects()][:2]
    ['bustabit', 'duel-crash']
    """
    listed: list[dict[str, str]] = json.loads(_fairdeal.dialects())["dialects"]
    return listed


@expects(dialect=TEXT)
def limits(dialect: str) -> dict[str, Any]:
    """The limits of a scheme and its exact bias, as ``fairdeal check DIALECT --limits --json``.

    >>> import fairdeal
    >>> fairdeal.limits("stake-crash")["dialect"]
    'stake-crash'
    """
    told: dict[str, Any] = json.loads(_fairdeal.limits(dialect))
    return told


def _json_of(rows: Any) -> bytes:
    """Rows as a JSON array."""
    if hasattr(rows, "to_pylist"):  # Arrow
        items = rows.to_pylist()
    elif hasattr(rows, "to_dict") and hasattr(rows, "columns"):  # pandas
        items = [
            {key: _of_frame(value) for key, value in row.items()} for row in rows.to_dict("records")
        ]
    elif isinstance(rows, Iterable) and not isinstance(rows, Mapping):
        items = list(rows)
    else:
        raise wrong("rows", "dicts, a data frame, a table, bytes or a path", rows)
    try:
        return json.dumps(items, default=_plain, ensure_ascii=False, allow_nan=False).encode()
    except (TypeError, ValueError) as error:
        raise UsageError("usage", f"rows: expected values of JSON: {error}") from error


def _of_frame(value: Any) -> Any:
    """A cell: in a column of numbers with a missing value, pandas has floats."""
    if isinstance(value, float):
        if math.isnan(value):
            return None
        if value.is_integer() and abs(value) < 2**53:
            return int(value)
    # The missing value of newer columns, and the missing time: neither is equal to itself.
    if type(value).__name__ in ("NAType", "NaTType"):
        return None
    return value


def _plain(value: Any) -> Any:
    """Converts values that JSON cannot represent."""
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, bytes):
        return value.hex()
    if hasattr(value, "tolist"):  # numpy
        return value.tolist()
    raise TypeError(f"found a {type(value).__name__}")
