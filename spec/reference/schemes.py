"""Other operators' schemes: from seeds to cards and multipliers, spec/dialects.md, sections 17 to 22.

A scheme's numbers come from a function `digest(message)`, an HMAC under the round's key.
A test can replace it by given digests.
"""

import hashlib
import hmac
import math
import struct
from typing import Callable, Iterator, NamedTuple

import rows

Digest = Callable[[bytes], bytes]
WORDS = 1 << 32


class NoAnswer(Exception):
    """The scheme does not say how to continue."""


# 17: what the schemes share


def sha256(data: bytes) -> bytes:
    """SHA-256."""
    return hashlib.sha256(data).digest()


def hmac_under(key: bytes) -> Digest:
    """HMAC-SHA256 under a key."""
    return lambda message: hmac.digest(key, message, "sha256")


def words_of(digest: bytes) -> tuple:
    """The eight big-endian words of a digest."""
    return struct.unpack(">8I", digest)


def message(client: str, nonce: int, number: int) -> bytes:
    """client:nonce:number."""
    return f"{client}:{nonce}:{number}".encode("utf-8")


RANK_MAJOR = [
    rank + suit
    for rank in ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
    for suit in "DHSC"
]
SHOE = [rank + suit for suit in "CHSD" for rank in rows.RANKS] * 8


# 18 to 20: from digests to cards


def stake_words(digest: Digest, client: str, nonce: int) -> Iterator[int]:
    """The words of digest 0, of digest 1, and so on."""
    number = 0
    while True:
        yield from words_of(digest(message(client, nonce, number)))
        number += 1


def stake_video_poker(digest: Digest, client: str, nonce: int, count: int) -> list:
    """Pick and remove; later cards close the gap."""
    left = list(RANK_MAJOR)
    words = stake_words(digest, client, nonce)
    return [left.pop(next(words) * len(left) // WORDS) for _ in range(min(count, 52))]


def stake_replace(digest: Digest, client: str, nonce: int, count: int) -> list:
    """Every card from the full deck."""
    words = stake_words(digest, client, nonce)
    return [RANK_MAJOR[next(words) * 52 // WORDS] for _ in range(count)]


def duel_video_poker(digest: Digest, client: str, nonce: int, count: int = 52) -> list:
    """Backward Fisher-Yates, one digest for each position, no retry."""
    deck = list(RANK_MAJOR)
    for i in range(51, 0, -1):
        r = i + 1
        limit = (WORDS - 1) - (WORDS - 1) % r
        word = next(
            (w for w in words_of(digest(message(client, nonce, 51 - i))) if w < limit), None
        )
        if word is None:
            raise NoAnswer(
                f"all eight words for position {i} are refused, and the scheme has no rule for that"
            )
        j = word % r
        deck[i], deck[j] = deck[j], deck[i]
    return deck[:count]


def liqd_blackjack(digest: Digest, client: str, nonce: int, count: int = 416) -> list:
    """Backward Fisher-Yates over eight decks; the cursor is the position, and jumps if all words are refused."""
    shoe = list(SHOE)
    for i in range(415, 0, -1):
        r = i + 1
        limit = WORDS // r * r
        cursor, word = i, None
        while word is None:
            word = next(
                (w for w in words_of(digest(message(client, nonce, cursor))) if w < limit), None
            )
            cursor += 1_000_000
        j = word % r
        shoe[i], shoe[j] = shoe[j], shoe[i]
    return shoe[:count]


DEALERS = {
    "stake-video-poker": stake_video_poker,
    "stake-replace": stake_replace,
    "duel-video-poker": duel_video_poker,
    "liqd-blackjack": liqd_blackjack,
}


# 21 and 22: from digests to multipliers, in hundredths: those that are accepted


def in_doubles(bits: int, w: int, share: float) -> int:
    """17.4: the formula that Stake publishes, in doubles, from left to right."""
    return max(100, math.floor(((2.0**bits / w) * share) * 100))


def lossy_message(drand: bytes) -> bytes:
    """The beacon value as lossy text, and the nonce, which is always 0."""
    return drand.decode("utf-8", "replace").encode("utf-8") + b":0"


def duel_crash(digest: bytes) -> tuple:
    """99.9 / 100 of 2^32 / (v + 1), at least 1.00."""
    return (max(100, 99900 * WORDS // (1000 * (words_of(digest)[0] + 1))),)


def duel_castle_roulette(digest: bytes) -> tuple:
    """A position, as hundredths."""
    return (words_of(digest)[0] % 48 * 100,)


def bustabit(digest: bytes) -> tuple:
    """99 / 100 of 2^52 / (2^52 - r), at least 1.00."""
    return (max(100, 99 * (1 << 52) // ((1 << 52) - (int.from_bytes(digest[:8], "big") >> 12))),)


def stake_crash(digest: bytes) -> tuple:
    """99 / 100 of 2^32 / (v + 1), at least 1.00; exact, or in doubles."""
    w = words_of(digest)[0] + 1
    return (max(100, 99 * WORDS // w), in_doubles(32, w, 0.99))


def stake_slide(digest: bytes) -> tuple:
    """98 / 100 of 2^32 / (v + 1), at least 1.00; exact, or in doubles."""
    w = words_of(digest)[0] + 1
    return (max(100, 98 * WORDS // w), in_doubles(32, w, 0.98))


# 22: bustabit's chains


class Links(NamedTuple):
    """A published chain: its end, the end's game, the games that it covers, and its salt."""

    end: bytes
    salt: str
    end_game: int
    first: int
    last: int
    most: int
    hashes_text: bool


BUSTABIT = Links(
    bytes.fromhex("567a98370fb7545137ddb53687723cf0b8a1f5e93b1f76f4a1da29416930fa59"),
    "00000000000000000001e08b7fd44f95e3e950ac65650a8031a6d5e1750e34be",
    10_000_000,
    12_279_451,
    rows.MAX_NONCE,
    20_000_000,
    False,
)
BUSTABIT_V2 = Links(
    bytes.fromhex("86728f5fc3bd99db94d3cdaf105d67788194e9701bf95d049ad0e1ee3d004277"),
    "0000000000000000004d6ec16dafe9d8370958664c1dc422f452892264c59526",
    0,
    1,
    10_000_000,
    10_000_000,
    True,
)
