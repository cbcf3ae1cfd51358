#!/usr/bin/env python3
"""Rounds of other operators' schemes, checked as spec/dialects.md says, and of our own.

    dialects.py self-test DIR        check every file of fixtures/dialects
    dialects.py make-fairdeal-v1     print fixtures/dialects/fairdeal-v1.json
    dialects.py make-digests         print fixtures/dialects/digests.json

A scheme's numbers come from a function `digest(message)`, an HMAC under the round's key,
so that a test can put digests of its choice in its place.
"""

import hashlib
import hmac
import json
import os
import re
import struct
import sys
from typing import Callable, Iterator, NamedTuple, Optional

if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    sys.dont_write_bytecode = True

import deal
import rows
from chain import Chain
from refused import Refused
from rows import Unreadable

Digest = Callable[[bytes], bytes]
WORDS = 1 << 32
NO_COMMITMENT = "no commitment was shown"


class Verdict(NamedTuple):
    """What is found about one row."""

    verdict: str
    says: str


class Differs(Exception):
    """A check that a row fails: one of the mismatches, and what differs."""

    def __init__(self, verdict: str, says: str):
        super().__init__(says)
        self.verdict = verdict


class NoAnswer(Exception):
    """The scheme does not say how to go on."""


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


# 18 to 21: from digests to cards


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
        word = next((w for w in words_of(digest(message(client, nonce, 51 - i))) if w < limit), None)
        if word is None:
            raise NoAnswer(
                f"all eight words for position {i} are refused, and the scheme has no rule for that"
            )
        j = word % r
        deck[i], deck[j] = deck[j], deck[i]
    return deck[:count]


def liqd_blackjack(digest: Digest, client: str, nonce: int, count: int = 416) -> list:
    """Backward Fisher-Yates over eight decks; the cursor is the position, and jumps where all words are refused."""
    shoe = list(SHOE)
    for i in range(415, 0, -1):
        r = i + 1
        limit = WORDS // r * r
        cursor, word = i, None
        while word is None:
            word = next((w for w in words_of(digest(message(client, nonce, cursor))) if w < limit), None)
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


# 22 to 24: from digests to multipliers, in hundredths


def duel_crash_message(drand: bytes) -> bytes:
    """The beacon value as lossy text, and the nonce, which is always 0."""
    return drand.decode("utf-8", "replace").encode("utf-8") + b":0"


