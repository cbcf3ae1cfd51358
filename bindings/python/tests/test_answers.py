"""Receipts, rows, decks and shuffles: the same objects as the command prints."""

from __future__ import annotations

import json
import pickle
import subprocess
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, Command, cases, under_policy, without_says

import fairdeal
from fairdeal._answers import Answer

RECEIPTS = Path("fixtures/receipts")
DIALECTS = [
    path.stem
    for path in sorted((ROOT / "fixtures/dialects").glob("*.json"))
    if path.stem not in ("digests", "changes")
]


@pytest.mark.parametrize("folder", cases("attacks", "verify"))
def test_the_attacks_on_receipts_are_found(folder: Path, command: Command) -> None:
    case = json.loads((folder / "case.json").read_text())
    files = [folder / name for name in case["files"]]
    mine = [folder / name for name in case["mine"]]
    line: list[object] = ["verify", *files, "--key", folder / "key"]
    for path in mine:
        line += ["--mine", path]
    for name, key in case["players"].items():
        line += ["--player", f"{name}={key}"]
    if case["seat"] is not None:
        line += ["--seat", case["seat"]]
    policy, option = under_policy(folder)
    code, told = command(*line, *option)
    assert code == case["exit"]
    given = {"mine": mine, "players": case["players"], "seat": case["seat"], **policy}
    if "verdict" not in case:
        with pytest.raises(fairdeal.UnavailableError):
            fairdeal.verify_receipt(files[0], folder / "key", **given)
        return
    answer = fairdeal.verify_receipts(files, folder / "key", **given)
    assert json.dumps(answer) == json.dumps(told)
    found = without_says(answer)
    for one, other in zip(found["receipts"], case["verdict"]["receipts"], strict=True):
        # The command's answer has more members than the specification's, and the file's whole name.
        assert {name: one[name] for name in other if name != "file"} == {
            name: value for name, value in other.items() if name != "file"
        }


def test_the_cards_of_a_round_are_told_by_seat_and_street() -> None:
    placed = [
        {"t": 3, "nobody": True},
        {"t": 0, "seat": "alice", "card": 0},
        {"t": 1, "burnt": 1},
        {"t": 2, "street": 1},
    ]
    shown = {"shown": [], "placed": placed}
    hands = {"seats": {"alice": ["5c"]}, "board": [[], ["Ah"]], "burnt": ["4d"], "nobody": ["Kd"]}
    assert fairdeal.cards_of({**shown, "cards": "5c4dAhKd"}) == hands
    hands = {"seats": {"alice": [7]}, "board": [[], [9]], "burnt": [8], "nobody": [10]}
    assert fairdeal.cards_of({**shown, "indices": [7, 8, 9, 10]}) == hands
    opened = [{"t": 2, "item": 12, "card": "Ac"}]
    hands = {"seats": {}, "board": [[], ["Ac"]], "burnt": [], "nobody": []}
    assert fairdeal.cards_of({**shown, "seal": "…", "opened": opened}) == hands
    without = fairdeal.verify_receipt(RECEIPTS / "round.json", RECEIPTS / "log.key")
    assert fairdeal.cards_of(without) is None
    with pytest.raises(fairdeal.UsageError, match="expected an answer of fairdeal.verify_receipt"):
        fairdeal.cards_of("round.json")  # type: ignore[arg-type]


def test_receipts_may_be_paths_bytes_or_objects() -> None:
    path, key = RECEIPTS / "round.json", RECEIPTS / "log.key"
    of_path = fairdeal.verify_receipt(path, key)
    for given in (path.read_bytes(), json.loads(path.read_text())):
        assert {**fairdeal.verify_receipt(given, key.read_text()), "file": str(path)} == of_path
    answer = fairdeal.verify_receipts([path, "nowhere.json", b"{"], key, clients={"alice": "lucky"})
    assert not answer["holds"] and answer["receipts"][0]["holds"]
    assert [one.get("error", {}).get("code") for one in answer["receipts"]] == [
        None,
        "unavailable",
        "unavailable",
    ]
    assert "yours" in answer["receipts"][0]["shown"]


