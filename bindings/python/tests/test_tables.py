"""Answers as Arrow tables and as Parquet."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet
from conftest import ROOT

import fairdeal
from fairdeal import tables


def test_a_table_has_the_answers_rows_and_a_schema_that_does_not_depend_on_them(tmp_path: Path) -> None:
    log = "fixtures/logs/nonce-gap"
    wrong = fairdeal.audit(log, f"{log}/key", now=2**53)
    honest = fairdeal.audit("fixtures/logs/honest-example", "fixtures/logs/honest-example/key", now=2**53)
    assert tables.findings(wrong).to_pylist() == wrong["findings"]
    assert tables.findings(wrong).schema == tables.findings(honest).schema
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
    answer = fairdeal.verify_receipts(["fixtures/receipts/round.json", "nowhere"], "fixtures/receipts/log.key")
    holds = tables.receipts(answer).column("holds").to_pylist()
    assert holds == [True, None]
