"""From seeds to cards: the whole of spec/shuffle.md, in the order of its sections.

Not for dealing: the module does not protect secrets in memory, and its running time shows
how many words were rejected. It is for checking somebody else's deals.
"""

import hashlib
import hmac
import struct
import unicodedata
from typing import Callable, NamedTuple, Optional

from refused import Refused

MAX_ITEMS = 1 << 20
MAX_NONCE = (1 << 53) - 1
MAX_CLIENTS = 64


def sha256(data: bytes) -> bytes:
    """SHA-256, the only plain hash of the protocol."""
    return hashlib.sha256(data).digest()


# shuffle.md 1: the server seed and its commitment


def check_server_seed(seed: bytes) -> bytes:
    """A server seed is exactly 32 bytes."""
    if len(seed) != 32:
        raise Refused("server-seed", f"a server seed is 32 bytes, not {len(seed)}")
    return seed


def commitment_of(seed: bytes) -> bytes:
    """SHA-256 of the seed's 32 raw bytes."""
    return sha256(check_server_seed(seed))


def confusions(seed: bytes, claimed: bytes) -> Optional[str]:
    """The usual mistake, if any, that would make `claimed` from `seed` (shuffle.md 1.2)."""
    text = seed.hex()
    mistakes = {
        "SHA-256 of the seed's lowercase hex text": sha256(text.encode()),
        "SHA-256 of the seed's uppercase hex text": sha256(text.upper().encode()),
        "SHA-256 of the seed's lowercase hex text and a newline": sha256(text.encode() + b"\n"),
        "SHA-256 of the seed's bytes and a newline": sha256(seed + b"\n"),
        "SHA-256 of the SHA-256 of the seed": sha256(sha256(seed)),
        "SHA-256 of the hex text of the SHA-256 of the seed": sha256(sha256(seed).hex().encode()),
        "SHA-256 of the seed's bytes in reverse": sha256(seed[::-1]),
        "SHA-512 of the seed, cut to 32 bytes": hashlib.sha512(seed).digest()[:32],
        "the seed itself": seed,
    }
    for says, value in mistakes.items():
        if value == claimed:
            return says
    if sha256(seed)[::-1] == claimed:
        return "the SHA-256 of the seed with its bytes in reverse"
    return None


# shuffle.md 2: contributions


class Seen(NamedTuple):
    """A checkpoint that a client had verified: the tree's size and root."""

    size: int
    root: bytes


class Contribution(NamedTuple):
    """A client's contribution to a round."""

    label: str  # `from` in the formats, which is a keyword of Python
    seed: str
    seen: Optional[Seen] = None


def has_control_characters(text: str) -> bool:
    """Whether any character is of Unicode category Cc (U+0000-001F, U+007F-009F)."""
    return any(unicodedata.category(c) == "Cc" for c in text)


def text_fits(text: str, most: int) -> bool:
    """1 to `most` bytes of UTF-8 without control characters."""
    try:
        return 1 <= len(text.encode("utf-8")) <= most and not has_control_characters(text)
    except UnicodeEncodeError:
        return False


def encode(seed: str, seen: Optional[Seen] = None) -> bytes:
    """`encode` of a client's contribution: kind 01, or 02 with a checkpoint seen."""
    text = seed.encode("utf-8")
    if seen is None:
        return b"\x01" + struct.pack(">H", len(text)) + text
    return b"\x02" + struct.pack(">H", len(text)) + text + struct.pack(">Q", seen.size) + seen.root


def encode_drand(randomness: bytes) -> bytes:
    """`encode` of a drand round: kind 03."""
    return b"\x03\x00\x20" + randomness


# shuffle.md 3: derivation

DEAL_TAG = b"fairdeal/v1/deal\x00"
SEAL_TAG = b"fairdeal/v1/seal\x00"


class Inputs(NamedTuple):
    """All inputs of a deal."""

    server_seed: bytes
    nonce: int
    contributions: list  # of Contribution
    randomness: Optional[bytes] = None  # of a drand round


def check_inputs(inputs: Inputs) -> None:
    """Refuse what sections 1 to 3 refuse."""
    check_server_seed(inputs.server_seed)
    if not 0 <= inputs.nonce <= MAX_NONCE:
        raise Refused("nonce", f"a nonce is 0 to 2^53-1, not {inputs.nonce}")
    fewest = 0 if inputs.randomness is not None else 1
    if not fewest <= len(inputs.contributions) <= MAX_CLIENTS:
        raise Refused(
            "contributions",
            f"a round has {fewest} to {MAX_CLIENTS} clients, not {len(inputs.contributions)}",
        )
    labels = set()
    for c in inputs.contributions:
        if not text_fits(c.label, 64):
            raise Refused(
                "from", f"from is 1 to 64 bytes without control characters, not {c.label!r}"
            )
        if not text_fits(c.seed, 256):
            raise Refused(
                "seed", f"the seed of {c.label!r} is not 1 to 256 bytes without control characters"
            )
        if c.label in labels:
            raise Refused("duplicate-from", f"{c.label!r} contributes twice in one round")
        labels.add(c.label)


