#!/usr/bin/env python3
"""Checks rounds of other operators' schemes, and of our own (spec/dialects.md).

    dialects.py self-test DIR        check every file of fixtures/dialects
"""

import functools
import json
import os
import re
import sys
from typing import NamedTuple, Optional

if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    sys.dont_write_bytecode = True

import deal
import gamecolumns
import games
import rows
import schemes
from chain import Chain
from refused import Refused
from rowchecks import (
    NO_COMMITMENT,
    Differs,
    check_cards,
    check_commitment,
    check_result,
    needed,
    some_cards,
)
from rows import Unreadable

# 16.2: what the dialects of cards read, and those of multipliers
OF_CARDS = "server_seed commitment client_seed nonce cards full"
OF_RESULT = "server_seed commitment client_seed result"


class Verdict(NamedTuple):
    """The verdict on one row."""

    verdict: str
    says: str


# 16.3, with the rules of sections 18 to 23 for each dialect


def seed_and_key(row: dict, seed_bytes: Optional[int]) -> tuple:
    """The server seed as text, and the key: its text, or so many decoded bytes."""
    seed = rows.text(row, "server_seed")
    if seed_bytes is None:
        return seed, seed.encode("utf-8")
    return seed, rows.hex_bytes(row, "server_seed", seed_bytes)


class CardScheme:
    """The four schemes that deal from client:nonce:number."""

    is_chain = False

    def __init__(
        self, name: str, seed_bytes: Optional[int], commits_to_text: bool, whole: Optional[int]
    ):
        self.name = name
        self.seed_bytes = seed_bytes
        self.commits_to_text = commits_to_text
        self.whole = whole
        self.reads = OF_CARDS + (" held final" if name == "duel-video-poker" else "")

    def judge(self, row: dict) -> str:
        """The remark on a valid row; raises Unreadable or Differs."""
        seed, key = seed_and_key(row, self.seed_bytes)
        client, nonce, commitment = (
            rows.text(row, "client_seed"),
            needed(row, "nonce"),
            rows.commitment(row),
        )
        cards, full = some_cards(row), rows.flag(row, "full")
        held, final = self.draw_fields(row)
        opened, of = (seed.encode("utf-8"), "text") if self.commits_to_text else (key, "bytes")
        says = check_commitment(commitment, schemes.sha256(opened), f"SHA-256 of the seed's {of}")
        try:
            dealt = schemes.DEALERS[self.name](
                schemes.hmac_under(key), client, nonce, max(len(cards), 10)
            )
        except schemes.NoAnswer as error:
            raise Differs("result-mismatch", str(error)) from None
        check_cards(cards, dealt, full, self.whole)
        check_draw(dealt[:5], dealt[5:10], held, final)
        return f"the cards follow; {says}"

    def draw_fields(self, row: dict) -> tuple:
        """`held` and `final`, which only duel-video-poker has."""
        if self.name != "duel-video-poker":
            return None, None
        return rows.cards(row, "held"), rows.cards(row, "final")


def check_draw(hand: list, pool: list, held: Optional[list], final: Optional[list]) -> None:
    """Check that the hand becomes `final` when `held` is held; raises Differs."""
    if held is None:
        held = [card for card, last in zip(hand, final or []) if card == last]
    for card in held:
        if card not in hand:
            raise Differs("result-mismatch", f"held: {card} is not in the hand")
    coming = iter(pool)
    becomes = [card if card in held else next(coming) for card in hand]
    if final is not None and final != becomes:
        raise Differs(
            "result-mismatch", f"final is {' '.join(final)}, but {' '.join(becomes)} follows"
        )


