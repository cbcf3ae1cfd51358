"""The vectors that every implementation reads, through the package."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest
from conftest import vectors, without_says

import fairdeal


def dealt(vector: dict[str, Any], **more: Any) -> dict[str, Any]:
    of = (
        {"deck": vector["deck"]}
        if isinstance(vector.get("deck"), str)
        else {"items": vector["items"]}
    )
    return fairdeal.replay(
        server_seed=vector["server_seed"],
        contributions=vector["contributions"],
        nonce=int(vector["nonce"]),
        method=vector["method"],
        draw=int(vector["draw"]),
        **of,
        **more,
    )


@pytest.mark.parametrize("vector", vectors("shuffles"))
def test_a_deal_follows_from_its_seeds(vector: dict[str, Any]) -> None:
    if "error" in vector:
        with pytest.raises(fairdeal.UsageError):
            dealt(vector)
        return
    answer = dealt(vector)
    for member in ("cards", "rejected"):
        assert answer.get(member) == vector.get(member)
    assert len(answer["words"]) == vector["words"]
    if "cards" not in vector and "indices" in vector:
        assert answer["indices"] == vector["indices"]


@pytest.mark.parametrize("vector", vectors("seals"))
def test_a_sealed_deal_has_its_seals(vector: dict[str, Any]) -> None:
    answer = dealt(vector, sealed=True)
    for member in ("seal", "card_seals", "salts"):
        assert answer[member] == vector[member]


def beside(vector: dict[str, Any]) -> dict[str, Any]:
    """A reader's inputs other than files."""
    return {name: vector[name] for name in ("mine", "players", "seat") if vector.get(name)}


@pytest.mark.parametrize("vector", vectors("receipts"))
def test_a_receipt_has_the_verdict_of_its_vector(vector: dict[str, Any]) -> None:
    data = vector["file"].encode()
    given = beside(vector)
    wrong = {"a receipt is not for a seat": fairdeal.UsageError}
    if "verdict" not in vector:
        raises = wrong.get(vector["name"], fairdeal.UnavailableError)
        with pytest.raises(raises):
            fairdeal.verify_receipt(data, vector["key"], **given)
        return
    verdict = fairdeal.verify_receipt(data, vector["key"], **given)
    assert verdict["holds"] == (vector["exit"] != 1)
    for member, value in vector["verdict"].items():
        assert without_says(verdict)[member] == value, member


# The package takes no saved view of the log.
SEVERAL = [one for one in vectors("several") if "since" not in one.values[0]]


@pytest.mark.parametrize("vector", SEVERAL)
def test_several_receipts_have_the_verdict_of_their_vector(
    vector: dict[str, Any], tmp_path: Path
) -> None:
    paths: dict[bool, list[Any]] = {False: [], True: []}
    for file in vector["files"]:
        (tmp_path / file["name"]).write_text(file["text"], newline="")
        paths["kept" in file].append(tmp_path / file["name"])
    given = beside(vector)
    given["mine"] = [*given.get("mine", []), *paths[True]]
    answer = without_says(fairdeal.verify_receipts(paths[False], vector["key"], **given))
    if vector["exit"] == 3 and not answer["holds"]:
        # No verdict on all files; each file that was read has its verdict.
        assert any("error" in one for one in answer["receipts"])
        return
    assert answer["holds"] == (vector["exit"] != 1)
    assert answer["findings"] == vector["verdict"]["findings"]
    assert answer.get("state") == vector["verdict"].get("state")
    for found, wanted in zip(answer["receipts"], vector["verdict"]["receipts"], strict=True):
        for member, value in wanted.items():
            if member != "file":
                assert found[member] == value, member


@pytest.mark.parametrize("vector", vectors("exports"))
def test_an_exported_log_has_the_verdict_of_its_vector(
    vector: dict[str, Any], tmp_path: Path
) -> None:
    log = tmp_path / "export"
    log.write_bytes(base64.b64decode(vector["export"]))
    if vector["exit"] == 3:
        with pytest.raises(fairdeal.UnavailableError):
            fairdeal.audit(log, vector["key"], now=2**53 - 1)
        return
    verdict = without_says(fairdeal.audit(log, vector["key"], now=2**53 - 1))
    # The vectors have no clock, and a caller always has one.
    for member in ("clock", "overdue_by_clock"):
        assert vector["verdict"][member] is None
        verdict[member] = None
    assert verdict == vector["verdict"]
