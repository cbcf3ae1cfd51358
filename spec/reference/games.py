"""Games of numbers and symbols: spec/dialects.md, sections 18 to 21.

A game is a `Game`: its numbers from the digests, and the columns that a row shows of them.
"""

from typing import Callable, Iterator, NamedTuple

import gamecolumns
import rows
import schemes
from rows import Unreadable
from schemes import WORDS, NoAnswer, words_of

RISKS = ("low", "medium", "high")
PINS = tuple(range(8, 17))


class Game(NamedTuple):
    """A game: what a row shows and needs, and the columns that follow."""

    shows: str
    asks: str
    # (draw, row) -> column to value; a tuple of values where several are accepted
    follows: Callable
    also: str = ""
    is_set: bool = False
    # what a round can show: the least and the greatest of `numbers` or `rolls`; the greatest
    # result, in units of so many hundredths; and how many `rolls` or `symbols`
    numbers: tuple = ()
    results: tuple = ()
    most: int = 0

    def check_shown(self, given: dict, row: dict) -> None:
        """Check that a round of the game can show these values; raises Unreadable."""
        for name, value in given.items():
            if not self._can_show(name, value, row):
                raise Unreadable(f"{name}: no round of this game has this, found {rows.show(row[name])}")

    def _can_show(self, name: str, value, row: dict) -> bool:
        if name == "result" and self.results:
            last, unit = self.results
            return value.is_among(last, unit)
        if name in ("numbers", "rolls"):
            first, last = self.numbers
            fits = all(first <= one <= last for one in value)
            return fits and (name == "numbers" or len(value) <= self.most)
        if name == "symbols":
            return len(value) <= self.most
        if name == "floors":
            eggs, size = TOWER[gamecolumns.choice(row, "difficulty", tuple(TOWER))]
            return len(value) <= 9 and all(
                len(floor) == len(set(floor)) == eggs and max(floor) < size for floor in value
            )
        if name == "path":
            return len(value) == rows.integer(row, "rows")
        return name != "slot" or value <= (rows.integer(row, "rows") or 0)


# 19 and 20: a number under r


def _first_under(words: tuple, limit: int):
    return next((word for word in words if word < limit), None)


class Duel:
    """Duel's numbers; `retries` if a refused digest is followed by that of the next cursor."""

    def __init__(self, digest: schemes.Digest, client: str, nonce: int):
        self.digest, self.client, self.nonce = digest, client, nonce

    def under(self, r: int, cursor: int, retries: bool = False) -> int:
        """The number under r of client:nonce:cursor."""
        limit = (WORDS - 1) - (WORDS - 1) % r
        while True:
            words = words_of(self.digest(schemes.message(self.client, self.nonce, cursor)))
            word = _first_under(words, limit)
            if word is not None:
                return word % r
            if not retries:
                raise NoAnswer(f"all eight words of {cursor} are refused, and there is no rule")
            cursor += 1

    def shuffled(self, items: int) -> list:
        """0 to items - 1, shuffled backward, with retries."""
        a = list(range(items))
        for c in range(items - 1):
            i = items - 1 - c
            j = self.under(i + 1, c, retries=True)
            a[i], a[j] = a[j], a[i]
        return a


def duel_mines(draw: Duel, row: dict) -> dict:
    """The first mine_count of 25 tiles."""
    return {"numbers": draw.shuffled(25)[: mines(row)]}


def duel_beef(draw: Duel, row: dict) -> dict:
    """The first 1, 3, 5 or 10 of 20."""
    count = {"1": 1, "2": 3, "3": 5, "4": 10}[gamecolumns.choice(row, "difficulty", tuple("1234"))]
    return {"numbers": draw.shuffled(20)[:count]}


def duel_dice(draw: Duel, _row: dict) -> dict:
    """The number of the message client:nonce."""
    limit = (WORDS - 1) - (WORDS - 1) % 10_001
    word = _first_under(words_of(draw.digest(f"{draw.client}:{draw.nonce}".encode())), limit)
    if word is None:
        raise NoAnswer("all eight words are refused, and there is no rule")
    return {"result": (word % 10_001 * 100,)}


def duel_plinko(draw: Duel, row: dict) -> dict:
    """One digest for each row of pins."""
    path = [
        words_of(draw.digest(schemes.message(draw.client, draw.nonce, t)))[0] % 2
        for t in range(gamecolumns.number_of(row, "rows", PINS))
    ]
    return {"path": path, "slot": sum(path)}