class GameScheme:
    """The games of numbers and symbols."""

    is_chain = False

    def __init__(self, name: str):
        self.name = name
        self.game = games.GAMES[name]
        self.draw, self.seed_bytes, self.commits_to_text = games.FAMILIES[name.partition("-")[0]]
        if self.game.results:
            self.result_names = "roll" if name == "liqd-dice" else ""
        shown = f"{self.game.shows} {self.game.asks} {self.game.also}"
        self.reads = "server_seed commitment client_seed nonce " + shown

    def judge(self, row: dict) -> str:
        """The remark on a valid row; raises Unreadable or Differs."""
        seed, key = seed_and_key(row, self.seed_bytes)
        client, nonce = rows.text(row, "client_seed"), needed(row, "nonce")
        commitment, given = rows.commitment(row), self.given(row)
        draw = self.draw(schemes.hmac_under(key), client, nonce)
        try:
            follows, refused = self.game.follows(draw, row), None
        except schemes.NoAnswer as error:
            follows, refused = {}, str(error)
        self.game.check_shown(given, row)
        self.check_set(given, follows)
        opened, of = (seed.encode("utf-8"), "text") if self.commits_to_text else (key, "bytes")
        says = check_commitment(commitment, schemes.sha256(opened), f"SHA-256 of the seed's {of}")
        if refused is not None:
            raise Differs("result-mismatch", refused)
        try:
            reading = "".join(self.compare(n, given[n], follows[n]) for n in given)
        except Differs:
            if self.game.also == "mine_count" and rows.integer(row, "mine_count") is None:
                raise Unreadable("mine_count: expected it, found nothing") from None
            raise
        if self.game.also == "mine_count" and rows.integer(row, "mine_count") is None:
            reading += "; the number of mines was not shown"
        return f"the result follows; {says}{reading}"

    def given(self, row: dict) -> dict:
        """The columns of the result that the row has, at least one."""
        read = {
            "result": lambda name: rows.Decimal(row, name),
            "numbers": lambda name: gamecolumns.integers(row, name),
            "rolls": lambda name: gamecolumns.integers(row, name),
            "slot": lambda name: rows.integer(row, name),
            "path": lambda name: gamecolumns.path(row, name),
            "floors": lambda name: gamecolumns.lists(row, name),
            "symbols": lambda name: gamecolumns.symbols(row, name, games.SYMBOLS[self.name]),
        }
        names = [n for n in self.game.shows.split() if row.get(n) is not None]
        if not names:
            raise Unreadable(f"{self.game.shows}: expected one of these, found none")
        return {n: read[n](n) for n in names}

    def check_set(self, given: dict, follows: dict) -> None:
        """Check that `numbers` has as many as are drawn, none of them twice; raises Unreadable."""
        if "numbers" not in given or "numbers" not in follows:
            return
        shown, count = given["numbers"], len(follows["numbers"])
        if len(shown) != count or len(set(shown)) != count:
            raise Unreadable(f"numbers: expected all {count}, found {rows.show(shown)}")

    def compare(self, name: str, shown, follows) -> str:
        """Check one column; raises Differs. Says which of two readings the row has."""
        if name == "result":
            return check_result(shown, follows)
        if name == "symbols":
            is_same = len(shown) <= len(follows) and all(
                one in accepted for one, accepted in zip(shown, follows)
            )
            reading = "; the sources differ on one of the flips"
            is_open = any(len(accepted) > 1 for accepted in follows)
        else:
            is_prefix = name in ("rolls", "floors")
            same = follows[: len(shown)] if is_prefix else follows
            is_same = sorted(shown) == sorted(same) if self.game.is_set else shown == same
            reading, is_open = "", False
        if not is_same:
            raise Differs("result-mismatch", f"{name}: {shown}, but {follows} follows")
        return reading if is_open else ""


class WithBeacon:
    """duel-crash and duel-castle-roulette."""

    reads = OF_RESULT + " nonce"
    is_chain = False

    def __init__(self, name: str, result_of):
        self.name, self.result_of = name, result_of
        self.is_castle = name == "duel-castle-roulette"
        # A result that is no multiplier has only its own names.
        self.result_names = "position" if self.is_castle else rows.NAMES["result"]

    def judge(self, row: dict) -> str:
        """The remark on a valid row; raises Unreadable or Differs."""
        seed, drand = rows.hex_bytes(row, "server_seed", 32), rows.hex_bytes(row, "client_seed", 48)
        nonce, commitment = rows.integer(row, "nonce"), rows.commitment(row)
        result = rows.Decimal(row, "result")
        if self.is_castle and not result.is_among(47, 100):
            raise Unreadable(f"result: expected a position from 0 to 47, found {result.shown}")
        says = check_commitment(commitment, schemes.sha256(seed), "SHA-256 of the seed's bytes")
        if nonce not in (None, 0):
            raise Differs(
                "result-mismatch",
                f"the nonce is {nonce}, but it is 0 in every round of this scheme",
            )
        digest = schemes.hmac_under(seed)(schemes.lossy_message(drand))
        reading = check_result(result, self.result_of(digest))
        return f"the result follows; {says}{reading}"


class StakeLinks:
    """stake-crash and stake-slide."""

    reads = OF_RESULT
    is_chain = True

    def __init__(self, name: str, result_of):
        self.name, self.result_of = name, result_of

    def judge(self, row: dict) -> str:
        """The remark on a valid row; raises Unreadable or Differs."""
        game, salt = rows.text(row, "server_seed"), rows.text(row, "client_seed")
        commitment, result = rows.commitment(row), rows.Decimal(row, "result")
        digest = schemes.hmac_under(game.encode("utf-8"))(salt.encode("utf-8"))
        reading = check_result(result, self.result_of(digest))
        if commitment is None:
            return f"the result follows; {NO_COMMITMENT}{reading}"
        return f"the result follows; the commitment was not checked: the sources of this dialect show no rule for one{reading}"


