"""The command line of fairdeal.py."""

import argparse

import canonical
import dialects
import entry
from refused import Stop

HOLDS, DOES_NOT_HOLD, WRONG_USAGE, NOT_READ = 0, 1, 2, 3


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line."""

    def error(self, message: str):
        raise Stop(WRONG_USAGE, message)


def whole_number(text: str) -> int:
    """A number from the command line, in digits only."""
    if not (text.isascii() and text.isdigit() and len(text) <= 20):
        raise argparse.ArgumentTypeError(f"expected a number in digits, found {text[:40]!r}")
    return int(text)


def milliseconds(text: str) -> int:
    """A time from the command line."""
    value = whole_number(text)
    if value > canonical.MAX_INTEGER:
        raise argparse.ArgumentTypeError(f"expected a time up to 2^53-1, found {text}")
    return value


def time_or_now(text: str):
    """A time from the command line, or "now"."""
    return text if text == "now" else milliseconds(text)


def missed(text: str) -> tuple:
    """A commitment that was found overdue, and the clock then, from the command line."""
    commitment, _, clock = text.partition("=")
    if not entry.is_hex(commitment, 32):
        raise argparse.ArgumentTypeError(f"expected a commitment and a time, found {text[:100]!r}")
    return commitment, milliseconds(clock)


def _add_reader(command: argparse.ArgumentParser) -> None:
    """The key, the policy and the chains of a reader."""
    command.add_argument(
        "--key", required=True, metavar="VKEY", help="the log's verifier key, or a file that holds it"
    )
    command.add_argument("--policy", metavar="FILE", help="your witnesses, and how many are enough")
    command.add_argument(
        "--beacon-chain",
        action="append",
        default=[],
        metavar="FILE",
        help="a beacon's chain to know, next to quicknet; may be repeated",
    )


def _add_contributions(command: argparse.ArgumentParser) -> None:
    """What a reader says of contributions."""
    command.add_argument(
        "--client",
        action="append",
        default=[],
        metavar="FROM=SEED",
        help="what you brought, as you remember it",
    )
    command.add_argument(
        "--player",
        action="append",
        default=[],
        metavar="FROM=HEX",
        help="a player's public key, given by the player",
    )


def arguments() -> Parser:
    """The command line."""
    parser = Parser(
        prog="fairdeal.py", description="Replays fairdeal deals, checks receipts and judges logs."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    replay = commands.add_parser("replay", help="derive a deal from its seeds", allow_abbrev=False)
    replay.add_argument("--server-seed", required=True, metavar="HEX")
    replay.add_argument(
        "--client",
        action="append",
        required=True,
        metavar="FROM=SEED",
        help="once for each contribution; FROM should be a pseudonym, never an account's name",
    )
    replay.add_argument("--nonce", required=True, type=whole_number, metavar="N")
    replay.add_argument("--deck", metavar="D", help="default: standard-52")
    replay.add_argument(
        "--items", type=whole_number, metavar="N", help="items of a list, in the place of a deck"
    )
    replay.add_argument("--draw", type=whole_number, metavar="K", help="default: all")
    replay.add_argument("--method", default="shuffle", choices=["shuffle", "cycle"])
    replay.add_argument("--commitment", metavar="HEX", help="what the server seed must open")
    replay.add_argument("--sealed", action="store_true")
    replay.add_argument("--json", action="store_true")
    verify = commands.add_parser("verify", help="check receipts and openings", allow_abbrev=False)
    verify.add_argument("files", nargs="*", metavar="FILE")
    _add_reader(verify)
    verify.add_argument(
        "--mine",
        action="append",
        default=[],
        metavar="FILE",
        help="what you kept: what you brought, the lock's receipt, an opening or evidence",
    )
    _add_contributions(verify)
    verify.add_argument("--seat", metavar="FROM", help="whose cards an opening should show")
    verify.add_argument("--since", metavar="NOTE", help="a checkpoint that you saved")
    verify.add_argument(
        "--list", metavar="FILE", help="the list that was dealt from, to print its items"
    )
    verify.add_argument("--json", action="store_true")
    raffle = commands.add_parser("raffle", help="verify a raffle", allow_abbrev=False)
    raffle.add_argument("document", metavar="DOCUMENT")
    raffle.add_argument("list", metavar="LIST")
    _add_reader(raffle)
    raffle.add_argument(
        "--mine",
        action="append",
        default=[],
        metavar="FILE",
        help="what you kept: what you brought, or the raffle's document, if you had it 5 s before the draw",
    )
    _add_contributions(raffle)
    raffle.add_argument(
        "--signature", metavar="HEX-or-FILE", help="that of the beacon's round, or drand's answer"
    )
    entrant = raffle.add_mutually_exclusive_group()
    entrant.add_argument("--line", metavar="LINE", help="a line of the list, to look for")
    entrant.add_argument("--link", metavar="LINK", help="an entrant's link, whose line to look for")
    raffle.set_defaults(seat=None)
    judge = commands.add_parser("audit", help="judge a whole log", allow_abbrev=False)
    judge.add_argument("log", metavar="DIR-or-FILE", help="a ledger's folder, its public part, or an exported log")
    _add_reader(judge)
    judge.add_argument(
        "--as-of",
        type=time_or_now,
        metavar="T",
        help="when commitments are overdue, in Unix milliseconds, or now; default: the last entry's time",
    )
    judge.add_argument(
        "--clock",
        type=milliseconds,
        metavar="T",
        help="what the clock says, in Unix milliseconds; default: the system's",
    )
    judge.add_argument("--skip-signatures", action="store_true", help="do not check those of contributions")
    judge.add_argument("--skip-beacons", action="store_true", help="do not check signatures of beacons")
    judge.add_argument(
        "--since", action="append", default=[], metavar="NOTE", help="a checkpoint that you saved; may be repeated"
    )
    says = "a commitment that an earlier audit found overdue by your clock, and that clock"
    judge.add_argument(
        "--missed", action="append", default=[], type=missed, metavar="HEX=T", help=says
    )
    judge.add_argument("--json", action="store_true")
    foreign = commands.add_parser(
        "check", help="check rounds of other operators' schemes", allow_abbrev=False
    )
    foreign.add_argument("dialect", metavar="DIALECT", help=", ".join(dialects.DIALECTS))
    foreign.add_argument(
        "--file",
        required=True,
        metavar="ROWS",
        help="a JSON array, an object with rows, JSON lines or CSV",
    )
    foreign.add_argument("--json", action="store_true")
    for name, help_text in [
        ("vectors", "check a folder of vectors"),
        ("logs", "check a folder of logs and the verdicts expected of them"),
        ("attacks", "check a folder of attacks and what is found of each"),
        ("raffles", "check a folder of raffles and the verdicts expected of them"),
    ]:
        check = commands.add_parser(name, help=help_text)
        check.add_argument("dir", metavar="DIR")
    many = commands.add_parser("agree", help="judge many documents, one line of JSON for each")
    many.add_argument("cases", metavar="CASES", help="a file with one JSON object on each line")
    commands.add_parser("selftest", help="check this program against published vectors")
    return parser
