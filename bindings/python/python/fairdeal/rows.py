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
from ._expected import FLAG, NAMES, TEXT, expects, is_path, wrong
from ._inputs import arrow
from .errors import FairdealError, UnavailableError, UsageError

#: The first bytes of a Parquet file, and what to do with one.
_MAGIC = b"PAR1"
_PARQUET = (
    "expected JSON, JSON lines or CSV, found Parquet: "
    "read it with pyarrow.parquet.read_table, and give the table as rows"
)

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

    ``rows`` are dicts, a data frame of pandas or polars, a structured array of numpy, an Arrow
    table, batch, reader of batches or dataset, any other Arrow stream, the bytes of a file (JSON,
    JSON lines or CSV), or a path. ``columns`` gives the names of columns in your data:
    ``{"client_seed": "beacon"}``.
    :func:`dialects` lists the schemes, and spec/dialects.md describes them. A row that cannot be
    read is ``unreadable``, and the others are checked; if the rows end too early, or no row can be
    read, the answer has an ``error``, and does not hold. If no row has a column that the scheme
    needs, this raises :class:`~fairdeal.UnavailableError`, which names the column and yours.

    In a data frame of pandas a missing value counts as absent, and a whole number that pandas
    keeps as a float counts as a whole number. A float of 32 bits counts as its own shortest
    decimal: 2.81, and not the 2.809999942779541 of its 64 bits. Elsewhere NaN, and everywhere
    infinity, is a :class:`~fairdeal.UsageError` that names the row, from 0, and the column.
    """
    names = list((columns or {}).items())
    if isinstance(rows, str | os.PathLike):
        if not is_path(rows):
            raise wrong("rows", "a path", rows)
        name, how = os.fspath(rows), {"statistics": statistics, "brief": brief}
        answer = answer_of(_fairdeal.check_file(dialect, name, names, **how))
        if "error" in answer and _is_parquet(name):
            raise UsageError("usage", f"{name}: {_PARQUET}")
    else:
        data = rows if isinstance(rows, bytes) else _json_of(rows)
        if data.startswith(_MAGIC):
            raise UsageError("usage", f"{name}: {_PARQUET}")
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
    ['bustabit', 'bustabit-v2']
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


def _is_parquet(path: str) -> bool:
    """Whether a file is Parquet. A pipe is not opened: its bytes come only once."""
    if not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        return file.read(len(_MAGIC)) == _MAGIC


def _json_of(rows: Any) -> bytes:
    """Rows as a JSON array."""
    items = _items(rows)
    try:
        return _json(items)
    except (TypeError, ValueError) as error:
        raise _not_json(items, error) from error


def _json(value: Any) -> bytes:
    return json.dumps(value, default=_plain, ensure_ascii=False, allow_nan=False).encode()


def _not_json(items: list[Any], error: Exception) -> UsageError:
    """The error that names the first cell that JSON cannot represent."""
    for at, row in enumerate(items):
        for column, cell in row.items() if isinstance(row, dict) else ():
            try:
                _json(cell)
            except (TypeError, ValueError) as wrong_cell:
                where = f"rows: row {at}, column {column}"
                if str(cell) in ("nan", "inf", "-inf"):
                    return UsageError("usage", f"{where}: expected a finite number, found {cell}")
                return UsageError("usage", f"{where}: expected a value of JSON: {wrong_cell}")
    return UsageError("usage", f"rows: expected values of JSON: {error}")


def _items(rows: Any) -> list[Any]:
    """Rows as a list of dicts."""
    names = getattr(getattr(rows, "dtype", None), "names", None)
    if names:  # a structured array of numpy
        return [{name: row[name] for name in names} for row in rows]
    if hasattr(rows, "iterrows"):  # pandas
        if not rows.columns.is_unique:
            raise _twice(list(rows.columns))
        columns = {name: _of_frame(column) for name, column in rows.items()}
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    arrows = ("__arrow_c_stream__", "to_arrow", "to_table", "to_pylist")
    if any(hasattr(rows, name) for name in arrows):
        return _of_arrow(rows)
    if isinstance(rows, Iterable) and not isinstance(rows, Mapping):
        return list(rows)
    raise wrong("rows", "dicts, a data frame, an Arrow table or stream, bytes or a path", rows)


def _twice(names: list[Any]) -> UsageError:
    """The error for a frame in which a column's name is there twice."""
    twice = next(name for name in names if names.count(name) > 1)
    return UsageError("usage", f"rows: expected each column once, found {twice!r} twice")


def _of_arrow(rows: Any) -> list[Any]:
    """The rows of an Arrow table, batch, array of structs, reader or dataset, or of polars."""
    pa = arrow()
    try:
        if isinstance(rows, pa.RecordBatch):
            table = pa.Table.from_batches([rows])
        elif isinstance(rows, pa.Array | pa.ChunkedArray):
            table = pa.Table.from_struct_array(rows)
        elif hasattr(rows, "__arrow_c_stream__"):
            table = pa.table(rows)
        else:
            table = rows.to_arrow() if hasattr(rows, "to_arrow") else rows.to_table()
        for at, field in enumerate(table.schema):
            if field.type == pa.float32():
                # As a text, Arrow gives a float its own shortest decimal.
                cells = table.column(at).cast(pa.string()).to_pylist()
                exact = [None if cell is None else float(cell) for cell in cells]
                table = table.set_column(at, field.name, pa.array(exact, pa.float64()))
        if len(set(table.column_names)) < len(table.column_names):
            raise _twice(table.column_names)
        listed: list[Any] = table.to_pylist()
    except FairdealError:
        raise
    except OSError as error:
        raise UnavailableError("unavailable", f"rows: {error}") from error
    except (TypeError, ValueError) as error:
        raise UsageError("usage", f"rows: expected an Arrow table or stream: {error}") from error
    return listed


def _of_frame(column: Any) -> list[Any]:
    """The cells of a column of pandas."""
    dtype = getattr(column.dtype, "numpy_dtype", column.dtype)
    narrow = dtype.type if dtype.kind == "f" and dtype.itemsize < 8 else None
    return [_cell(value, narrow) for value in column]


def _cell(value: Any, narrow: Any) -> Any:
    """A cell: in a column of numbers with a missing value, pandas has floats."""
    # The missing value of newer columns, and the missing time: neither is equal to itself.
    if type(value).__name__ in ("NAType", "NaTType"):
        return None
    if narrow is not None and value is not None:
        value = float(str(narrow(value)))
    if isinstance(value, float):
        if math.isnan(value):
            return None
        if value.is_integer() and abs(value) < 2**53:
            return int(value)
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
        if getattr(getattr(value, "dtype", None), "kind", None) == "f":
            # A float's own shortest decimal, not that of the 64 bits that tolist makes.
            return float(str(value)) if value.ndim == 0 else list(value)
        return value.tolist()
    raise TypeError(f"found a {type(value).__name__}")