class Bustabit:
    """bustabit and bustabit-v2; remembers the hashes that it has computed."""

    reads = OF_RESULT + " game_id chain_steps"
    is_chain = True

    def __init__(self, name: str, links: schemes.Links):
        self.name, self.links = name, links
        self.chain = Chain(links.end, links.most, links.hashes_text)

    def judge(self, row: dict) -> str:
        """The remark on a valid row; raises Unreadable or Differs."""
        game, commitment = rows.hex_bytes(row, "server_seed", 32), rows.commitment(row)
        links = self.links
        salt = links.salt if row.get("client_seed") is None else rows.text(row, "client_seed")
        steps, number = rows.integer(row, "chain_steps"), rows.integer(row, "game_id")
        result = rows.Decimal(row, "result")
        if steps is not None:
            self.check_covered(links.end_game + steps)
        if number is not None:
            self.check_covered(number)
        if commitment not in (None, links.end):
            raise Differs(
                "chain-mismatch",
                f"the commitment is {commitment.hex()}, the terminating hash {links.end.hex()}",
            )
        says = NO_COMMITMENT if commitment is None else self.leads(game, steps, number)
        accepted = schemes.bustabit(schemes.hmac_under(salt.encode("utf-8"))(game))
        if salt != links.salt:
            follows = "follows" if result.is_cents(accepted[0]) else "does not follow"
            raise Differs(
                "result-mismatch",
                f"the salt is not the published one (under it the result {follows})",
            )
        check_result(result, accepted)
        return f"the result follows; {says}"

    def leads(self, game: bytes, steps: Optional[int], number: Optional[int]) -> str:
        """Check that the hash leads to the terminating hash from the claimed place; raises Differs."""
        by_game = None if number is None else number - self.links.end_game
        if None not in (steps, number) and by_game != steps:
            raise Differs("chain-mismatch", f"game {number} is {by_game} steps from the end, not {steps}")
        claimed = by_game if steps is None else steps
        found = self.chain.walk(game, claimed)
        if found is None:
            within = (
                f"{self.links.most} steps"
                if claimed is None
                else f"the {claimed} steps that the row says"
            )
            raise Differs(
                "chain-mismatch", f"the game hash does not lead to the terminating hash in {within}"
            )
        if claimed is None:
            self.check_covered(self.links.end_game + found)
        elif found != claimed:
            raise Differs(
                "chain-mismatch", f"the terminating hash is {found} steps away, not {claimed}"
            )
        return f"the terminating hash is reached after {found} steps"

    def check_covered(self, number: int) -> None:
        """Check that the game was dealt by this dialect; raises Unreadable."""
        first, last = self.links.first, self.links.last
        if not first <= number <= last:
            raise Unreadable(
                f"game {number}: games before {first} and after {last} were dealt in another way and are not covered"
            )


class FairdealV1:
    """Our own scheme: shuffle.md."""

    name = "fairdeal/v1"
    reads = OF_CARDS + " contributions deck method"
    is_chain = False

    def judge(self, row: dict) -> str:
        """The remark on a valid row; raises Unreadable or Differs."""
        seed, nonce, commitment = (
            rows.hex_bytes(row, "server_seed", 32),
            needed(row, "nonce"),
            rows.commitment(row),
        )
        full, method = rows.flag(row, "full"), (
            "shuffle" if row.get("method") is None else rows.text(row, "method")
        )
        try:
            deck = deal.deck_cards(
                "standard-52" if row.get("deck") is None else rows.text(row, "deck")
            )
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
        """The cards, from any form, in the text form of shuffle.md."""
        cards = [card.replace("10", "T") for card in some_cards(row, jokers=True)]
        return [card if card in rows.JOKERS else card[0] + card[1].lower() for card in cards]

    @staticmethod
    def contributions(row: dict) -> list:
        """The contributions: `client_seed` has FROM=SEED on each line, `contributions` an array or its JSON text."""
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
                given = rows.parse_json(rows.text(row, "contributions"))
            except ValueError as error:
                raise Unreadable(f"contributions: it is not JSON ({error})") from None
        if not isinstance(given, list):
            raise Unreadable(f"contributions: expected an array, found {rows.show(given)}")
        return [FairdealV1.contribution(c) for c in given]

    @staticmethod
    def contribution(given) -> deal.Contribution:
        """A contribution of `from`, `seed` and optionally `seen` with `size` and `root`."""
        if not isinstance(given, dict) or not {"from", "seed"} <= set(given) <= {
            "from",
            "seed",
            "seen",
        }:
            raise Unreadable(
                f"contributions: expected from, seed and perhaps seen, found {rows.show(given)}"
            )
        seen = given.get("seen")
        if "seen" in given:
            if not isinstance(seen, dict) or not {"root", "size"} <= set(seen) <= {
                "root",
                "size",
                "signature",
            }:
                raise Unreadable(
                    f"contributions: expected a seen of root and size, found {rows.show(seen)}"
                )
            if not isinstance(seen["root"], str) or not re.fullmatch("[0-9a-f]{64}", seen["root"]):
                raise Unreadable(
                    f"contributions: expected a root of 64 hexadecimal digits, found {rows.show(seen['root'])}"
                )
            seen = deal.Seen(needed(seen, "size"), bytes.fromhex(seen["root"]))
        return deal.Contribution(rows.text(given, "from"), rows.text(given, "seed"), seen)


