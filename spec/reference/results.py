"""A deal's result, and whether it is possible: ledger.md 8.5."""

from collections import Counter
from typing import Iterable, Optional

import deal

MOST_INDICES = 1000


def deck_size(deck) -> int:
    """The number of items of a commit's deck."""
    return deck["count"] if isinstance(deck, dict) else len(deal.DECKS[deck])


def form_of(commit: dict) -> str:
    """The form of result that a commit requires."""
    if commit["sealed"]:
        return "seal"
    if isinstance(commit["deck"], str):
        return "cards"
    return "indices" if commit["draw"] <= MOST_INDICES else "digest"


def result_of(commit: dict, inputs: deal.Inputs) -> dict:
    """The result that seeds give."""
    indices = deal.replay(
        inputs, commit["method"], deck_size(commit["deck"]), commit["draw"]
    ).indices
    form = form_of(commit)
    if form == "seal":
        return {"seal": deal.seals(inputs, indices).seal.hex()}
    if form == "cards":
        cards = deal.deck_cards(commit["deck"])
        return {"cards": "".join(cards[i] for i in indices)}
    return {"indices": indices} if form == "indices" else {"digest": deal.digest_of(indices).hex()}


def cards_of(text: str) -> list:
    """The cards of a result's text."""
    return [text[at : at + 2] for at in range(0, len(text), 2)]


def is_connected(edges: Iterable, nodes: set) -> bool:
    """Whether edges join all nodes into one graph."""
    beside: dict = {node: [] for node in nodes}
    for a, b in edges:
        beside[a].append(b)
        beside[b].append(a)
    start = next(iter(nodes))
    met, left = {start}, [start]
    while left:
        for node in beside[left.pop()]:
            if node not in met:
                met.add(node)
                left.append(node)
    return met == nodes


def impossible(commit: dict, result: dict) -> Optional[str]:
    """Why no seeds can give a result; None if some might."""
    form, found = form_of(commit), next(iter(result))
    if form != found:
        return f"the result is {found}, the commit asks for {form}"
    if form in ("seal", "digest"):
        return None
    deck = commit["deck"]
    items = deal.DECKS[deck] if form == "cards" else range(deck["count"])
    given = cards_of(result["cards"]) if form == "cards" else result["indices"]
    if len(given) != commit["draw"]:
        return f"the result has {len(given)} items, draw is {commit['draw']}"
    has = Counter(deal.DECKS[deck]) if form == "cards" else None
    for item, times in Counter(given).items():
        most = has[item] if has is not None else int(item < len(items))
        if times > most:
            return f"the result has {item} {times} times, the deck {most} times"
    if commit["method"] == "cycle" and not is_connected(zip(items, given), set(items)):
        return "the result is not one cycle"
    return None


def cycle_is_closed(edges: dict, items: int) -> bool:
    """Whether edges (at most one from and one to each item) close a cycle of fewer than all items."""
    done: set = set()
    for start in edges:
        at, length = start, 0
        while at in edges and at not in done:
            done.add(at)
            at, length = edges[at], length + 1
            if at == start:
                if length < items:
                    return True
                break
    return False