def test_a_replay_is_that_of_the_command(command: Command) -> None:
    seed = bytes(range(32)).hex()
    line = [
        "replay",
        "--server-seed",
        seed,
        "--client",
        "bob=7",
        "--client",
        "alice=lucky",
        "--nonce",
        3,
        "--draw",
        5,
    ]
    assert command(*line, "--trace", "--sealed")[1] == fairdeal.replay(
        server_seed=seed,
        contributions={"bob": "7", "alice": "lucky"},
        nonce=3,
        draw=5,
        trace=True,
        sealed=True,
    )
    line = [
        "replay",
        "--server-seed",
        seed,
        "--client",
        "alice=lucky",
        "--nonce",
        0,
        "--items",
        1000,
        "--method",
        "cycle",
    ]
    assert command(*line)[1] == fairdeal.replay(
        server_seed=seed, contributions={"alice": "lucky"}, nonce=0, items=1000, method="cycle"
    )
    assert command("replay", RECEIPTS / "round.json")[1] == fairdeal.replay(RECEIPTS / "round.json")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_rows_of_each_dialect_are_judged_as_the_command_judges_them(
    dialect: str, command: Command, tmp_path: Path
) -> None:
    path = Path("fixtures/dialects") / f"{dialect}.json"
    known = dialect.replace("fairdeal-v1", "fairdeal/v1")
    code, told = command("check", known, "--file", path)
    answer = fairdeal.check_rows(known, path)
    assert json.dumps(answer) == json.dumps(told) and code == (0 if answer["holds"] else 1)
    rows = json.loads(path.read_text())["rows"]
    assert len(rows) == len(answer["rows"])
    for row, found in zip(rows, answer["rows"], strict=True):
        assert (found["verdict"] == "valid") == row["valid"]
    # As dicts these are the same rows, in another file.
    assert fairdeal.check_rows(known, rows) == answer
    assert fairdeal.check_rows(known, rows, brief=True)["valid"] == answer["valid"]


def test_rows_may_be_a_data_frame_or_an_arrow_table() -> None:
    import pandas
    import pyarrow

    data = json.loads((ROOT / "fixtures/dialects/stake-crash.json").read_text())["rows"]
    rows = [
        {name: row.get(name) for name in ("server_seed", "client_seed", "result")} for row in data
    ]
    answer = fairdeal.check_rows("stake-crash", rows)
    assert answer["valid"] > 0
    assert fairdeal.check_rows("stake-crash", pandas.DataFrame(rows)) == answer
    texts = [
        {name: None if value is None else str(value) for name, value in row.items()} for row in rows
    ]
    table = pyarrow.Table.from_pylist(texts)
    assert [one["verdict"] for one in fairdeal.check_rows("stake-crash", table)["rows"]] == [
        one["verdict"] for one in answer["rows"]
    ]
    # For pandas, a column of whole numbers with a missing value is a column of floats.
    poker = json.loads((ROOT / "fixtures/dialects/stake-video-poker.json").read_text())["rows"][:2]
    frame = pandas.DataFrame(poker)
    frame.loc[1, "nonce"] = None
    verdicts = [one["verdict"] for one in fairdeal.check_rows("stake-video-poker", frame)["rows"]]
    assert verdicts == ["valid", "unreadable"]


class Stream:
    """A table of another package: only the protocol of Arrow streams."""

    def __init__(self, table: Any) -> None:
        self.table = table

    def __arrow_c_stream__(self, schema: Any = None) -> Any:
        return self.table.__arrow_c_stream__(schema)


class Frame:
    """As a frame of polars from before it was an Arrow stream."""

    columns = ("result",)

    def __init__(self, table: Any) -> None:
        self.table = table

    def to_dict(self, *, as_series: bool = True) -> Any:
        raise AssertionError("a frame of polars is not one of pandas")

    def to_arrow(self) -> Any:
        return self.table


def test_floats_of_32_bits_are_their_own_decimals_in_each_form_of_rows(tmp_path: Path) -> None:
    import numpy
    import pandas
    import pyarrow.dataset
    import pyarrow.parquet

    data = json.loads((ROOT / "fixtures/dialects/stake-crash.json").read_text())["rows"]
    names = ("server_seed", "client_seed", "result")
    rows = [{name: row[name] for name in names} for row in data if row["valid"]]
    rows = [{**row, "result": float(row["result"])} for row in rows]
    answer = fairdeal.check_rows("stake-crash", rows)
    assert answer["holds"] and answer["valid"] >= 3
    narrow = pandas.DataFrame(rows).astype({"result": "float32"})
    table = pyarrow.Table.from_pandas(narrow)
    assert table.column("result").to_pylist() != [row["result"] for row in rows]
    path = tmp_path / "rows.parquet"
    pyarrow.parquet.write_table(table, path)
    for given in (
        narrow,
        narrow.astype({"result": "Float32"}),
        narrow.astype({"result": "float[pyarrow]"}),
        narrow.to_records(index=False),
        [{**row, "result": numpy.float32(row["result"])} for row in rows],
        table,
        table.to_batches()[0],
        table.to_struct_array(),
        table.to_reader(),
        pyarrow.dataset.dataset(path),
        Stream(table),
        Frame(table),
    ):
        assert fairdeal.check_rows("stake-crash", given) == answer, type(given)


