"""Replayed deals, and receipts."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from . import _fairdeal
from ._answers import Answer, answer_of
from ._expected import FLAG, NAMES, SMALL, TEXT, WHOLE, expects, is_path, member, several, wrong
from ._inputs import (
    PathOrText,
    contributions as _contributions,
    key_text,
    policy_bytes,
    read_file,
)
from .errors import FairdealError, UnavailableError, UsageError

#: A receipt: a path, its bytes, or its object.
Receipt: TypeAlias = str | os.PathLike[str] | bytes | Mapping[str, Any]


def _named(receipt: Receipt, number: int) -> tuple[str, bytes]:
    """A receipt's name and bytes."""
    if isinstance(receipt, bytes):
        return f"receipt {number}", receipt
    if isinstance(receipt, Mapping):
        return f"receipt {number}", _json(f"receipt {number}", receipt).encode()
    if not is_path(receipt):
        raise wrong(f"receipt {number}", "a path, bytes or an object", receipt)
    return os.fspath(receipt), read_file(receipt, "receipt")


def _json(argument: str, value: Mapping[str, Any]) -> str:
    try:
        text = json.dumps(value, ensure_ascii=False)
        text.encode()
    except (TypeError, ValueError) as error:
        raise UsageError("usage", f"{argument}: expected values of JSON: {error}") from error
    return text


@expects(
    nonce=WHOLE,
    deck=TEXT,
    items=SMALL,
    draw=SMALL,
    method=TEXT,
    commitment=TEXT,
    sealed=FLAG,
    trace=FLAG,
)
def replay(
    receipt: Receipt | None = None,
    *,
    server_seed: str | bytes | None = None,
    contributions: Mapping[str, str] | Iterable[Mapping[str, Any]] | None = None,
    nonce: int | None = None,
    deck: str = "standard-52",
    items: int | None = None,
    draw: int | None = None,
    method: str = "shuffle",
    commitment: str | None = None,
    sealed: bool = False,
    trace: bool = False,
) -> dict[str, Any]:
    """Derive a deal from its seeds, as ``fairdeal replay --json`` does: from a receipt, or by hand.

    >>> import fairdeal
    >>> seed = bytes(range(32))
    >>> fairdeal.replay(server_seed=seed, contributions={"alice": "lucky"}, nonce=0, draw=5)["cards"]
    'Td3h6d9d4c'
    >>> fairdeal.replay("fixtures/receipts/round.json")["follows"]
    True

    ``contributions`` are names and seeds, or objects as in a log's entry. ``items`` is the number
    of items of a list that you do not have. ``trace`` adds every draw. Signatures are not checked:
    that is :func:`verify_receipt`.
    """
    if receipt is not None:
        if server_seed is not None or contributions is not None or nonce is not None:
            raise UsageError("usage", "receipt: expected a receipt or seeds, found both")
        name, data = _named(receipt, 0)
        return answer_of(_fairdeal.replay_receipt(name, data, sealed=sealed, trace=trace))
    if server_seed is None or contributions is None or nonce is None:
        raise UsageError("usage", "expected a receipt, or server_seed, contributions and nonce")
    if isinstance(server_seed, bytes):
        server_seed = server_seed.hex()
    if not TEXT.takes(server_seed):
        raise wrong("server_seed", "64 hex digits, or 32 bytes", server_seed)
    return answer_of(
        _fairdeal.replay_by_hand(
            server_seed,
            _contributions(contributions),
            nonce,
            deck=deck,
            items=items,
            draw=draw,
            method=method,
            commitment=commitment,
            sealed=sealed,
            trace=trace,
        )
    )


@expects(clients=NAMES, players=NAMES, seat=TEXT)
def verify_receipts(
    receipts: Iterable[Receipt],
    key: PathOrText,
    *,
    policy: PathOrText | bytes | None = None,
    mine: Iterable[PathOrText | Mapping[str, Any]] = (),
    clients: Mapping[str, str] | None = None,
    players: Mapping[str, str] | None = None,
    seat: str | None = None,
) -> dict[str, Any]:
    """Check receipts and openings, offline, as ``fairdeal verify --json`` does; several are compared with each other.

    >>> import fairdeal
    >>> answer = fairdeal.verify_receipts(["fixtures/receipts/round.json"], "fixtures/receipts/log.key")
    >>> answer["holds"], answer["receipts"][0]["shown"]
    (True, ['logged', 'replayed'])

    A receipt is a path, bytes, or an object. A receipt that cannot be read has an ``error`` instead
    of a verdict, and the answer does not hold. ``policy`` is your witnesses, a tlog-policy file or
    its bytes: it decides ``witnessed`` and ``timed``. ``mine`` is what you kept: your contributions
    as ``fairdeal contribution --json`` printed them, and the receipts of their locks, without which
    no deal is ``fair``; such a receipt is one more of the answer's. ``clients`` are seeds that you
    remember, ``players`` are players' public keys, and ``seat`` is the seat whose cards an opening
    should show.
    """
    files: list[tuple[str, bytes | None, str]] = []
    given = several("receipts", receipts, "receipts: paths, bytes or objects")
    for number, receipt in enumerate(given):
        try:
            name, data = _named(receipt, number)
            files.append((name, data, ""))
        except UnavailableError as error:
            files.append((os.fspath(receipt), None, str(error)))
    if not files:
        raise UsageError("usage", "receipts: expected at least one, found none")
    kept = several("mine", mine, "contributions and receipts that you kept: paths or objects")
    own = [_own(one, number) for number, one in enumerate(kept)]
    beside = {
        "mine": own,
        "clients": list((clients or {}).items()),
        "players": dict(players or {}),
        "seat": seat,
    }
    verifier, witnesses = key_text(key), policy_bytes(policy)
    return answer_of(_fairdeal.verify(files, verifier, witnesses, json.dumps(beside)))


