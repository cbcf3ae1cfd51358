"""Right and wrong shuffles."""

from __future__ import annotations

import json
from typing import Any

from . import _fairdeal


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
    text = _fairdeal.shuffles() if shuffle is None else _fairdeal.lab(shuffle, items, decks, seed)
    answer: dict[str, Any] = json.loads(text)
    return answer
