"""Who gets which card: ledger.md 8.7."""

MAX_SEATS = 64


def _board(layout: dict) -> list:
    """The places after the hands, street by street."""
    places = []
    for n, cards in enumerate(layout.get("board", [])):
        places += [{"burnt": n}] if layout.get("burn", False) else []
        places += [{"street": n}] * cards
    return places


def has_room(layout: dict, seats: int, draw: int) -> bool:
    """Whether the draw has room for these seats and the board."""
    return seats * layout["hand"] + len(_board(layout)) <= draw


def places(layout: dict, seats: list) -> list:
    """The places in deal order, without nobody's at the end."""
    hands = [{"seat": seat, "card": card} for card in range(layout["hand"]) for seat in seats]
    return hands + _board(layout)


def placed(layout: dict, seats: list, dealt) -> list:
    """The places of `dealt`, as section 12.2 lists them."""
    of = dict(enumerate(places(layout, seats)))
    return [{"t": t, **of.get(t, {"nobody": True})} for t in dealt]