def test_columns_may_have_other_names(command: Command, tmp_path: Path) -> None:
    data = json.loads((ROOT / "fixtures/dialects/stake-crash.json").read_text())["rows"]
    rows = [
        {
            "beacon": row.get("client_seed"),
            "server_seed": row["server_seed"],
            "result": row.get("result"),
        }
        for row in data
    ]
    path = tmp_path / "rows.json"
    path.write_text(json.dumps(rows))
    told = command(
        "check", "stake-crash", "--file", path, "--map", "client_seed=beacon", "--statistics"
    )[1]
    assert (
        fairdeal.check_rows("stake-crash", rows, columns={"client_seed": "beacon"}, statistics=True)
        == told
    )
    with pytest.raises(fairdeal.UsageError, match="no such name"):
        fairdeal.check_rows("stake-crash", rows, columns={"client_seed": "other"})


def test_a_file_that_breaks_off_has_an_error_beside_its_rows(
    command: Command, tmp_path: Path
) -> None:
    path = tmp_path / "rows.json"
    rows = json.loads((ROOT / "fixtures/dialects/stake-crash.json").read_text())["rows"]
    path.write_text(json.dumps(rows)[:-40])
    told = command("check", "stake-crash", "--file", path)[1]
    answer = fairdeal.check_rows("stake-crash", path)
    assert answer == told and answer["error"]["code"] == "unavailable" and not answer["holds"]


def test_the_lists_are_those_of_the_command(command: Command) -> None:
    assert command("check", "--list")[1] == {"dialects": fairdeal.dialects()}
    assert command("check", "bustabit", "--limits")[1] == fairdeal.limits("bustabit")
    assert command("lab")[1] == fairdeal.lab()


@pytest.mark.parametrize("shuffle", ["fisher-yates", "swap-any", "modulo-8", "riffle-7"])
@pytest.mark.parametrize("items", [3, 20])
def test_a_shuffle_is_that_of_the_command(shuffle: str, items: int, command: Command) -> None:
    told = command("lab", shuffle, "--items", items, "--decks", 300, "--seed", 7)[1]
    assert fairdeal.lab(shuffle, items=items, decks=300, seed=7) == told


def test_decks_are_tested_as_the_command_tests_them(
    program: str, command: Command, tmp_path: Path
) -> None:
    printed = subprocess.run(
        [program, "lab", "sattolo", "--decks", "200", "--print"], capture_output=True, check=True
    )
    path = tmp_path / "decks.txt"
    path.write_bytes(printed.stdout)
    told = command("stats", "--decks", path)[1]
    assert told["alarm"]
    for decks in (path, printed.stdout, printed.stdout.decode().splitlines()):
        assert fairdeal.stats(decks=decks) == told


EVIL = "<img src=x onerror=alert(1)>\u202eevil\u2066\n"


def test_a_verdict_is_a_table_in_a_notebook_and_a_dict_everywhere_else() -> None:
    key = "fixtures/receipts/log.key"
    one = fairdeal.verify_receipt("fixtures/receipts/round.json", key)
    several = fairdeal.verify_receipts(["fixtures/receipts/round.json", "nowhere.json"], key)
    log = "fixtures/logs/nonce-gap"
    audited = fairdeal.audit(log, f"{log}/key", now=2**53 - 1)
    row = {"server_seed": "9d", "client_seed": "23", "result": 7.74}
    checked = fairdeal.check_rows("stake-crash", [row])
    rows = [{**row, "result": result} for result in ("x", 1.54)]
    unread = fairdeal.check_rows("stake-crash", rows)
    for answer, texts in [
        (one, ["the cards follow from the seeds", "logged, replayed", "3c5dAc3s2d"]),
        (several, ["not everything could be read", "no verdict: receipt: nowhere.json: No such"]),
        (audited, ["does not hold", "nonce-gap at entry 2", "the next round is 1, found 2"]),
        (checked, ["does not hold", "row 0", "the row says 7.74"]),
        (unread, ["not everything could be read", "expected a multiplier"]),
    ]:
        shown = answer._repr_html_()  # type: ignore[attr-defined]
        assert all(text in shown for text in texts), shown
        plain = json.loads(json.dumps(answer))
        assert type(plain) is dict and plain == answer and repr(answer) == repr(plain)
        assert pickle.loads(pickle.dumps(answer)) == answer
    assert fairdeal.lab()._repr_html_() is None  # type: ignore[attr-defined]


def test_the_table_of_a_verdict_shows_texts_of_files_as_text_and_not_all_of_many() -> None:
    finding = {"code": EVIL, "index": 3, "says": EVIL}
    receipt = {"file": EVIL, "holds": False, "error": {"says": EVIL}}
    shown = Answer(
        holds=False,
        table=EVIL,
        cards="5c" * 1000,
        shown=[EVIL],
        counts={EVIL: 1},
        findings=[finding] * 1000,
        receipts=[receipt] * 50,
        rows=[{"row": 1, "verdict": "unreadable", "says": EVIL}],
    )._repr_html_()
    assert shown is not None and len(shown) < 10_000
    assert not set(shown) & set("\u202e\u2066\n") and "<img" not in shown
    assert "&lt;img src=x onerror=alert(1)&gt;\\u202eevil\\u2066\\u000a" in shown
    assert "and 1,030 more" in shown