def dialect(name: str):
    """The dialect of a name, ready for the rows of one file; None if there is none."""
    return next((make() for known, make in DIALECTS.items() if known == name), None)


DIALECTS = {
    "stake-video-poker": lambda: CardScheme("stake-video-poker", None, True, 52),
    "stake-replace": lambda: CardScheme("stake-replace", None, True, None),
    "duel-video-poker": lambda: CardScheme("duel-video-poker", 32, False, 52),
    "liqd-blackjack": lambda: CardScheme("liqd-blackjack", 16, True, 416),
    **{name: functools.partial(GameScheme, name) for name in games.GAMES},
    "duel-crash": lambda: WithBeacon("duel-crash", schemes.duel_crash),
    "duel-castle-roulette": lambda: WithBeacon(
        "duel-castle-roulette", schemes.duel_castle_roulette
    ),
    "bustabit": lambda: Bustabit("bustabit", schemes.BUSTABIT),
    "bustabit-v2": lambda: Bustabit("bustabit-v2", schemes.BUSTABIT_V2),
    "stake-crash": lambda: StakeLinks("stake-crash", schemes.stake_crash),
    "stake-slide": lambda: StakeLinks("stake-slide", schemes.stake_slide),
    "fairdeal/v1": FairdealV1,
}


def lost_seed(row: dict) -> Optional[str]:
    """What is in the place of the seed, in a row that has lost it (16.3); None in another row."""
    seed, commitment = row["server_seed"], row.get("commitment")
    if commitment is not None and seed.lower() == commitment.lower():
        return "the commitment itself, not the text that it is the hash of"
    if re.fullmatch(r"[0-9]+([.,][0-9]+)?[eE]\+[0-9]+", seed):
        return "a number that a spreadsheet rounded"
    if re.search("[*•…]", seed) or " " in seed.strip(" \t\r\n"):
        return "a text that may be in the place of a seed that is not revealed"
    return None


def read(scheme, data: bytes) -> list:
    """The rows of a file of a dialect; raises rows.NotRead."""
    names = getattr(scheme, "result_names", rows.NAMES["result"])
    return rows.read(data, rows.Columns(scheme.reads, scheme.is_chain, names))


def judge(scheme, row) -> Verdict:
    """The verdict on one row."""
    try:
        if isinstance(row, Unreadable):
            raise row
        return Verdict("valid", scheme.judge(row))
    except Unreadable as error:
        return Verdict("unreadable", str(error))
    except Differs as differs:
        # What opens a commitment is a seed, whatever it looks like.
        has_opened = differs.verdict == "result-mismatch" and (
            row.get("commitment") is not None and not isinstance(scheme, StakeLinks)
        )
        if not has_opened and (lost := lost_seed(row)) is not None:
            return Verdict("unreadable", f"server_seed: expected the seed, found {lost}")
        return Verdict(differs.verdict, str(differs))


def check(name: str, data: bytes) -> dict:
    """The verdicts on a file's rows, as `check --json` prints them; raises rows.NotRead."""
    scheme = dialect(name)
    verdicts = [judge(scheme, row) for row in read(scheme, data)]
    valid = sum(v.verdict == "valid" for v in verdicts)
    return {
        "dialect": name,
        "rows": [{"row": n, "verdict": v.verdict, "says": v.says} for n, v in enumerate(verdicts)],
        "valid": valid,
        "invalid": len(verdicts) - valid,
    }


def main(arguments: list) -> int:
    """The command that checks fixtures."""
    import dialectcheck

    if len(arguments) != 2 or arguments[0] != "self-test":
        print(f"error: expected self-test DIR, found {json.dumps(arguments)}", file=sys.stderr)
        return 2
    if not os.path.isdir(arguments[1]):
        print(f"error: {arguments[1]}: expected a folder of rows", file=sys.stderr)
        return 3
    return 0 if dialectcheck.run(arguments[1], print) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
