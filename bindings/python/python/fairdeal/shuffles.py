"""Right and wrong shuffles."""

from __future__ import annotations

from typing import Any

from . import _fairdeal
from ._answers import answer_of
from ._expected import SMALL, TEXT, WHOLE, expects


@expects(shuffle=TEXT, items=SMALL, decks=WHOLE, seed=WHOLE)
def lab(
    shuffle: str | None = None, *, items: int = 52, decks: int = 1000, seed: int = 1
) -> dict[str, Any]:
    """Try a shuffle, as ``fairdeal lab --json`` does; without a name, list them.

    Up to six items every path is followed, and each order has its exact probability. Larger decks
    are sampled: ``decks`` deals, the same deals for the same ``seed``.

    >>> import fairdeal
    >>> fairdeal.lab("swap-any", items=3)["orders"][0]
    {'order': [0, 1, 2], 'probability': '4/27'}
    >>> fairdeal.lab("modulo-8", decks=20_000)["alarm"]
    True
    >>> fairdeal.lab()["sources"][0]["name"]
    'fisher-yates'
    """
    if shuffle is None:
        return answer_of(_fairdeal.shuffles())
    return answer_of(_fairdeal.lab(shuffle, items, decks, seed))
