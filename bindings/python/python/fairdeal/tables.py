"""Answers as Arrow tables, and as Parquet. Needs pyarrow.

Each table has a schema of its own that does not depend on the rows, so that the files of many days read as one.

>>> import fairdeal
>>> from fairdeal import tables
>>> log = "fixtures/logs/nonce-gap"
>>> findings = tables.findings(fairdeal.audit(log, f"{log}/key", now="2026-01-01T00:10:00Z"))
>>> findings.column("code")[0].as_py()
'nonce-gap'
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow


def _arrow() -> Any:
    try:
        import pyarrow
    except ImportError as error:
        raise ImportError("tables need pyarrow: pip install 'fairdeal[arrow]'") from error
    return pyarrow


def _table(fields: Iterable[tuple[str, str]], rows: Iterable[Mapping[str, Any]]) -> pyarrow.Table:
    pa = _arrow()
    types = {"text": pa.string(), "whole": pa.uint64(), "real": pa.float64(), "bool": pa.bool_()}
    schema = pa.schema([(name, types[kind]) for name, kind in fields])
    return pa.Table.from_pylist([{name: row.get(name) for name in schema.names} for row in rows], schema=schema)


def rows(checked: Mapping[str, Any]) -> pyarrow.Table:
    """The rows of :func:`fairdeal.check_rows`: ``row``, ``verdict``, ``says``."""
    return _table([("row", "whole"), ("verdict", "text"), ("says", "text")], checked["rows"])


def findings(verdict: Mapping[str, Any]) -> pyarrow.Table:
    """The findings of an audit: ``code``, ``index``, ``commitment``, ``nonce``, ``says``."""
    fields = [("code", "text"), ("index", "whole"), ("commitment", "text"), ("nonce", "whole"), ("says", "text")]
    return _table(fields, verdict["findings"])


def by_table(verdict: Mapping[str, Any]) -> pyarrow.Table:
    """An audit's counts of each table: ``table``, ``deals``, ``voided_rounds``, ``voided_locks``, ``voided_commitments``."""
    names = ["deals", "voided_rounds", "voided_locks", "voided_commitments"]
    counts = [{"table": name, **of} for name, of in verdict["reported"]["tables"].items()]
    return _table([("table", "text"), *((name, "whole") for name in names)], counts)


def tests(report: Mapping[str, Any]) -> pyarrow.Table:
    """The tests of :func:`fairdeal.stats` or a sampled :func:`fairdeal.lab`: ``name``, ``statistic``, ``p``, ``p_adjusted``."""
    return _table([("name", "text"), ("statistic", "real"), ("p", "real"), ("p_adjusted", "real")], report["tests"])


def positions(sampled: Mapping[str, Any]) -> pyarrow.Table:
    """How often each item was at each position, of a sampled :func:`fairdeal.lab`: ``position``, ``item``, ``count``."""
    counts = [
        {"position": position, "item": item, "count": count}
        for position, row in enumerate(sampled["positions"])
        for item, count in enumerate(row)
    ]
    return _table([("position", "whole"), ("item", "whole"), ("count", "whole")], counts)


def receipts(answer: Mapping[str, Any]) -> pyarrow.Table:
    """One row for each file of :func:`fairdeal.verify_receipts`."""
    fields = [
        ("file", "text"), ("holds", "bool"), ("table", "text"), ("commitment", "text"), ("nonce", "whole"),
        ("time", "whole"), ("cards", "text"), ("findings", "whole"), ("error", "text"),
    ]
    flat = [
        {**one, "findings": len(one.get("findings", [])), "error": one.get("error", {}).get("says")}
        for one in answer["receipts"]
    ]
    return _table(fields, flat)


def write_parquet(table: pyarrow.Table, path: str | os.PathLike[str]) -> None:
    """Writes a table as Parquet, whole or not at all."""
    _arrow()
    import pyarrow.parquet

    target = Path(path)
    temporary = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        pyarrow.parquet.write_table(table, temporary)
        os.replace(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)