class Liqd:
    """LIQD's numbers."""

    def __init__(self, digest: schemes.Digest, client: str, nonce: int):
        self.digest, self.client, self.nonce = digest, client, nonce

    def under(self, cursor: int, r: int) -> int:
        """number(cursor, r)."""
        while True:
            words = words_of(self.digest(schemes.message(self.client, self.nonce, cursor)))
            word = _first_under(words, WORDS // r * r)
            if word is not None:
                return word % r
            cursor += 1_000_000


def liqd_dice(draw: Liqd, _row: dict) -> dict:
    """Hundredths."""
    return {"result": (draw.under(0, 10_000),)}


def liqd_plinko(draw: Liqd, row: dict) -> dict:
    """The cursor begins at 1."""
    path = [draw.under(r + 1, 2) for r in range(gamecolumns.number_of(row, "rows", PINS))]
    return {"path": path, "slot": sum(path)}


def liqd_mines(draw: Liqd, row: dict) -> dict:
    """The tiles 1 to 25, shuffled forward."""
    a = list(range(1, 26))
    for i in range(25):
        j = i + draw.under(i, 25 - i)
        a[i], a[j] = a[j], a[i]
    return {"numbers": a[: mines(row)]}


def mines(row: dict) -> int:
    """mine_count; or as many as `numbers` has."""
    count = rows.integer(row, "mine_count")
    if count is None:
        count = len(gamecolumns.integers(row, "numbers") or [])
    if not 1 <= count <= 24:
        raise Unreadable(f"mine_count: expected 1 to 24, found {count}")
    return count


# 18: Stake's words


class Stake:
    """The stream of words of client:nonce."""

    def __init__(self, digest: schemes.Digest, client: str, nonce: int):
        self.words: Iterator[int] = schemes.stake_words(digest, client, nonce)

    def under(self, m: int) -> int:
        """The next number under m."""
        return next(self.words) * m // WORDS

    def picked(self, items: list, count: int) -> list:
        """So many of the items, each taken out of the list."""
        left = list(items)
        return [left.pop(self.under(len(left))) for _ in range(count)]


def stake_dice(draw: Stake, _row: dict) -> dict:
    """Hundredths, to 100.00."""
    return {"result": (draw.under(10_001),)}


def stake_roulette(draw: Stake, _row: dict) -> dict:
    """The pocket."""
    return {"result": (draw.under(37) * 100,)}


def stake_limbo(draw: Stake, _row: dict) -> dict:
    """24 bits of the first word."""
    k = next(draw.words) >> 8
    exact = 99 * (1 << 24) // (k + 1)
    if exact < 100:
        return {"result": (exact, 100)}
    return {"result": (exact, schemes.in_doubles(24, k + 1, 0.99))}


def tenths(text: str) -> list:
    """Numbers with at most one decimal, as hundredths."""
    parts = [one.partition(".") for one in text.split()]
    return [int(whole) * 100 + int(decimal or "0") * 10 for whole, _, decimal in parts]


WHEEL_LOW = tenths("1.5 1.2 1.2 1.2 0 1.2 1.2 1.2 1.2 0")
WHEEL_MEDIUM = {
    10: tenths("0 1.9 0 1.5 0 2 0 1.5 0 3"),
    20: tenths("1.5 0 2 0 2 0 2 0 1.5 0 3 0 1.8 0 2 0 2 0 2 0"),
    30: tenths(
        "1.5 0 1.5 0 2 0 1.5 0 2 0 2 0 1.5 0 3 0 1.5 0 2 0 2 0 1.7 0 4 0 1.5 0 2 0"
    ),
    40: tenths(
        "2 0 3 0 2 0 1.5 0 3 0 1.5 0 1.5 0 2 0 1.5 0 3 0 1.5 0 2 0 2 0 1.6 0 2 0 1.5 0 3 0 1.5 0 2 0 1.5 0"
    ),
    50: tenths(
        "2 0 1.5 0 2 0 1.5 0 3 0 1.5 0 1.5 0 2 0 1.5 0 3 0 1.5 0 2 0 1.5 0 2 0 2 0 1.5 0 3 0 1.5 0 2 0 1.5 0 1.5 0 5 0 1.5 0 2 0 1.5 0"
    ),
}


def stake_wheel(draw: Stake, row: dict) -> dict:
    """The entry of the wheel."""
    segments = gamecolumns.number_of(row, "segments", tuple(WHEEL_MEDIUM))
    risk = gamecolumns.choice(row, "risk", RISKS)
    place = draw.under(segments)
    if risk == "low":
        return {"result": (WHEEL_LOW[place % 10],)}
    if risk == "medium":
        return {"result": (WHEEL_MEDIUM[segments][place],)}
    return {"result": (99 * segments if place == segments - 1 else 0,)}


# From the middle outward: low, medium, high
PLINKO = {
    8: ("0.5 1 1.1 2.1 5.6", "0.4 0.7 1.3 3 13", "0.2 0.3 1.5 4 29"),
    9: ("0.7 1 1.6 2 5.6", "0.5 0.9 1.7 4 18", "0.2 0.6 2 7 43"),
    10: ("0.5 1 1.1 1.4 3 8.9", "0.4 0.6 1.4 2 5 22", "0.2 0.3 0.9 3 10 76"),
    11: ("0.7 1 1.3 1.9 3 8.4", "0.5 0.7 1.8 3 6 24", "0.2 0.4 1.4 5.2 14 120"),
    12: ("0.5 1 1.1 1.4 1.6 3 10", "0.3 0.6 1.1 2 4 11 33", "0.2 0.2 0.7 2 8.1 24 170"),
    13: ("0.7 0.9 1.2 1.9 3 4 8.1", "0.4 0.7 1.3 3 6 13 43", "0.2 0.2 1 4 11 37 260"),
    14: (
        "0.5 1 1.1 1.3 1.4 1.9 4 7.1",
        "0.2 0.5 1 1.9 4 7 15 58",
        "0.2 0.2 0.3 1.9 5 18 56 420",
    ),
    15: ("0.7 1 1.1 1.5 2 3 8 15", "0.3 0.5 1.3 3 5 11 18 88", "0.2 0.2 0.5 3 8 27 83 620"),
    16: (
        "0.5 1 1.1 1.2 1.4 1.4 2 9 16",
        "0.3 0.5 1 1.5 3 5 10 41 110",
        "0.2 0.2 0.2 2 4 9 27 130 1000",
    ),
}


def stake_plinko(draw: Stake, row: dict) -> dict:
    """The entry of the table."""
    pins, risk = gamecolumns.number_of(row, "rows", PINS), gamecolumns.choice(row, "risk", RISKS)
    ones = sum(draw.under(2) for _ in range(pins))
    found = tenths(PLINKO[pins][RISKS.index(risk)])[abs(2 * ones - pins) // 2]
    is_open = pins == 16 and risk == "high" and found == 2700
    return {"result": (found, 2600) if is_open else (found,)}


def stake_mines(draw: Stake, row: dict) -> dict:
    """Tiles of 0 to 24."""
    return {"numbers": draw.picked(list(range(25)), mines(row))}


def stake_keno(draw: Stake, _row: dict) -> dict:
    """Ten of 1 to 40."""
    return {"numbers": draw.picked(list(range(1, 41)), 10)}


GEMS = ("green", "purple", "yellow", "red", "cyan", "pink", "blue")
HANDS = ("rock", "paper", "scissors")
FACES = ("heads", "tails")


def stake_diamonds(draw: Stake, _row: dict) -> dict:
    """Five gems."""
    return {"symbols": [(GEMS[draw.under(7)],) for _ in range(5)]}


def stake_flip(draw: Stake, _row: dict) -> dict:
    """Twenty flips; at 2^31 the sources differ."""
    half = 1 << 31
    words = [next(draw.words) for _ in range(20)]
    return {
        "symbols": [FACES if w == half else ("tails",) if w < half else ("heads",) for w in words]
    }


def stake_rock_paper_scissors(draw: Stake, _row: dict) -> dict:
    """Twenty moves."""
    return {"symbols": [(HANDS[draw.under(3)],) for _ in range(20)]}


def stake_snakes(draw: Stake, _row: dict) -> dict:
    """Five sums of two dice."""
    return {"rolls": [2 + draw.under(6) + draw.under(6) for _ in range(5)]}


TOWER = {"easy": (3, 4), "medium": (2, 3), "hard": (1, 2), "expert": (1, 3), "master": (1, 4)}


def stake_dragon_tower(draw: Stake, row: dict) -> dict:
    """The eggs of nine floors."""
    eggs, size = TOWER[gamecolumns.choice(row, "difficulty", tuple(TOWER))]
    return {"floors": [draw.picked(list(range(size)), eggs) for _ in range(9)]}


SYMBOLS = {
    "stake-diamonds": GEMS,
    "stake-flip": FACES,
    "stake-rock-paper-scissors": HANDS,
}

GAMES = {
    "duel-beef": Game("numbers", "difficulty", duel_beef, is_set=True, numbers=(0, 19)),
    "duel-dice": Game("result", "", duel_dice, results=(10_000, 100)),
    "duel-mines": Game("numbers", "", duel_mines, "mine_count", True, (0, 24)),
    "duel-plinko": Game("slot path", "rows", duel_plinko),
    "liqd-dice": Game("result", "", liqd_dice, results=(9_999, 1)),
    "liqd-mines": Game("numbers", "", liqd_mines, "mine_count", numbers=(1, 25)),
    "liqd-plinko": Game("slot path", "rows", liqd_plinko),
    "stake-diamonds": Game("symbols", "", stake_diamonds, most=5),
    "stake-dice": Game("result", "", stake_dice, results=(10_000, 1)),
    "stake-dragon-tower": Game("floors", "difficulty", stake_dragon_tower),
    "stake-flip": Game("symbols", "", stake_flip, most=20),
    "stake-keno": Game("numbers", "", stake_keno, is_set=True, numbers=(1, 40)),
    "stake-limbo": Game("result", "", stake_limbo),
    "stake-mines": Game("numbers", "", stake_mines, "mine_count", True, (0, 24)),
    "stake-plinko": Game("result", "rows risk", stake_plinko),
    "stake-rock-paper-scissors": Game("symbols", "", stake_rock_paper_scissors, most=20),
    "stake-roulette": Game("result", "", stake_roulette, results=(36, 100)),
    "stake-snakes": Game("rolls", "", stake_snakes, numbers=(2, 12), most=5),
    "stake-wheel": Game("result", "segments risk", stake_wheel),
}

FAMILIES = {"duel": (Duel, 32, False), "liqd": (Liqd, 16, True), "stake": (Stake, None, True)}