def verify_receipt(receipt: Receipt, key: PathOrText, **given: Any) -> dict[str, Any]:
    """Check one receipt or opening. The answer is the file's own verdict: a member of :func:`verify_receipts`' list.

    >>> import fairdeal
    >>> verdict = fairdeal.verify_receipt("fixtures/receipts/round.json", "fixtures/receipts/log.key")
    >>> verdict["holds"], verdict["commitment"][:8], verdict["nonce"]
    (True, '630dcd29', 0)

    Raises :class:`~fairdeal.UnavailableError` if it cannot be read.
    """
    _, data = _named(receipt, 0)
    name = os.fspath(receipt) if isinstance(receipt, str | os.PathLike) else data
    answer = verify_receipts([name], key, **given)
    verdict = Answer(answer["receipts"][0])
    if "error" in verdict:
        raise UnavailableError(verdict["error"]["code"], verdict["error"]["says"])
    # One file can contradict itself; then it does not hold.
    if answer["findings"]:
        verdict["holds"] = False
        verdict["findings"] += answer["findings"]
    return verdict


def cards_of(verdict: Mapping[str, Any]) -> dict[str, Any] | None:
    """Who got which cards of a round with a layout, by seat and street, of a verdict of :func:`verify_receipt`.

    >>> import fairdeal, json
    >>> with open("fixtures/attacks/opened-own-card.json", encoding="utf-8") as file:
    ...     case = json.load(file)
    >>> verdict = fairdeal.verify_receipt(case["files"][0]["file"], case["key"])
    >>> fairdeal.cards_of(verdict)
    {'seats': {'alice': ['3c', 'Ac']}, 'board': [['9h', '7h', '5h'], ['4c']], 'burnt': [], 'nobody': []}

    ``seats`` are lists of cards by label, ``board`` is a list for each street, ``burnt`` and
    ``nobody`` are the other cards, each list in the order of the deal. A card is its text, or the
    item's number in a list, from 0. Of an opening these are the opened cards: a seat without one is
    absent, and a street may be empty. ``None`` if no layout and no seats say whose the cards are.
    """
    member(verdict, "shown", "fairdeal.verify_receipt")
    placed = verdict.get("placed")
    if placed is None:
        return None
    known: dict[int, Any] = {}
    if "cards" in verdict:
        cards = verdict["cards"]
        known.update(enumerate(cards[at : at + 2] for at in range(0, len(cards), 2)))
    else:
        known.update(enumerate(verdict.get("indices", ())))
    for one in verdict.get("opened", ()):
        known[one["t"]] = one.get("card", one["item"])
    hands: dict[str, Any] = {"seats": {}, "board": [], "burnt": [], "nobody": []}
    for place in sorted(placed, key=lambda place: place["t"]):
        card = known.get(place["t"])
        if card is None:
            continue
        if "seat" in place:
            hands["seats"].setdefault(place["seat"], []).append(card)
        elif "street" in place:
            board = hands["board"]
            board.extend([] for _ in range(len(board), place["street"] + 1))
            board[place["street"]].append(card)
        else:
            hands["burnt" if "burnt" in place else "nobody"].append(card)
    return hands


def _own(one: PathOrText | Mapping[str, Any], number: int) -> tuple[str, str]:
    if isinstance(one, Mapping):
        return f"mine[{number}]", _json(f"mine[{number}]", one)
    if not is_path(one):
        raise wrong(f"mine[{number}]", "a path or an object", one)
    name = os.fspath(one)
    try:
        return name, read_file(one, "mine").decode()
    except UnicodeDecodeError as error:
        raise UsageError("mine", f"{name}: expected JSON in UTF-8: {error}") from error