def message(tag: bytes, inputs: Inputs) -> bytes:
    """tag || nonce || count || the encoded contributions in ascending byte order."""
    encoded = [encode(c.seed, c.seen) for c in inputs.contributions]
    if inputs.randomness is not None:
        encoded.append(encode_drand(inputs.randomness))
    return tag + struct.pack(">QH", inputs.nonce, len(encoded)) + b"".join(sorted(encoded))


def derive(tag: bytes, inputs: Inputs) -> bytes:
    """The 32-byte ChaCha20 key of a deal (DEAL_TAG) or of its seals (SEAL_TAG)."""
    check_inputs(inputs)
    return hmac.new(inputs.server_seed, message(tag, inputs), hashlib.sha256).digest()


def chacha20_blocks(key: bytes, counter: int, count: int, nonce: bytes = bytes(12)) -> bytes:
    """`count` blocks of RFC 8439's ChaCha20 keystream, computed together.

    A Python integer holds one word of every block, each in its own 64-bit lane:
    an addition or a rotation then works on all blocks at once. Bits over a
    word's 32 bits go to the upper half of its lane, and `low` clears them.
    """
    ones = int.from_bytes((b"\x01" + bytes(7)) * count, "little")  # 1 in every lane
    low = ones * 0xFFFFFFFF
    counters = int.from_bytes(
        b"".join(struct.pack("<Q", (counter + b) & 0xFFFFFFFF) for b in range(count)), "little"
    )
    start = [
        ones * w for w in struct.unpack("<4I", b"expand 32-byte k") + struct.unpack("<8I", key)
    ]
    start += [counters] + [ones * w for w in struct.unpack("<3I", nonce)]
    x = list(start)

    def rotated(v: int, by: int) -> int:
        return ((v << by) | (v >> (32 - by))) & low

    def quarter(a: int, b: int, c: int, d: int) -> None:
        x[a] = (x[a] + x[b]) & low
        x[d] = rotated(x[d] ^ x[a], 16)
        x[c] = (x[c] + x[d]) & low
        x[b] = rotated(x[b] ^ x[c], 12)
        x[a] = (x[a] + x[b]) & low
        x[d] = rotated(x[d] ^ x[a], 8)
        x[c] = (x[c] + x[d]) & low
        x[b] = rotated(x[b] ^ x[c], 7)

    for _ in range(10):
        for i in range(4):
            quarter(i, 4 + i, 8 + i, 12 + i)
        for i in range(4):
            quarter(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4)
    columns = [((v + s) & low).to_bytes(8 * count, "little") for v, s in zip(x, start)]
    return b"".join(column[8 * b : 8 * b + 4] for b in range(count) for column in columns)


class Words:
    """The keystream of a key as u32 little-endian words; `drawn` counts the words taken."""

    def __init__(self, key: bytes):
        self.key = key
        self.drawn = 0
        self._blocks = 0
        self._ready = ()
        self._at = 0

    def next(self) -> int:
        """The next word."""
        if self._at == len(self._ready):
            count = 4 if self._blocks == 0 else 256
            stream = chacha20_blocks(self.key, self._blocks, count)
            self._ready = struct.unpack(f"<{16 * count}I", stream)
            self._blocks += count
            self._at = 0
        self._at += 1
        self.drawn += 1
        return self._ready[self._at - 1]


# shuffle.md 4: an unbiased range


def below(ways: int, next_word: Callable[[], int]) -> int:
    """A value uniform on 0..ways-1; draws no word if there is one way."""
    if not 1 <= ways <= MAX_ITEMS:
        raise Refused("ways", f"a choice has 1 to 2^20 ways, not {ways}")
    if ways == 1:
        return 0
    threshold = (1 << 32) % ways  # not a bias: the number of words to reject, so that the rest divide evenly
    while True:
        product = next_word() * ways
        if product & 0xFFFFFFFF >= threshold:
            return product >> 32


# shuffle.md 5: methods


def check_method(method: str, items: int, draw: int) -> None:
    """Refuse a count of items or a draw that the method does not take."""
    if not 1 <= items <= MAX_ITEMS:
        raise Refused("items", f"a deck has 1 to 2^20 items, not {items}")
    if method == "cycle":
        if items < 2:
            raise Refused("items", "a cycle needs at least 2 items")
        if draw != items:
            raise Refused("draw", f"a cycle draws all {items} items, not {draw}")
    elif method == "shuffle":
        if not 1 <= draw <= items:
            raise Refused("draw", f"a draw is 1 to {items} of {items} items, not {draw}")
    else:
        raise Refused("method", f"a method is shuffle or cycle, not {method!r}")


