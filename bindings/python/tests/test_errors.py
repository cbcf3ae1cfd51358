"""Errors have the command's codes, and say what was expected, what was found, and where."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import Any

import numpy
import pandas
import pyarrow
import pyarrow.parquet
import pytest
from conftest import Command

import fairdeal
from fairdeal import tables

SEED = bytes(range(32))
LOG = "fixtures/logs/honest-example"
KEY = f"{LOG}/key"
ROUND = "fixtures/receipts/round.json"

#: A frame in which a column's name is there twice.
TWICE = pandas.DataFrame([["a", 1, 2]], columns=["server_seed", "result", "result"])

USAGE: list[tuple[Callable[[], Any], str]] = [
    (lambda: fairdeal.check_rows("stake-crash", TWICE), "each column once, found 'result' twice"),
    (
        lambda: fairdeal.check_rows(
            "stake-crash", pyarrow.table([["a"], [1], [2]], ["server_seed", "result", "result"])
        ),
        "each column once, found 'result' twice",
    ),
    (lambda: fairdeal.replay(), "expected a receipt, or server_seed"),
    (lambda: fairdeal.replay(server_seed="00", contributions={"a": "b"}, nonce=0), "server_seed: "),
    (lambda: fairdeal.replay(server_seed=SEED, contributions={"a": "b"}, nonce=2**53), "nonce: "),
    (
        lambda: fairdeal.replay(server_seed=SEED, contributions={"a": "b"}, nonce=0, draw=53),
        "draw: ",
    ),
    (
        lambda: fairdeal.replay(server_seed=SEED, contributions={"a": "b"}, nonce=0, deck="tarot"),
        "deck: ",
    ),
    (
        lambda: fairdeal.replay(
            server_seed=SEED, contributions={"a": "b"}, nonce=0, method="riffle"
        ),
        "expected shuffle or cycle",
    ),
    (lambda: fairdeal.replay(server_seed=SEED, contributions={}, nonce=0), "contributions: "),
    (
        lambda: fairdeal.replay(server_seed=SEED, contributions=[{"from": "a"}], nonce=0),
        "expected a seed, found none",
    ),
    (lambda: fairdeal.replay(ROUND, nonce=0), "found both"),
    (lambda: fairdeal.audit(LOG, "cards.example/log+x+y"), "key: "),
    (lambda: fairdeal.audit(LOG, KEY, now="yesterday"), "now: expected a time such as"),
    (lambda: fairdeal.audit(LOG, KEY, as_of=-1), "as_of: expected a time after 1970"),
    (lambda: fairdeal.audit("", KEY), "expected a path or a URL"),
    (lambda: fairdeal.audit("http://[", KEY), "log: "),
    (lambda: fairdeal.check_rows("roulette", []), "expected one of bustabit"),
    (lambda: fairdeal.check_rows("stake-crash", 5), "found 5"),
    (lambda: fairdeal.check_rows("stake-crash", [{"result": {1, 2}}]), "found a set"),
    (
        lambda: fairdeal.check_rows("stake-crash", [], columns={"dealer": "x"}),
        "columns: expected one of",
    ),
    (lambda: fairdeal.verify_receipts([], KEY), "at least one"),
    (
        lambda: fairdeal.verify_receipt(ROUND, "fixtures/receipts/log.key", seat="alice"),
        "expected an opening",
    ),
    (
        lambda: fairdeal.verify_receipt(
            ROUND, "fixtures/receipts/log.key", players={"alice": "00"}
        ),
        "players: alice",
    ),
    (lambda: fairdeal.stats(), "expected a log or decks"),
    (lambda: fairdeal.verify_receipt(FRAME, KEY), "found a value of type DataFrame"),  # type: ignore[arg-type]
    (lambda: tables.write_parquet(FRAME, "x"), "found a value of type DataFrame"),
    (lambda: fairdeal.published(LOG, pandas.array([0, None])), "found a value of type NAType"),
    (lambda: fairdeal.audit(LOG, KEY, now=numpy.int64(-1)), "now: expected a time after 1970"),
    (lambda: fairdeal.cards_of({}), 'fairdeal.verify_receipt, which has "shown"; found one without'),
    (lambda: fairdeal.cards_of(fairdeal.audit(LOG, KEY)), "an answer of fairdeal.verify_receipt"),
    (
        lambda: tables.findings(fairdeal.verify_receipt(ROUND, "fixtures/receipts/log.key")),
        "an answer of fairdeal.audit",
    ),
    (lambda: fairdeal.lab("fisher-yates", items=0), "expected 1 to 512, found 0"),
]

FRAME = pandas.DataFrame({"result": [1.5]})
OPEN = {"now": 1767225600000}
SEEDS: dict[str, Any] = {"server_seed": SEED, "contributions": {"a": "b"}, "nonce": 0}
ROW = {"server_seed": "9d", "client_seed": "23", "result": 7.74}

#: Each function with right arguments.
CALLS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "replay": (
        fairdeal.replay,
        {
            **SEEDS,
            "deck": "standard-52",
            "items": None,
            "draw": 5,
            "method": "shuffle",
            "commitment": None,
            "sealed": False,
            "trace": False,
        },
    ),
    "replay of a receipt": (fairdeal.replay, {"receipt": ROUND}),
    "verify_receipts": (
        fairdeal.verify_receipts,
        {
            "receipts": [ROUND],
            "key": "fixtures/receipts/log.key",
            "policy": None,
            "mine": (),
            "clients": None,
            "players": None,
            "seat": None,
        },
    ),
    "verify_receipt": (
        fairdeal.verify_receipt,
        {"receipt": ROUND, "key": "fixtures/receipts/log.key"},
    ),
    "audit": (
        fairdeal.audit,
        {
            "log": LOG,
            "key": KEY,
            "policy": None,
            **OPEN,
            "as_of": None,
            "since": (),
            "skip_signatures": False,
            "statistics": False,
        },
    ),
    "log_size": (fairdeal.log_size, {"log": LOG}),
    "stats": (fairdeal.stats, {"log": LOG, "key": KEY, "after": None, "deck": None}),
    "stats of decks": (fairdeal.stats, {"decks": ["Td3h6d9d4c"], "deck": "standard-52"}),
    "check_rows": (
        fairdeal.check_rows,
        {
            "dialect": "stake-crash",
            "rows": [ROW],
            "columns": None,
            "statistics": False,
            "brief": False,
            "name": "rows",
        },
    ),
    "limits": (fairdeal.limits, {"dialect": "stake-crash"}),
    "lab": (fairdeal.lab, {"shuffle": "swap-any", "items": 3, "decks": 10, "seed": 1}),
    "entries": (
        fairdeal.entries,
        {
            "log": LOG,
            "key": KEY,
            "policy": None,
            **OPEN,
            "as_of": None,
            "skip_signatures": False,
        },
    ),
    "published": (fairdeal.published, {"log": LOG, "indices": [0]}),
    "tables.rows": (tables.rows, {"checked": {"rows": []}}),
    "tables.findings": (tables.findings, {"verdict": {"findings": []}}),
    "tables.by_table": (tables.by_table, {"verdict": {"reported": {"tables": {}}}}),
    "tables.tests": (tables.tests, {"report": {"tests": []}}),
    "tables.positions": (tables.positions, {"sampled": {"positions": []}}),
    "tables.receipts": (tables.receipts, {"answer": {"receipts": []}}),
    "tables.write_parquet": (tables.write_parquet, {"table": None, "path": "nowhere/x"}),
    "generate": (fairdeal.generate, {"folder": None, "deals": -1, "tables": 1}),
}


class Odd:
    """A value that no function takes."""


ODD: list[Any] = [
    None,
    5,
    -1,
    2**70,
    1.5,
    True,
    "x",
    "",
    "\ud800",
    "a\0b",
    b"x",
    b"\xff",
    bytearray(b"x"),
    [],
    [5],
    ["x"],
    [None],
    ["\ud800"],
    ("a", "b"),
    {1},
    {},
    {"a": 5},
    {5: "a"},
    {"a": None},
    {"a": Odd()},
    {"a": "\ud800"},
    {"rows": 5},
    {"findings": [5], "receipts": [5], "tests": [5], "positions": 5, "reported": 5, "rows": [5]},
    [{"from": 5, "seed": 5}],
    [("a", "b")],
    datetime(2026, 1, 1),
    date(2026, 1, 1),
    Path("nowhere"),
    Odd(),
    Odd,
]


@pytest.mark.parametrize("name", CALLS)
def test_whatever_an_argument_is_the_call_answers_or_says_what_was_expected(name: str) -> None:
    function, right = CALLS[name]
    refused = 0
    for argument in right:
        for odd in ODD:
            try:
                function(**{**right, argument: odd})
            except fairdeal.FairdealError as error:
                refused += 1
                assert str(error), f"{argument}={odd!r}"
            except Exception as error:
                raise AssertionError(f"{argument}={odd!r}: {error!r}") from error
    assert refused > 10


def test_a_wrong_argument_is_named_with_what_was_expected_and_found() -> None:
    for call, says in [
        (lambda: fairdeal.replay(**{**SEEDS, "nonce": "0"}), "nonce: expected a whole number"),
        (lambda: fairdeal.replay(**SEEDS, sealed="yes"), "sealed: expected True or False, found"),
        (lambda: fairdeal.audit(LOG, KEY, now=date(2026, 1, 1)), "found a value of type date"),
        (lambda: fairdeal.audit(5, KEY), "log: expected a path, a URL, or an object"),  # type: ignore[arg-type]
        (lambda: tables.findings({}), 'expected an answer of fairdeal.audit, which has "findings"'),
    ]:
        with pytest.raises(fairdeal.UsageError, match="expected") as raised:
            call()
        assert says in str(raised.value), str(raised.value)


@pytest.mark.parametrize(
    ("policy", "says"),
    [
        (b"witness w1\nquorum none\n", "line 1 of the policy: "),
        (b"quorum none\nquorum none\n", "line 2 of the policy: "),
        (b"", "line 0 of the policy: "),
        (b"log OTHER\nquorum none\n", 'expected a policy with a line "log" for example.com'),
    ],
)
def test_a_policy_that_is_faulty_or_of_another_log_has_the_commands_error(
    policy: bytes, says: str, command: Command, tmp_path: Path
) -> None:
    path, other = tmp_path / "policy", Path("fixtures/receipts/log.key").read_bytes()
    policy = policy.replace(b"OTHER", other.strip())
    path.write_bytes(policy)
    code, told = command("audit", LOG, "--key", KEY, "--policy", path)
    assert (code, told["error"]["code"]) == (2, "usage")
    calls: list[Callable[..., Any]] = [
        fairdeal.audit,
        fairdeal.entries,
        tables.rounds,
        fairdeal.verify_receipt,
    ]
    for call in calls:
        for given in (policy, path):
            with pytest.raises(fairdeal.UsageError) as raised:
                call(ROUND if call is fairdeal.verify_receipt else LOG, KEY, policy=given)
            assert raised.value.code == "usage" and f"policy: {says}" in str(raised.value)
            assert f"--{raised.value}" == told["error"]["says"].replace(f" {path}", "")


def test_an_argument_that_a_function_does_not_have_is_pythons_type_error() -> None:
    for function in (fairdeal.audit, fairdeal.entries, fairdeal.rounds, tables.all_findings):
        with pytest.raises(TypeError, match="'asof'"):
            function(LOG, KEY, asof=5)  # type: ignore[operator]


def test_a_whole_number_of_numpy_is_a_whole_number() -> None:
    now = 2**53 - 1
    assert fairdeal.audit(LOG, KEY, now=numpy.int64(now)) == fairdeal.audit(LOG, KEY, now=now)  # type: ignore[arg-type]
    assert len(fairdeal.published(LOG, numpy.array([0, 2]))) == 2


def test_a_value_that_is_no_finite_number_is_named_with_its_row_and_column() -> None:
    nan, endless = float("nan"), float("inf")
    for rows, value in [
        ([ROW, {**ROW, "result": nan}], "nan"),
        ([ROW, {**ROW, "result": numpy.float32("-inf")}], "-inf"),
        (pandas.DataFrame([ROW, {**ROW, "result": endless}]), "inf"),
        (pandas.DataFrame([ROW, {**ROW, "result": endless}]).astype({"result": "float32"}), "inf"),
        (pyarrow.Table.from_pylist([ROW, {**ROW, "result": nan}]), "nan"),
    ]:
        with pytest.raises(fairdeal.UsageError) as raised:
            fairdeal.check_rows("stake-crash", rows)
        says = f"rows: row 1, column result: expected a finite number, found {value}"
        assert str(raised.value) == says


def test_a_parquet_file_is_named_and_how_to_read_it(tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist([ROW]), path)
    for rows in (path, path.read_bytes()):
        with pytest.raises(fairdeal.UsageError, match="found Parquet: read it with pyarrow"):
            fairdeal.check_rows("stake-crash", rows)


def test_a_table_that_cannot_be_written_is_unavailable(tmp_path: Path) -> None:
    table = pyarrow.Table.from_pylist([ROW])
    for given in (table, table.to_reader()):
        with pytest.raises(fairdeal.UnavailableError, match="x.parquet: No such file"):
            tables.write_parquet(given, tmp_path / "nowhere" / "x.parquet")


def test_a_missing_column_is_one_error_with_the_commands_hint(
    command: Command, tmp_path: Path
) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("server_seed,beacon,multiplier\nab,cd,1.5\n")
    says = command("check", "stake-crash", "--file", path)[1]["error"]["says"]
    about, hint = says.split(" Try ")
    assert hint == "--map client_seed=beacon"
    for rows, name in [(path, str(path)), (path.read_bytes(), "rows")]:
        with pytest.raises(fairdeal.UnavailableError) as raised:
            fairdeal.check_rows("stake-crash", rows)
        expected = about.replace(str(path), name)
        assert str(raised.value) == f'{expected} Try columns={{"client_seed": "beacon"}}'
    # With the names that it asks for, each row is read.
    names = {"client_seed": "beacon", "result": "multiplier"}
    assert len(fairdeal.check_rows("stake-crash", path, columns=names)["rows"]) == 1


UNAVAILABLE: list[tuple[Callable[[], Any], str]] = [
    (lambda: fairdeal.audit("nowhere", KEY), "nowhere: No such file"),
    (lambda: fairdeal.audit(LOG, KEY, state="nowhere/state"), "nowhere/state: No such file"),
    (lambda: fairdeal.audit("spec", KEY), "expected a log with a checkpoint"),
    (lambda: fairdeal.audit(LOG, "nowhere.key"), "key: nowhere.key"),
    (lambda: fairdeal.audit(LOG, KEY, policy="nowhere"), "policy: nowhere: No such file"),
    (lambda: fairdeal.verify_receipt("nowhere.json", KEY), "nowhere.json"),
    (lambda: fairdeal.replay(b"{}"), "expected a receipt"),
    (lambda: fairdeal.check_rows("stake-crash", "nowhere.csv"), "nowhere.csv"),
    (lambda: fairdeal.stats(decks=["Td3h", "Td3"]), "decks: "),
]


@pytest.mark.parametrize(("call", "says"), USAGE)
def test_a_wrong_argument_is_a_usage_error_that_names_it(
    call: Callable[[], Any], says: str
) -> None:
    with pytest.raises(fairdeal.UsageError) as raised:
        call()
    assert says in str(raised.value)
    assert (raised.value.code, raised.value.exit_code) == ("usage", 2)
    assert isinstance(raised.value, ValueError)


@pytest.mark.parametrize(("call", "says"), UNAVAILABLE)
def test_what_cannot_be_checked_is_unavailable_and_says_where(
    call: Callable[[], Any], says: str
) -> None:
    with pytest.raises(fairdeal.UnavailableError) as raised:
        call()
    assert says in str(raised.value)
    assert (raised.value.code, raised.value.exit_code) == ("unavailable", 3)
    assert isinstance(raised.value, OSError)


def test_a_seed_that_does_not_open_its_commitment_has_the_commands_finding(
    command: Command,
) -> None:
    line = [
        "replay",
        "--server-seed",
        SEED.hex(),
        "--client",
        "a=b",
        "--nonce",
        0,
        "--commitment",
        "0" * 64,
    ]
    code, told = command(*line)
    with pytest.raises(fairdeal.DoesNotHoldError) as raised:
        fairdeal.replay(server_seed=SEED, contributions={"a": "b"}, nonce=0, commitment="0" * 64)
    assert raised.value.code == "seed-mismatch" and raised.value.exit_code == code == 1
    assert raised.value.findings == told["error"]["findings"]


def test_an_exception_crosses_between_processes_whole() -> None:
    for error in (
        fairdeal.DoesNotHoldError("nonce-gap", "says", '[{"code": "nonce-gap"}]'),
        fairdeal.UnavailableError("unavailable", "says"),
        fairdeal.UsageError("usage", "says"),
    ):
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), again.code, str(again), again.findings) == (
            type(error),
            error.code,
            "says",
            error.findings,
        )
