"""Answers and logs as Arrow tables and as Parquet; a log's tables compared with the command's."""

from __future__ import annotations

import csv
import hashlib
import itertools
import json
import shutil
import subprocess
import sys
import time
import warnings
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest
from conftest import ROOT, under_policy

import fairdeal
from fairdeal import tables


EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def timed(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows with their times as a table has them."""
    return [
        row
        if row.get("time") is None
        else {**row, "time": EPOCH + timedelta(milliseconds=row["time"])}
        for row in rows
    ]


def test_a_table_has_the_answers_rows_and_a_schema_that_does_not_depend_on_them(
    tmp_path: Path,
) -> None:
    log = "fixtures/logs/nonce-gap"
    wrong = fairdeal.audit(log, f"{log}/key", now=2**53 - 1)
    honest = fairdeal.audit(
        "fixtures/logs/honest-example", "fixtures/logs/honest-example/key", now=2**53 - 1
    )
    assert tables.findings(wrong).to_pylist() == wrong["findings"]
    assert tables.findings(wrong).schema == tables.findings(honest).schema
    all_columns = tables.all_findings(log, f"{log}/key").schema.names
    assert tables.findings(wrong).schema.names == [*all_columns, "accuses"]
    assert tables.by_table(honest).to_pylist() == [
        {"table": name, **of} for name, of in honest["reported"]["tables"].items()
    ]
    path = tmp_path / "findings.parquet"
    tables.write_parquet(tables.findings(wrong), path)
    assert pyarrow.parquet.read_table(path).to_pylist() == wrong["findings"]
    assert [file.name for file in tmp_path.iterdir()] == ["findings.parquet"]


def test_rows_tests_positions_and_receipts_are_tables() -> None:
    rows = json.loads((ROOT / "fixtures/dialects/stake-crash.json").read_text())["rows"]
    checked = fairdeal.check_rows("stake-crash", rows)
    assert tables.rows(checked).to_pylist() == checked["rows"]
    sampled = fairdeal.lab("modulo-8", decks=100)
    tested = tables.tests(sampled).to_pylist()
    assert [one["name"] for one in tested] == [one["name"] for one in sampled["tests"]]
    assert sum(tables.positions(sampled).column("count").to_pylist()) == 52 * 100
    answer = fairdeal.verify_receipts(
        ["fixtures/receipts/round.json", "nowhere"], "fixtures/receipts/log.key"
    )
    holds = tables.receipts(answer).column("holds").to_pylist()
    assert holds == [True, None]
    times = tables.receipts(answer).column("time").to_pylist()
    assert times == [timed(answer["receipts"][:1])[0]["time"], None]


TABLES = {"entries": fairdeal.entries, "rounds": fairdeal.rounds, "findings": fairdeal.findings}
READERS = {"entries": tables.entries, "rounds": tables.rounds, "findings": tables.all_findings}
NAMES = (
    "honest-empty",
    "honest-example",
    "honest-tables",
    "honest-export",
    "honest-full-tiles",
    "honest-other-protocol",
    "nonce-gap",
    "not-canonical",
    "void-after-use",
    "honest-blamed",
    "honest-sealed",
    "contribution-signature",
    "honest-anchors",
    "backdated",
)


def as_csv(value: Any) -> str:
    """A cell as the command writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    text = "" if value is None else str(value)
    return (
        f"'{text}"
        if isinstance(value, str) and text.startswith(tuple("=+-@\t\r\n＝＋－＠'"))
        else text
    )


def written(
    log: Path, key: Path, program: str, folder: Path, *more: str
) -> dict[str, list[dict[str, str]]]:
    """The tables that the command writes."""
    line = [program, "audit", log, "--key", key, "--clock", str(2**53 - 1), "--csv", folder, *more]
    done = subprocess.run(line, capture_output=True, check=False)
    assert done.returncode in (0, 1), done.stderr.decode()
    read = {}
    for name in TABLES:
        with (folder / f"{name}.csv").open(newline="") as file:
            read[name] = list(csv.DictReader(file))
    return read


@pytest.mark.parametrize("name", NAMES)
def test_a_logs_entries_rounds_and_findings_are_the_rows_of_the_commands_csv(
    name: str, program: str, tmp_path: Path
) -> None:
    folder = ROOT / "fixtures/logs" / name
    log = folder / "export" if (folder / "export").exists() else folder
    policy, option = under_policy(folder)
    told = written(log, folder / "key", program, tmp_path / "csv", *map(str, option))
    how = {"now": 2**53 - 1, **policy}
    for table, csv_rows in told.items():
        rows = list(TABLES[table](log, folder / "key", **how))
        assert [
            {column: as_csv(value) for column, value in row.items()} for row in rows
        ] == csv_rows
        arrow = READERS[table](log, folder / "key", **how)
        with (tmp_path / "csv" / f"{table}.csv").open() as file:
            assert arrow.schema.names == file.readline().strip().split(",")
        path = tmp_path / f"{table}.parquet"
        tables.write_parquet(arrow, path)
        kept = pyarrow.parquet.read_table(path)
        assert kept.to_pylist() == timed(rows)
        assert kept.schema.names == arrow.schema.names and kept.schema.types == arrow.schema.types


def test_the_tables_of_a_longer_log_come_in_batches_and_whole(
    generated: Path, program: str, tmp_path: Path
) -> None:
    key = generated / "log.key"
    told = written(generated, key, program, tmp_path / "csv")
    rows = list(fairdeal.rounds(generated, key, now=2**53 - 1))
    assert [{column: as_csv(value) for column, value in row.items()} for row in rows] == told[
        "rounds"
    ]
    assert (
        len(list(fairdeal.entries(generated, key)))
        == fairdeal.log_size(generated)
        == len(told["entries"])
    )
    assert tables.rounds(generated, key).read_all().to_pylist() == timed(rows)


def test_how_a_log_is_judged_is_given_to_its_tables(program: str, tmp_path: Path) -> None:
    folder = ROOT / "fixtures/logs/overdue"
    told = written(folder, folder / "key", program, tmp_path, "--as-of", str(2**53 - 1))["findings"]
    late = list(fairdeal.findings(folder, folder / "key", now=2**53 - 1, as_of=2**53 - 1))
    assert [one["code"] for one in late] == [one["code"] for one in told] == ["overdue", "overdue"]
    assert len(list(fairdeal.findings(folder, folder / "key", now=2**53 - 1))) == 1


def test_a_reader_may_stop_and_then_the_audit_stops_too(tmp_path: Path) -> None:
    log = tmp_path / "log"
    fairdeal.generate(log, deals=100_000, tables=16, rounds=5000)
    reads: list[str] = []

    class Reader:
        name = "log"

        def read(self, path: str, at_most: int) -> bytes | None:
            reads.append(path)
            file = log / path
            return file.read_bytes() if file.exists() else None

    rows = fairdeal.entries(Reader(), log / "log.key")
    assert [next(rows)["index"] for _ in range(3)] == [0, 1, 2]
    # The audit waits for its reader, so the number of rows read ahead is limited.
    time.sleep(0.5)
    ahead = len(reads)
    assert ahead < 300, "a log of 400 bundles is not read while nobody asks"
    del rows
    time.sleep(0.5)
    assert len(reads) <= ahead + 100
    assert not list(fairdeal.findings(log, log / "log.key", now=2**53 - 1))


def test_a_log_that_cannot_be_read_raises_and_a_wrong_argument_at_once(
    generated: Path, tmp_path: Path
) -> None:
    class Broken:
        name = "broken"

        def read(self, path: str, at_most: int) -> bytes | None:
            if path.startswith("tile/entries/005"):
                raise OSError("the disk is gone")
            file = generated / path
            return file.read_bytes() if file.exists() else None

    rows = fairdeal.entries(Broken(), generated / "log.key")
    with pytest.raises(fairdeal.UnavailableError, match="the disk is gone"):
        list(rows)
    target = tmp_path / "entries.parquet"
    with pytest.raises(Exception, match="the disk is gone"):
        tables.write_parquet(tables.entries(Broken(), generated / "log.key"), target)
    assert list(tmp_path.iterdir()) == [], "a table is whole or not there"
    with pytest.raises(fairdeal.UsageError, match="with its zone"):
        fairdeal.entries(generated, generated / "log.key", now="2026-01-01")
    with pytest.raises(fairdeal.UsageError, match="key"):
        fairdeal.rounds(generated, "no+key")


def warned(rows: Iterable[Any]) -> list[str]:
    """The warnings that the last row is followed by."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        for _ in rows:
            pass
    assert all(one.category is fairdeal.errors.IncompleteWarning for one in found)
    assert all(one.filename == __file__ for one in found), "it names the caller's line"
    return [str(one.message) for one in found]


def test_rows_of_a_log_with_a_missing_file_end_with_a_warning(
    generated: Path, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    shutil.copytree(generated, log)
    (log / "tile/entries/005").unlink()
    size = fairdeal.log_size(log)
    says = f"{log}: 1280 of {size} entries were read; the others are not in the rows"
    for give in (*TABLES.values(), *READERS.values()):
        assert warned(give(generated, generated / "log.key")) == []
        assert warned(give(log, log / "log.key")) == [f"{says}: fairdeal.audit says why"]
    # A reader that stops has not asked for all rows.
    assert warned(itertools.islice(fairdeal.entries(log, log / "log.key"), 5)) == []


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("bad-signature-another-log", "0 of 3"),
        ("bad-signature-another-log-exported", "0 of 3"),
        ("tree-mismatch-bundle-long", "0 of 4"),
        ("tree-mismatch-bundle-missing", "0 of 4"),
        ("tree-mismatch-second-bundle-missing", "256 of 260"),
        # The next cases: wrong hashes, and entries without effect. All entries were read.
        ("tree-mismatch-tile-missing", None),
        ("tree-mismatch-root", None),
        ("not-canonical", None),
        ("honest-empty", None),
        ("honest-export", None),
    ],
)
def test_only_entries_that_were_not_read_give_the_warning(name: str, read: str | None) -> None:
    folder = ROOT / "fixtures/logs" / name
    log = folder / "export" if (folder / "export").exists() else folder
    for give in (*TABLES.values(), *READERS.values()):
        told = warned(give(log, folder / "key", now=2**53 - 1))
        assert len(told) == (0 if read is None else 1)
        assert all(f": {read} entries were read" in one for one in told)


def test_without_pyarrow_the_error_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r"pip install './bindings/python\[arrow\]'"):
        tables.rows({"rows": []})


def test_single_entries_are_those_of_the_tables(generated: Path) -> None:
    wanted = [0, 300, 3000]
    rows = {row["index"]: row for row in fairdeal.entries(generated, generated / "log.key")}
    for one in fairdeal.published(generated, wanted):
        row, entry = rows[one["index"]], one["entry"]
        assert (entry["entry"], entry["time"], entry["commitment"]) == (
            row["kind"],
            row["time"],
            row["commitment"],
        )
        bytes_there = (generated / one["file"]).read_bytes()[one["offset"] :]
        assert bytes_there.startswith(one["text"].encode())
        assert hashlib.sha256(b"\0" + one["text"].encode()).hexdigest() == one["leaf"]
    export = ROOT / "fixtures/logs/honest-export"
    assert [one["file"] for one in fairdeal.published(export / "export", [1])] == [None]
    with pytest.raises(
        fairdeal.UnavailableError, match=f"entry 9999: the log has {len(rows)} entries"
    ):
        fairdeal.published(generated, [0, 9999])
    with pytest.raises(fairdeal.UsageError, match="whole numbers"):
        fairdeal.published(generated, [-1])
