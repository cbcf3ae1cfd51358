"""The checks of a row, in their order: spec/dialects.md, 16.3."""

from typing import Optional

import rows
from rows import Unreadable

NO_COMMITMENT = "no commitment was shown"


class Differs(Exception):
    """A failed check of a row: the mismatch, and the difference."""

    def __init__(self, verdict: str, says: str):
        super().__init__(says)
        self.verdict = verdict


def check_commitment(given: Optional[bytes], opened: bytes, of: str) -> str:
    """The remark on the commitment, whether it opens or is not given; raises Differs."""
    if given is None:
        return NO_COMMITMENT
    if given != opened:
        raise Differs(
            "commitment-mismatch", f"{of} is {opened.hex()}, the commitment is {given.hex()}"
        )
    return "the commitment opens"


def check_cards(given: list, dealt: list, full: bool, whole: Optional[int]) -> None:
    """Check that the deal begins with `given`, and has no more if `full`; raises Differs."""
    if whole is not None and len(given) > whole:
        raise Differs("result-mismatch", f"{len(given)} cards, but there are {whole}")
    for n, (card, follows) in enumerate(zip(given, dealt)):
        if card != follows:
            raise Differs("result-mismatch", f"card {n} is {card}, but {follows} follows")
    if full and whole is not None and len(given) != whole:
        raise Differs("result-mismatch", f"{len(given)} cards are not all {whole}")


def check_result(given: rows.Decimal, accepted: tuple) -> str:
    """Check that the result follows from the seeds; raises Differs. Says which of two it is."""
    shown = [f"{cents // 100}.{cents % 100:02}" for cents in sorted(set(accepted))]
    if not any(given.is_cents(cents) for cents in accepted):
        says = f"the result is {given.shown}, but {' or '.join(shown)} follows"
        raise Differs("result-mismatch", says)
    return f"; of {' and '.join(shown)} the row has {given.shown}" if len(shown) > 1 else ""


def some_cards(row: dict, jokers: bool = False) -> list:
    """`cards`, at least one."""
    cards = rows.cards(row, "cards", jokers)
    if not cards:
        raise Unreadable("cards: expected at least one card, found none")
    return cards


def needed(row: dict, name: str) -> int:
    """A required integer."""
    value = rows.integer(row, name)
    if value is None:
        raise Unreadable(f"{name}: expected an integer from 0 to 2^53-1, found none")
    return value
