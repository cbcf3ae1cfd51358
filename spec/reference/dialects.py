#!/usr/bin/env python3
"""Checks rounds of other operators' schemes, and of our own (spec/dialects.md).

    dialects.py self-test DIR        check every file of fixtures/dialects
"""

import json
import os
import re
import sys
from typing import NamedTuple, Optional

if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    sys.dont_write_bytecode = True

import deal
import rows
import schemes
from chain import Chain
from refused import Refused
from rows import Unreadable

NO_COMMITMENT = "no commitment was shown"
# 16.2: what the dialects of cards read, and those of multipliers
OF_CARDS = "server_seed commitment client_seed nonce cards full"
OF_RESULT = "server_seed commitment client_seed result"


class Verdict(NamedTuple):
    """The verdict on one row."""

    verdict: str
    says: str


class Differs(Exception):
    """A failed check of a row: the mismatch, and the difference."""

    def __init__(self, verdict: str, says: str):
        super().__init__(says)
        self.verdict = verdict


# 16.3: the checks, in their order, with the rules of sections 18 to 25 for each dialect


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


def check_result(given: rows.Decimal, cents: int) -> None:
    """Check that the result follows from the seeds; raises Differs."""
    if not given.is_cents(cents):
        raise Differs(
            "result-mismatch",
            f"the result is {given.shown}, but {cents // 100}.{cents % 100:02} follows",
        )


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
        seed = rows.text(row, "server_seed")
        key = (
            seed.encode("utf-8")
            if self.seed_bytes is None
            else rows.hex_bytes(row, "server_seed", self.seed_bytes)
        )
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


class DuelCrash:
    """duel-crash."""

    name = "duel-crash"
    reads = OF_RESULT + " nonce"
    is_chain = False

    def judge(self, row: dict) -> str:
        """The remark on a valid row; raises Unreadable or Differs."""
        seed, drand = rows.hex_bytes(row, "server_seed", 32), rows.hex_bytes(row, "client_seed", 48)
        nonce, commitment = rows.integer(row, "nonce"), rows.commitment(row)
        result = rows.Decimal(row, "result")
        says = check_commitment(commitment, schemes.sha256(seed), "SHA-256 of the seed's bytes")
        if nonce not in (None, 0):
            raise Differs(
                "result-mismatch",
                f"the nonce is {nonce}, but it is 0 in every round of this scheme",
            )
        check_result(
            result, schemes.duel_crash(schemes.hmac_under(seed)(schemes.duel_crash_message(drand)))
        )
        return f"the result follows; {says}"


class StakeCrash:
    """stake-crash."""

    name = "stake-crash"
    reads = OF_RESULT
    is_chain = True

    def judge(self, row: dict) -> str:
        """The remark on a valid row; raises Unreadable or Differs."""
        game, salt = rows.text(row, "server_seed"), rows.text(row, "client_seed")
        commitment, result = rows.commitment(row), rows.Decimal(row, "result")
        check_result(
            result,
            schemes.stake_crash(schemes.hmac_under(game.encode("utf-8"))(salt.encode("utf-8"))),
        )
        if commitment is None:
            return f"the result follows; {NO_COMMITMENT}"
        return "the result follows; the commitment was not checked: the sources of this dialect show no rule for one"


class Bustabit:
    """bustabit; remembers the hashes that it has computed."""

    name = "bustabit"
    reads = OF_RESULT + " game_id chain_steps"
    is_chain = True

    def __init__(self):
        self.chain = Chain(schemes.BUSTABIT_END, schemes.BUSTABIT_MOST_STEPS)

    def judge(self, row: dict) -> str:
        """The remark on a valid row; raises Unreadable or Differs."""
        game, commitment = rows.hex_bytes(row, "server_seed", 32), rows.commitment(row)
        salt = (
            schemes.BUSTABIT_SALT
            if row.get("client_seed") is None
            else rows.text(row, "client_seed")
        )
        steps, number = rows.integer(row, "chain_steps"), rows.integer(row, "game_id")
        result = rows.Decimal(row, "result")
        if steps is not None:
            self.check_covered(schemes.BUSTABIT_FIRST_GAME + steps)
        if number is not None:
            self.check_covered(number)
        if commitment not in (None, schemes.BUSTABIT_END):
            raise Differs(
                "chain-mismatch",
                f"the commitment is {commitment.hex()}, the terminating hash {schemes.BUSTABIT_END.hex()}",
            )
        if commitment is None:
            says = NO_COMMITMENT
        else:
            says = self.leads(game, steps, number)
        if salt != schemes.BUSTABIT_SALT:
            other = schemes.bustabit(schemes.hmac_under(salt.encode("utf-8"))(game))
            follows = "follows" if result.is_cents(other) else "does not follow"
            raise Differs(
                "result-mismatch",
                f"the salt is not the published one (under it the result {follows})",
            )
        check_result(
            result,
            schemes.bustabit(schemes.hmac_under(schemes.BUSTABIT_SALT.encode("utf-8"))(game)),
        )
        return f"the result follows; {says}"

    def leads(self, game: bytes, steps: Optional[int], number: Optional[int]) -> str:
        """Check that the hash leads to the terminating hash from the claimed place; raises Differs."""
        if None not in (steps, number) and schemes.BUSTABIT_FIRST_GAME + steps != number:
            raise Differs(
                "chain-mismatch",
                f"game {number} is {number - schemes.BUSTABIT_FIRST_GAME} steps from the end, not {steps}",
            )
        claimed = (
            number - schemes.BUSTABIT_FIRST_GAME if steps is None and number is not None else steps
        )
        found = self.chain.walk(game, claimed)
        if found is None:
            within = (
                f"{schemes.BUSTABIT_MOST_STEPS} steps"
                if claimed is None
                else f"the {claimed} steps that the row says"
            )
            raise Differs(
                "chain-mismatch", f"the game hash does not lead to the terminating hash in {within}"
            )
        if claimed is None:
            self.check_covered(schemes.BUSTABIT_FIRST_GAME + found)
        elif found != claimed:
            raise Differs(
                "chain-mismatch", f"the terminating hash is {found} steps away, not {claimed}"
            )
        return f"the terminating hash is reached after {found} steps"

    @staticmethod
    def check_covered(number: int) -> None:
        """Check that the game was dealt under this dialect's salt; raises Unreadable."""
        if number <= schemes.BUSTABIT_NOT_COVERED:
            raise Unreadable(
                f"game {number}: games up to {schemes.BUSTABIT_NOT_COVERED} were dealt in another way and are not covered"
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
    "duel-crash": DuelCrash,
    "bustabit": Bustabit,
    "stake-crash": StakeCrash,
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
    return rows.read(data, rows.Columns(scheme.reads, scheme.is_chain))


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
            row.get("commitment") is not None and scheme.name != "stake-crash"
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
