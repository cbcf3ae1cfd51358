"""Answers and logs as Arrow tables, and as Parquet. Needs pyarrow.

Each table has its own schema, which does not depend on the rows, so that the files of many days can
be read as one. Times are timestamps in UTC. A hostile log can have times after the year 9999, for
which Python has no datetime: ``column.cast("int64")`` has their milliseconds. A log's entries,
rounds and findings are produced in batches, because a log may be larger than the memory:
``read_all()`` of a reader is a table, ``read_pandas()`` a data frame. If not all entries could be
read, an :class:`~fairdeal.errors.IncompleteWarning` follows the last batch.

>>> import fairdeal
>>> from fairdeal import tables
>>> log = "fixtures/logs/nonce-gap"
>>> findings = tables.findings(fairdeal.audit(log, f"{log}/key", now="2026-01-01T00:10:00Z"))
>>> findings.column("code")[0].as_py()
'nonce-gap'
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from ._expected import is_path, member, several, wrong
from ._inputs import Log, PathOrText, arrow
from .errors import FairdealError, UnavailableError, UsageError
from .inside import Judged, pages

if TYPE_CHECKING:
    import pyarrow

#: The approximate number of rows of a batch.
BATCH = 32_768

Fields = list[tuple[str, str]]
FINDING: Fields = [
    ("code", "text"),
    ("class", "text"),
    ("index", "whole"),
    ("commitment", "text"),
    ("nonce", "whole"),
    ("says", "text"),
]
ENTRY: Fields = [
    ("index", "whole"),
    ("kind", "text"),
    ("time", "time"),
    ("commitment", "text"),
    ("nonce", "whole"),
    ("effect", "bool"),
]
ROUND: Fields = [
    ("commitment", "text"),
    ("table", "text"),
    ("nonce", "whole"),
    ("index", "whole"),
    ("outcome", "text"),
    ("time", "time"),
    ("form", "text"),
    ("result", "text"),
    ("contributors", "whole"),
    ("blame", "text"),
    ("reason", "text"),
]


def _schema(fields: Iterable[tuple[str, str]]) -> pyarrow.Schema:
    pa = arrow()
    types = {
        "text": pa.string(),
        "whole": pa.uint64(),
        "real": pa.float64(),
        "bool": pa.bool_(),
        "time": pa.timestamp("ms", tz="UTC"),
    }
    return pa.schema([(name, types[kind]) for name, kind in fields])


def _table(fields: Iterable[tuple[str, str]], rows: Iterable[Mapping[str, Any]]) -> pyarrow.Table:
    pa, schema = arrow(), _schema(fields)
    try:
        named = [{name: row.get(name) for name in schema.names} for row in rows]
        return pa.Table.from_pylist(named, schema=schema)
    except (AttributeError, OverflowError, TypeError, ValueError) as error:
        says = f"expected an answer with rows of {', '.join(schema.names)}: {error}"
        raise UsageError("usage", says) from error


def rows(checked: Mapping[str, Any]) -> pyarrow.Table:
    """The rows of :func:`fairdeal.check_rows`: ``row``, ``verdict``, ``says``."""
    of = member(checked, "rows", "fairdeal.check_rows")
    return _table([("row", "whole"), ("verdict", "text"), ("says", "text")], of)


def findings(verdict: Mapping[str, Any]) -> pyarrow.Table:
    """The findings of an audit: ``code``, ``class``, ``index``, ``commitment``, ``nonce``, ``says``, ``accuses``."""
    of = member(verdict, "findings", "fairdeal.audit")
    # Verdicts of receipts have findings too, with other members.
    member(verdict, "counts", "fairdeal.audit")
    return _table([*FINDING, ("accuses", "text")], of)


def entries(log: Log, key: PathOrText, **how: Unpack[Judged]) -> pyarrow.RecordBatchReader:
    """The rows of :func:`fairdeal.entries`, in batches.

    >>> from fairdeal import tables
    >>> log = "fixtures/logs/honest-example"
    >>> tables.entries(log, f"{log}/key").read_all().column("kind").to_pylist()
    ['commit', 'deal', 'reveal']
    """
    return _read(ENTRY, log, key, "entries", how)


def rounds(log: Log, key: PathOrText, **how: Unpack[Judged]) -> pyarrow.RecordBatchReader:
    """The rows of :func:`fairdeal.rounds`, in batches.

    >>> from fairdeal import tables
    >>> log = "fixtures/logs/honest-example"
    >>> tables.rounds(log, f"{log}/key").read_all().column("table").to_pylist()
    ['table-1']
    """
    return _read(ROUND, log, key, "rounds", how)


def all_findings(log: Log, key: PathOrText, **how: Unpack[Judged]) -> pyarrow.RecordBatchReader:
    """The rows of :func:`fairdeal.findings`, in batches: all findings, where a verdict has 1,000 of each code.

    The columns are those of :func:`findings`, in the same order, without the last one,
    ``accuses``: these rows come while the audit runs, and only a finished audit knows whom a
    finding accuses.
    """
    return _read(FINDING, log, key, "findings", how)


def _read(
    fields: Fields, log: Log, key: PathOrText, table: str, how: Judged
) -> pyarrow.RecordBatchReader:
    schema = _schema(fields)
    return arrow().RecordBatchReader.from_batches(
        schema, _batches(schema, pages(log, key, table, how))
    )


def _batches(schema: pyarrow.Schema, lines: Iterator[bytes]) -> Iterator[pyarrow.RecordBatch]:
    """JSON lines as batches: Arrow parses them, so that no dict is made."""
    some, count = [], 0
    for page in lines:
        some.append(page)
        count += page.count(b"\n")
        if count >= BATCH:
            yield from _parsed(schema, b"".join(some))
            some, count = [], 0
    if some:
        yield from _parsed(schema, b"".join(some))


def _parsed(schema: pyarrow.Schema, lines: bytes) -> list[pyarrow.RecordBatch]:
    import pyarrow
    from pyarrow import json

    # In JSON times are numbers, of which the parser makes no timestamps.
    whole = [
        field.with_type(pyarrow.int64()) if pyarrow.types.is_timestamp(field.type) else field
        for field in schema
    ]
    # One block, so that a long row is not split.
    read = json.ReadOptions(block_size=len(lines))
    parse = json.ParseOptions(
        explicit_schema=pyarrow.schema(whole), unexpected_field_behavior="error"
    )
    table = json.read_json(io.BytesIO(lines), read_options=read, parse_options=parse)
    batches: list[pyarrow.RecordBatch] = table.cast(schema).to_batches()
    return batches


def by_table(verdict: Mapping[str, Any]) -> pyarrow.Table:
    """An audit's counts of each table: its commitments, deals, and what was voided."""
    names = ["commitments", "deals", "voided_rounds", "voided_locks", "voided_commitments"]
    reported = member(verdict, "reported", "fairdeal.audit")
    named = member(reported, "tables", "fairdeal.audit")
    counts = ({"table": name, **named[name]} for name in named)
    return _table([("table", "text"), *((name, "whole") for name in names)], counts)