def duel_crash(digest: bytes) -> int:
    """99.9 / 100 of 2^32 / (v + 1), at least 1.00."""
    return max(100, 99900 * WORDS // (1000 * (words_of(digest)[0] + 1)))


def bustabit(digest: bytes) -> int:
    """99 / 100 of 2^52 / (2^52 - r), at least 1.00."""
    return max(100, 99 * (1 << 52) // ((1 << 52) - (int.from_bytes(digest[:8], "big") >> 12)))


def stake_crash(digest: bytes) -> int:
    """99 / 100 of 2^32 / (v + 1), at least 1.00."""
    return max(100, 99 * WORDS // (words_of(digest)[0] + 1))


# 23: bustabit's chain

BUSTABIT_END = bytes.fromhex("567a98370fb7545137ddb53687723cf0b8a1f5e93b1f76f4a1da29416930fa59")
BUSTABIT_SALT = "00000000000000000001e08b7fd44f95e3e950ac65650a8031a6d5e1750e34be"
BUSTABIT_FIRST_GAME = 10_000_000
BUSTABIT_NOT_COVERED = 12_279_450
BUSTABIT_MOST_STEPS = 20_000_000


# 16.3: the checks, in their order, with what sections 18 to 25 say of each dialect


def check_commitment(given: Optional[bytes], opened: bytes, of: str) -> str:
    """What to say of a commitment that opens, or of none; raises Differs."""
    if given is None:
        return NO_COMMITMENT
    if given != opened:
        raise Differs("commitment-mismatch", f"{of} is {opened.hex()}, the commitment is {given.hex()}")
    return "the commitment opens"


def check_cards(given: list, dealt: list, full: bool, whole: Optional[int]) -> None:
    """Whether `given` begins what was dealt, and is all of it where it says so; raises Differs."""
    if whole is not None and len(given) > whole:
        raise Differs("result-mismatch", f"{len(given)} cards, but there are {whole}")
    for n, (card, follows) in enumerate(zip(given, dealt)):
        if card != follows:
            raise Differs("result-mismatch", f"card {n} is {card}, but {follows} follows")
    if full and whole is not None and len(given) != whole:
        raise Differs("result-mismatch", f"{len(given)} cards are not all {whole}")


def check_result(given: rows.Decimal, cents: int) -> None:
    """Whether the result is the one that follows; raises Differs."""
    if not given.is_cents(cents):
        raise Differs(
            "result-mismatch", f"the result is {given.shown}, but {cents // 100}.{cents % 100:02} follows"
        )


def some_cards(row: dict) -> list:
    """`cards`, of which there must be one."""
    cards = rows.cards(row, "cards")
    if not cards:
        raise Unreadable("cards: expected at least one card, found none")
    return cards


def needed(row: dict, name: str) -> int:
    """An integer that must be given."""
    value = rows.integer(row, name)
    if value is None:
        raise Unreadable(f"{name}: expected an integer from 0 to 2^53-1, found none")
    return value


class CardScheme:
    """The four schemes that deal from client:nonce:number."""

    def __init__(self, name: str, seed_bytes: Optional[int], commits_to_text: bool, whole: Optional[int]):
        self.name = name
        self.seed_bytes = seed_bytes
        self.commits_to_text = commits_to_text
        self.whole = whole

    def judge(self, row: dict) -> str:
        """What to say of a row that is valid; raises Unreadable or Differs."""
        seed = rows.text(row, "server_seed")
        key = (
            seed.encode("utf-8")
            if self.seed_bytes is None
            else rows.hex_bytes(row, "server_seed", self.seed_bytes)
        )
        client, nonce, commitment = rows.text(row, "client_seed"), needed(row, "nonce"), rows.commitment(row)
        cards, full = some_cards(row), rows.flag(row, "full")
        held, final = self.draw_fields(row)
        opened, of = (seed.encode("utf-8"), "text") if self.commits_to_text else (key, "bytes")
        says = check_commitment(commitment, sha256(opened), f"SHA-256 of the seed's {of}")
        try:
            dealt = DEALERS[self.name](hmac_under(key), client, nonce, max(len(cards), 10))
        except NoAnswer as error:
            raise Differs("result-mismatch", str(error)) from None
        check_cards(cards, dealt, full, self.whole)
        if held is not None and final is not None:
            check_draw(dealt[:5], dealt[5:10], held, final)
        return f"the cards follow; {says}"

    def draw_fields(self, row: dict) -> tuple:
        """`held` and `final`, which are duel-video-poker's own."""
        if self.name != "duel-video-poker":
            return None, None
        return rows.cards(row, "held"), rows.cards(row, "final")


def check_draw(hand: list, pool: list, held: list, final: list) -> None:
    """Whether the hand becomes `final` when `held` is held; raises Differs."""
    for card in held:
        if card not in hand:
            raise Differs("result-mismatch", f"held: {card} is not in the hand")
    coming = iter(pool)
    becomes = [card if card in held else next(coming) for card in hand]
    if final != becomes:
        raise Differs("result-mismatch", f"final is {' '.join(final)}, but {' '.join(becomes)} follows")


class DuelCrash:
    """duel-crash."""

    name = "duel-crash"

    def judge(self, row: dict) -> str:
        """What to say of a row that is valid; raises Unreadable or Differs."""
        seed, drand = rows.hex_bytes(row, "server_seed", 32), rows.hex_bytes(row, "client_seed", 48)
        nonce, commitment = rows.integer(row, "nonce"), rows.commitment(row)
        result = rows.Decimal(row, "result")
        says = check_commitment(commitment, sha256(seed), "SHA-256 of the seed's bytes")
        if nonce not in (None, 0):
            raise Differs(
                "result-mismatch", f"the nonce is {nonce}, but it is 0 in every round of this scheme"
            )
        check_result(result, duel_crash(hmac_under(seed)(duel_crash_message(drand))))
        return f"the result follows; {says}"


class StakeCrash:
    """stake-crash."""

    name = "stake-crash"

    def judge(self, row: dict) -> str:
        """What to say of a row that is valid; raises Unreadable or Differs."""
        game, salt = rows.text(row, "server_seed"), rows.text(row, "client_seed")
        commitment, result = rows.commitment(row), rows.Decimal(row, "result")
        check_result(result, stake_crash(hmac_under(game.encode("utf-8"))(salt.encode("utf-8"))))
        if commitment is None:
            return f"the result follows; {NO_COMMITMENT}"
        return "the result follows; the commitment was not checked: the sources of this dialect show no rule for one"


class Bustabit:
    """bustabit; remembers what it has walked."""

    name = "bustabit"

    def __init__(self):
        self.chain = Chain(BUSTABIT_END, BUSTABIT_MOST_STEPS)

    def judge(self, row: dict) -> str:
        """What to say of a row that is valid; raises Unreadable or Differs."""
        game, commitment = rows.hex_bytes(row, "server_seed", 32), rows.commitment(row)
        salt = BUSTABIT_SALT if row.get("client_seed") is None else rows.text(row, "client_seed")
        steps, number = rows.integer(row, "chain_steps"), rows.integer(row, "game_id")
        result = rows.Decimal(row, "result")
        if steps is not None:
            self.check_covered(BUSTABIT_FIRST_GAME + steps)
        if number is not None:
            self.check_covered(number)
        if commitment not in (None, BUSTABIT_END):
            raise Differs(
                "chain-mismatch",
                f"the commitment is {commitment.hex()}, the terminating hash {BUSTABIT_END.hex()}",
            )
        if None not in (steps, number) and BUSTABIT_FIRST_GAME + steps != number:
            raise Differs(
                "chain-mismatch",
                f"game {number} is {number - BUSTABIT_FIRST_GAME} steps from the end, not {steps}",
            )
        claimed = number - BUSTABIT_FIRST_GAME if steps is None and number is not None else steps
        found = self.chain.walk(game, claimed)
        if found is None:
            within = (
                f"{BUSTABIT_MOST_STEPS} steps"
                if claimed is None
                else f"the {claimed} steps that the row says"
            )
            raise Differs(
                "chain-mismatch", f"the game hash does not lead to the terminating hash in {within}"
            )
        if claimed is None:
            self.check_covered(BUSTABIT_FIRST_GAME + found)
        elif found != claimed:
            raise Differs("chain-mismatch", f"the terminating hash is {found} steps away, not {claimed}")
        if salt != BUSTABIT_SALT:
            other = bustabit(hmac_under(salt.encode("utf-8"))(game))
            follows = "follows" if result.is_cents(other) else "does not follow"
            raise Differs(
                "result-mismatch", f"the salt is not the published one (under it the result {follows})"
            )
        check_result(result, bustabit(hmac_under(BUSTABIT_SALT.encode("utf-8"))(game)))
        shown = (
            f"{NO_COMMITMENT}, the published terminating hash is reached"
            if commitment is None
            else "the terminating hash is reached"
        )
        return f"the result follows; {shown} after {found} steps"

    @staticmethod
    def check_covered(number: int) -> None:
        """Whether the game was dealt under this dialect's salt; raises Unreadable."""
        if number <= BUSTABIT_NOT_COVERED:
            raise Unreadable(
                f"game {number}: games up to {BUSTABIT_NOT_COVERED} were dealt in another way and are not covered"
            )


class FairdealV1:
    """Our own scheme: shuffle.md."""

    name = "fairdeal/v1"

    def judge(self, row: dict) -> str:
        """What to say of a row that is valid; raises Unreadable or Differs."""
        seed, nonce, commitment = (
            rows.hex_bytes(row, "server_seed", 32),
            needed(row, "nonce"),
            rows.commitment(row),
        )
        full, method = rows.flag(row, "full"), (
            "shuffle" if row.get("method") is None else rows.text(row, "method")
        )
        try:
            deck = deal.deck_cards("standard-52" if row.get("deck") is None else rows.text(row, "deck"))
            inputs = deal.Inputs(seed, nonce, self.contributions(row))
            deal.check_inputs(inputs)
            deal.check_method(method, len(deck), len(deck))
        except Refused as refused:
            raise Unreadable(str(refused)) from None
        cards = self.cards(row)
        says = check_commitment(commitment, deal.commitment_of(seed), "SHA-256 of the seed's bytes")
        dealt = [deck[i] for i in deal.replay(inputs, method, len(deck), len(deck)).indices]
        check_cards(cards, dealt, full, len(deck))
        return f"the cards follow; {says}"

    @staticmethod
    def cards(row: dict) -> list:
        """Two characters a card: joined in a text, or each in an element of an array."""
        value = row.get("cards")
        if isinstance(value, str) and not isinstance(value, rows.Number):
            value = [value[at : at + 2] for at in range(0, len(value), 2)]
        if not isinstance(value, list) or not value:
            raise Unreadable(
                f"cards: expected cards in the text form of shuffle.md, found {rows.show(value)}"
            )
        for card in value:
            if not isinstance(card, str) or card not in deal.CARDS:
                raise Unreadable(f"cards: expected a card such as Td, found {rows.show(card)}")
        return value

    @staticmethod
    def contributions(row: dict) -> list:
        """From `client_seed`, FROM=SEED on each line, or from `contributions`, an array or its JSON text."""
        given = row.get("contributions")
        if (given is None) == (row.get("client_seed") is None):
            raise Unreadable("expected exactly one of client_seed and contributions")
        if given is None:
            pairs = [line.partition("=") for line in rows.text(row, "client_seed").split("\n")]
            for label, equals, seed in pairs:
                if not equals:
                    raise Unreadable(
                        f"client_seed: expected FROM=SEED on each line, found {rows.show(label)}"
                    )
            return [deal.Contribution(label, seed) for label, _, seed in pairs]
        if isinstance(given, str) and not isinstance(given, rows.Number):
            try:
                given = rows.parse_json(given)
            except ValueError as error:
                raise Unreadable(f"contributions: it is not JSON ({error})") from None
        if not isinstance(given, list):
            raise Unreadable(f"contributions: expected an array, found {rows.show(given)}")
        return [FairdealV1.contribution(c) for c in given]

    @staticmethod
    def contribution(given) -> deal.Contribution:
        """`from`, `seed` and, where a checkpoint was seen, `seen` of `size` and `root`."""
        if not isinstance(given, dict) or not {"from", "seed"} <= set(given) <= {"from", "seed", "seen"}:
            raise Unreadable(f"contributions: expected from, seed and perhaps seen, found {rows.show(given)}")
        seen = given.get("seen")
        if "seen" in given:
            if not isinstance(seen, dict) or not {"root", "size"} <= set(seen) <= {
                "root",
                "size",
                "signature",
            }:
                raise Unreadable(f"contributions: expected a seen of root and size, found {rows.show(seen)}")
            if not isinstance(seen["root"], str) or not re.fullmatch("[0-9a-f]{64}", seen["root"]):
                raise Unreadable(
                    f"contributions: expected a root of 64 hexadecimal digits, found {rows.show(seen['root'])}"
                )
            seen = deal.Seen(needed(seen, "size"), bytes.fromhex(seen["root"]))
        return deal.Contribution(rows.text(given, "from"), rows.text(given, "seed"), seen)


def dialect(name: str):
    """A dialect by its name, ready for the rows of one file; None where there is none."""
    return next((make() for known, make in DIALECTS.items() if known == name), None)


DIALECTS = {
    "stake-video-poker": lambda: CardScheme("stake-video-poker", None, True, 52),
    "stake-replace": lambda: CardScheme("stake-replace", None, True, None),
    "duel-video-poker": lambda: CardScheme("duel-video-poker", 32, False, 52),
    "liqd-blackjack": lambda: CardScheme("liqd-blackjack", 16, True, 416),
    "duel-crash": DuelCrash,
    "bustabit": Bustabit,
    "stake-crash": StakeCrash,
    "fairdeal/v1": FairdealV1,
}


def judge(scheme, row) -> Verdict:
    """The verdict on one row."""
    try:
        if isinstance(row, Unreadable):
            raise row
        return Verdict("valid", scheme.judge(row))
    except Unreadable as error:
        return Verdict("unreadable", str(error))
    except Differs as differs:
        return Verdict(differs.verdict, str(differs))


def check(name: str, data: bytes) -> dict:
    """The verdicts on a file's rows, as `check --json` prints them; raises rows.NotRead."""
    scheme = dialect(name)
    verdicts = [judge(scheme, row) for row in rows.read(data)]
    valid = sum(v.verdict == "valid" for v in verdicts)
    return {
        "dialect": name,
        "rows": [{"row": n, "verdict": v.verdict, "says": v.says} for n, v in enumerate(verdicts)],
        "valid": valid,
        "invalid": len(verdicts) - valid,
    }


def main(arguments: list) -> int:
    """The commands that make and check fixtures."""
    import dialectcases
    import dialectcheck

    if arguments == ["make-fairdeal-v1"]:
        sys.stdout.write(dialectcases.fairdeal_v1())
    elif arguments == ["make-digests"]:
        sys.stdout.write(dialectcases.digests())
    elif len(arguments) == 2 and arguments[0] == "self-test":
        if not os.path.isdir(arguments[1]):
            print(f"error: {arguments[1]}: expected a folder of rows", file=sys.stderr)
            return 3
        return 0 if dialectcheck.run(arguments[1], print) else 1
    else:
        print(
            f"error: expected self-test DIR, make-fairdeal-v1 or make-digests, found {json.dumps(arguments)}",
            file=sys.stderr,
        )
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
