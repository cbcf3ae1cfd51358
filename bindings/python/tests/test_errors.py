"""Errors have the command's codes, and say what was expected, what was found, and where."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import pytest
from conftest import Command

import fairdeal

SEED = bytes(range(32))
LOG = "fixtures/logs/honest-example"
KEY = f"{LOG}/key"
ROUND = "fixtures/receipts/round.json"

USAGE: list[tuple[Callable[[], Any], str]] = [
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
    (lambda: fairdeal.check_rows("stake-crash", 5), "found int"),
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
    (lambda: fairdeal.lab("fisher-yates", items=0), "expected 1 to 512, found 0"),
]

UNAVAILABLE: list[tuple[Callable[[], Any], str]] = [
    (lambda: fairdeal.audit("nowhere", KEY), "nowhere: No such file"),
    (lambda: fairdeal.audit("spec", KEY), "expected a log with a checkpoint"),
    (lambda: fairdeal.audit(LOG, "nowhere.key"), "key: nowhere.key"),
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