def tests(report: Mapping[str, Any]) -> pyarrow.Table:
    """The tests of :func:`fairdeal.stats` or a sampled :func:`fairdeal.lab`: ``name``, ``statistic``, ``p``, ``p_adjusted``."""
    return _table(
        [("name", "text"), ("statistic", "real"), ("p", "real"), ("p_adjusted", "real")],
        member(report, "tests", "fairdeal.stats or a sampled fairdeal.lab"),
    )


def positions(sampled: Mapping[str, Any]) -> pyarrow.Table:
    """How often each item was at each position, of a sampled :func:`fairdeal.lab`: ``position``, ``item``, ``count``."""
    given = member(sampled, "positions", "a sampled fairdeal.lab")
    rows = several("positions", given, "the counts of each position")
    counts = (
        {"position": position, "item": item, "count": count}
        for position, row in enumerate(rows)
        for item, count in enumerate(row)
    )
    return _table([("position", "whole"), ("item", "whole"), ("count", "whole")], counts)


def receipts(answer: Mapping[str, Any]) -> pyarrow.Table:
    """One row for each file of :func:`fairdeal.verify_receipts`."""
    fields = [
        ("file", "text"),
        ("holds", "bool"),
        ("table", "text"),
        ("commitment", "text"),
        ("nonce", "whole"),
        ("time", "time"),
        ("cards", "text"),
        ("findings", "whole"),
        ("error", "text"),
    ]
    flat = (
        {**one, "findings": len(one.get("findings", [])), "error": one.get("error", {}).get("says")}
        for one in member(answer, "receipts", "fairdeal.verify_receipts")
    )
    return _table(fields, flat)


def write_parquet(
    table: pyarrow.Table | pyarrow.RecordBatchReader, path: str | os.PathLike[str]
) -> None:
    """Writes a table, or the batches of a reader one by one, as Parquet: whole or not at all.

    Raises :class:`~fairdeal.UnavailableError` if the file cannot be written.

    >>> import pyarrow.parquet, tempfile
    >>> from fairdeal import tables
    >>> log = "fixtures/logs/honest-example"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tables.write_parquet(tables.rounds(log, f"{log}/key"), f"{folder}/rounds.parquet")
    ...     pyarrow.parquet.read_table(f"{folder}/rounds.parquet").num_rows
    1
    """
    arrow()
    import pyarrow
    import pyarrow.parquet

    if not isinstance(table, pyarrow.Table | pyarrow.RecordBatchReader):
        raise wrong("table", "an Arrow table, or a reader of batches", table)
    if not is_path(path):
        raise wrong("path", "a path", path)
    target = Path(path)
    temporary = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        if isinstance(table, pyarrow.Table):
            pyarrow.parquet.write_table(table, temporary)
        else:
            with pyarrow.parquet.ParquetWriter(temporary, table.schema) as writer:
                for batch in table:
                    writer.write_batch(batch)
        os.replace(temporary, target)
    except FairdealError:
        raise  # of the reader: an unavailable log is an OSError too
    except OSError as error:
        why = os.strerror(error.errno) if error.errno else error
        raise UnavailableError("unavailable", f"path: {target}: {why}") from error
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