def shuffle(items: int, draw: int, next_word: Callable[[], int]) -> list:
    """Backward Fisher-Yates: the items in the order in which they settle."""
    a = list(range(items))
    dealt = []
    for i in range(items - 1, items - draw - 1, -1):
        j = below(i + 1, next_word)
        a[i], a[j] = a[j], a[i]
        dealt.append(a[i])
    return dealt


def cycle(items: int, next_word: Callable[[], int]) -> list:
    """Sattolo: position p is assigned a[p]. A single cycle: nobody draws themselves."""
    a = list(range(items))
    for i in range(items - 1, 0, -1):
        j = below(i, next_word)
        a[i], a[j] = a[j], a[i]
    return a


# shuffle.md 6: decks


def _suit_major(ranks: str) -> list:
    return [rank + suit for suit in "cdhs" for rank in ranks]


STANDARD_52 = _suit_major("23456789TJQKA")
DECKS = {
    "standard-52": STANDARD_52,
    "standard-52x2": STANDARD_52 * 2,
    "standard-52x4": STANDARD_52 * 4,
    "standard-52x6": STANDARD_52 * 6,
    "standard-52x8": STANDARD_52 * 8,
    "short-36": _suit_major("6789TJQKA"),
    "jokers-54": STANDARD_52 + ["X1", "X2"],
}
CARDS = frozenset(DECKS["jokers-54"])


def deck_cards(name: str) -> list:
    """The cards of a named deck in its initial order."""
    if name not in DECKS:
        raise Refused("deck", f"no deck is named {name!r}; there are {', '.join(DECKS)}")
    return DECKS[name]


def parse_list(data: bytes) -> list:
    """The items of a list file (shuffle.md 6.2)."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Refused("list", f"a list is UTF-8, but byte {error.start} is not") from None
    if text.startswith("\ufeff"):
        raise Refused("list", "a list has no byte order mark")
    if "\r" in text:
        raise Refused(
            "list",
            f"a list ends its lines with LF alone, but line {text[: text.index(chr(13))].count(chr(10)) + 1} has a CR",
        )
    if not text.endswith("\n"):
        raise Refused("list", "a list ends every line with an LF, the last too")
    items = text[:-1].split("\n")
    if "" in items:
        raise Refused("list", f"a list has no empty line, but line {items.index('') + 1} is empty")
    if len(items) > MAX_ITEMS:
        raise Refused("list", f"a list has 1 to 2^20 items, not {len(items)}")
    return items


class Deal(NamedTuple):
    """The result of a replay."""

    indices: list
    words: int  # all drawn words, including rejected ones
    rejected: int


def replay(inputs: Inputs, method: str, items: int, draw: int) -> Deal:
    """Seeds to items: sections 3, 4 and 5 in one."""
    check_method(method, items, draw)
    words = Words(derive(DEAL_TAG, inputs))
    if method == "cycle":
        indices, choices = cycle(items, words.next), items - 2  # below(1), the last, draws nothing
    else:
        indices = shuffle(items, draw, words.next)
        choices = min(draw, items - 1)
    return Deal(indices, words.drawn, words.drawn - choices)


def digest_of(indices: list) -> bytes:
    """SHA-256 of item numbers, each as big-endian u32 (ledger.md, 8.5)."""
    return sha256(struct.pack(f">{len(indices)}I", *indices))


# shuffle.md 7: sealed deals


def card_seal(commitment: bytes, nonce: int, t: int, item: int, salt: bytes) -> bytes:
    """The seal of the card dealt `t`th (from 0)."""
    return sha256(b"fairdeal/v1/card\x00" + commitment + struct.pack(">QII", nonce, t, item) + salt)


def seal_of(card_seals: list) -> bytes:
    """The seal of a whole deal, from its cards' seals in deal order."""
    return sha256(b"fairdeal/v1/seals\x00" + b"".join(card_seals))


class Seals(NamedTuple):
    """The seal of a deal, its cards' seals, and the salts that open them."""

    seal: bytes
    card_seals: list
    salts: list


def seals(inputs: Inputs, indices: list) -> Seals:
    """Seal every card of a deal."""
    key = derive(SEAL_TAG, inputs)
    stream = b"".join(
        chacha20_blocks(key, at, 256 if len(indices) > 64 else 16)
        for at in range(0, (len(indices) + 3) // 4, 256)
    )
    salts = [stream[16 * t : 16 * t + 16] for t in range(len(indices))]
    commitment = commitment_of(inputs.server_seed)
    card_seals = [
        card_seal(commitment, inputs.nonce, t, item, salts[t]) for t, item in enumerate(indices)
    ]
    return Seals(seal_of(card_seals), card_seals, salts)
