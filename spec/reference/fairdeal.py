#!/usr/bin/env python3
"""fairdeal's independent reference: replays deals, checks receipts, judges whole logs.

Written from spec/shuffle.md, spec/ledger.md, spec/receipt.md, spec/audit.md and
spec/dialects.md, with Python's standard library alone. It is slow, takes no care of secrets, and is meant for
checking other implementations and for reading.

    fairdeal.py replay --server-seed HEX --client FROM=SEED --nonce N [...]
    fairdeal.py verify FILE... --key VKEY [--list FILE] [--json]
    fairdeal.py audit DIR --key VKEY [--now T] [--since NOTE] [--json]
    fairdeal.py check DIALECT --file ROWS [--json]
    fairdeal.py vectors DIR
    fairdeal.py logs DIR
    fairdeal.py selftest

Exit codes: 0 it holds; 1 it was checked and does not hold; 2 wrong usage; 3 it
could not be read.
"""

import argparse
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True

import audit  # noqa: E402
import canonical  # noqa: E402
import deal  # noqa: E402
import dialects  # noqa: E402
import entry  # noqa: E402
import logfiles  # noqa: E402
import logs  # noqa: E402
import receipt  # noqa: E402
import rows  # noqa: E402
import selftest  # noqa: E402
import tlog  # noqa: E402
import vectors  # noqa: E402
from refused import Refused  # noqa: E402

HOLDS, DOES_NOT_HOLD, WRONG_USAGE, NOT_READ = 0, 1, 2, 3


class Stop(Exception):
    """Ends a command with an exit code and one line on stderr."""

    def __init__(self, code: int, says: str):
        super().__init__(says)
        self.code = code


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line."""

    def error(self, message: str):
        raise Stop(WRONG_USAGE, message)


def read_file(path: str) -> bytes:
    """A file's bytes, or those of stdin for `-`."""
    try:
        if path == "-":
            return sys.stdin.buffer.read()
        with open(path, "rb") as file:
            return file.read()
    except (OSError, ValueError) as error:
        raise Stop(
            NOT_READ, f"{path}: could not be read ({getattr(error, 'strerror', None) or error})"
        ) from None


def read_key(argument: str) -> tlog.VerifierKey:
    """A verifier key, given as its text or as a file that holds it."""
    if not os.path.exists(argument):
        try:
            return tlog.parse_key(argument)
        except Refused as refused:
            raise Stop(WRONG_USAGE, f"--key: {refused}, and there is no file of that name") from None
    try:
        return tlog.parse_key(read_file(argument).decode("utf-8").removesuffix("\n"))
    except (Refused, UnicodeDecodeError) as error:
        raise Stop(WRONG_USAGE, f"{argument}: expected a verifier key: {error}") from None


def read_hex(name: str, value: str, length: int) -> bytes:
    """Lowercase hexadecimal from the command line."""
    if not entry.is_hex(value, length):
        raise Stop(
            WRONG_USAGE, f"{name}: expected {2 * length} lowercase hexadecimal digits, found {value[:100]!r}"
        )
    return bytes.fromhex(value)


def say(text: str) -> None:
    """One line on stdout."""
    print(text)


def command_replay(args) -> int:
    """Derive a deal by hand (shuffle.md)."""
    seed = read_hex("--server-seed", args.server_seed, 32)
    clients = []
    for client in args.client:
        label, equals, text = client.partition("=")
        if not equals:
            raise Stop(WRONG_USAGE, f"--client: expected FROM=SEED, found {client!r}")
        clients.append(deal.Contribution(label, text))
    if args.items is not None and args.deck is not None:
        raise Stop(WRONG_USAGE, "--items and --deck: expected one of them, found both")
    try:
        cards = None if args.items is not None else deal.deck_cards(args.deck or "standard-52")
        items = args.items if cards is None else len(cards)
        inputs = deal.Inputs(seed, args.nonce, clients)
        dealt = deal.replay(inputs, args.method, items, items if args.draw is None else args.draw)
    except Refused as refused:
        raise Stop(WRONG_USAGE, str(refused)) from None
    commitment = deal.commitment_of(seed)
    if args.commitment is not None:
        claimed = read_hex("--commitment", args.commitment, 32)
        if claimed != commitment:
            hint = deal.confusions(seed, claimed)
            says = f"the seed's SHA-256 is {commitment.hex()}, not {claimed.hex()}" + (
                f", which is {hint}" if hint else ""
            )
            if args.json:
                say(
                    json.dumps(
                        {
                            "holds": False,
                            "findings": [{"code": "seed-mismatch", "says": says}],
                            "commitment": commitment.hex(),
                        }
                    )
                )
            else:
                say(f"seed-mismatch: {says}")
            return DOES_NOT_HOLD
    out = {"commitment": commitment.hex(), "key": deal.derive(deal.DEAL_TAG, inputs).hex()}
    if cards is None:
        out["indices"] = dealt.indices
    else:
        out["cards"] = "".join(cards[i] for i in dealt.indices)
    out.update(words=dealt.words, rejected=dealt.rejected)
    if args.sealed:
        seals = deal.seals(inputs, dealt.indices)
        out.update(
            seal=seals.seal.hex(),
            card_seals=[s.hex() for s in seals.card_seals],
            salts=[s.hex() for s in seals.salts],
        )
    if args.json:
        say(json.dumps(out))
        return HOLDS
    say(f"commitment  {out['commitment']}")
    say(
        "items       " + " ".join(map(str, dealt.indices))
        if cards is None
        else "cards       " + " ".join(cards[i] for i in dealt.indices)
    )
    if args.sealed:
        say(f"seal        {out['seal']}")
        for t, (card_seal, salt) in enumerate(zip(out["card_seals"], out["salts"])):
            say(f"card {t:<6} {card_seal} salt {salt}")
    say(f"{dealt.words} word{'' if dealt.words == 1 else 's'} drawn, {dealt.rejected or 'none'} rejected")
    return HOLDS


def item_names(verdict: receipt.Verdict, listed):
    """What to call a deck's items, or None where only numbers are known."""
    deck = verdict.commit["deck"] if verdict.commit else None
    return deal.DECKS[deck] if isinstance(deck, str) else listed


def read_list(path: str, verdicts: list) -> list:
    """A list's items, checked against the commits' decks (receipt.md 11.7)."""
    data = read_file(path)
    try:
        items = deal.parse_list(data)
    except Refused as refused:
        raise Stop(WRONG_USAGE, f"{path}: {refused}") from None
    found = {"count": len(items), "sha256": deal.sha256(data).hex()}
    decks = [v.commit["deck"] for v in verdicts if v.commit and isinstance(v.commit["deck"], dict)]
    for deck in decks:
        if deck != found:
            raise Stop(
                WRONG_USAGE,
                f"{path}: expected the list {canonical.text_of(deck)}, found {canonical.text_of(found)}",
            )
    return items


def print_verdict(path: str, verdict: receipt.Verdict, listed) -> None:
    """A verdict for people."""
    say(f"{path}: {'does not hold' if verdict.findings else 'holds'}")
    for f in verdict.findings:
        say(f"  finding     {f.code}{'' if f.index is None else f' at entry {f.index}'}: {f.says}")
    out = verdict.to_json()
    say(f"  shown       {', '.join(out['shown']) or 'nothing'}")
    say(f"  not shown   {', '.join(out['not_shown'])}")
    if verdict.committed_first:
        say(f"  chosen after the commitment by {', '.join(map(repr, verdict.committed_first))}")
    if verdict.commitment is not None:
        say(
            f"  commitment  {verdict.commitment}"
            + ("" if verdict.nonce is None else f", round {verdict.nonce}")
        )
    names = item_names(verdict, listed)
    for form, value in verdict.result.items():
        if form == "cards":
            value = " ".join(value[i : i + 2] for i in range(0, len(value), 2))
        elif form == "indices":
            value = " ".join(names[i] if names and i < len(names) else str(i) for i in value)
        say(f"  {form:<11} {value}")
    for t, item in verdict.opened:
        say(f"  card {t:<6} {names[item] if names else item}")


def command_verify(args) -> int:
    """Check receipts and openings (receipt.md)."""
    key = read_key(args.key)
    verdicts = []
    for path in args.files:
        try:
            verdicts.append(receipt.verify(read_file(path), key))
        except canonical.NotJson as error:
            raise Stop(NOT_READ, f"{path}: expected a receipt or an opening in JSON: {error}") from None
    listed = read_list(args.list, verdicts) if args.list is not None else None
    among = receipt.contradictions(verdicts)
    holds = not among and not any(v.findings for v in verdicts)
    if args.json and len(verdicts) == 1:
        say(json.dumps(verdicts[0].to_json()))
    elif args.json:
        say(
            json.dumps(
                {
                    "holds": holds,
                    "receipts": [{"file": p, **v.to_json()} for p, v in zip(args.files, verdicts)],
                    "findings": [receipt.finding_json(f) for f in among],
                }
            )
        )
    else:
        for path, verdict in zip(args.files, verdicts):
            print_verdict(path, verdict, listed)
        for f in among:
            say(f"{f.code}: {f.says}")
    return HOLDS if holds else DOES_NOT_HOLD


def command_audit(args) -> int:
    """Judge a whole log (audit.md)."""
    key = read_key(args.key)
    since = [(path, read_file(path)) for path in args.since]
    try:
        verdict = audit.audit(*logfiles.read_log(args.log), key, args.now, since)
    except logfiles.NotKnown as error:
        raise Stop(NOT_READ, str(error)) from None
    if args.json:
        say(verdict.text())
    else:
        print_audit(args.log, verdict.to_json)
    return HOLDS if verdict.holds else DOES_NOT_HOLD


def print_audit(log: str, verdict: dict) -> None:
    """An audit's verdict for people."""
    say(f"{log}: {'holds' if verdict['holds'] else 'does not hold'}")
    for f in verdict["findings"]:
        say(f"  finding     {f['code']}{'' if f['index'] is None else ' at entry ' + str(f['index'])}: {f['says']}")
    for name, value in verdict.items():
        if not isinstance(value, (bool, list, dict)):
            say(f"  {name:<11} {value}")
    for name, value in verdict["reported"].items():
        say(f"  reported    {name} {json.dumps(value)}")


def command_check(args) -> int:
    """Check rounds of other operators' schemes (dialects.md)."""
    if args.dialect not in dialects.DIALECTS:
        raise Stop(
            WRONG_USAGE, f"DIALECT: expected one of {', '.join(dialects.DIALECTS)}, found {args.dialect[:100]!r}"
        )
    try:
        found = dialects.check(args.dialect, read_file(args.file))
    except rows.NotRead as error:
        raise Stop(NOT_READ, f"{args.file}: {error}") from None
    if args.json:
        say(json.dumps(found))
    else:
        for row in found["rows"]:
            say(f"row {row['row']}: {row['verdict']}: {row['says']}")
        say(f"{found['valid']} valid, {found['invalid']} not")
    return DOES_NOT_HOLD if found["invalid"] else HOLDS


def folder(path: str, of: str) -> str:
    """A folder from the command line."""
    if not os.path.isdir(path):
        found = "a file" if os.path.exists(path) else "nothing"
        raise Stop(NOT_READ, f"{path}: expected a folder of {of}, found {found}")
    return path


def command_vectors(args) -> int:
    """Check a folder of vectors."""
    return HOLDS if vectors.run(folder(args.dir, "vectors"), say) else DOES_NOT_HOLD


def command_logs(args) -> int:
    """Check a folder of logs and the verdicts expected of them."""
    return HOLDS if logs.run(folder(args.dir, "logs"), say) else DOES_NOT_HOLD


def command_selftest(args) -> int:
    """Check this reference against published vectors."""
    return HOLDS if selftest.run(say) else DOES_NOT_HOLD


def whole_number(text: str) -> int:
    """A number from the command line, in digits alone."""
    if not (text.isascii() and text.isdigit() and len(text) <= 20):
        raise argparse.ArgumentTypeError(f"expected a number in digits, found {text[:40]!r}")
    return int(text)


def arguments() -> Parser:
    """The command line."""
    parser = Parser(prog="fairdeal.py", description="Replays fairdeal deals, checks receipts and judges logs.")
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
    replay.set_defaults(run=command_replay)
    verify = commands.add_parser("verify", help="check receipts and openings", allow_abbrev=False)
    verify.add_argument("files", nargs="+", metavar="FILE")
    verify.add_argument(
        "--key", required=True, metavar="VKEY", help="the log's verifier key, or a file that holds it"
    )
    verify.add_argument("--list", metavar="FILE", help="the list that was dealt from, to print its items")
    verify.add_argument("--json", action="store_true")
    verify.set_defaults(run=command_verify)
    judge = commands.add_parser("audit", help="judge a whole log", allow_abbrev=False)
    judge.add_argument("log", metavar="DIR", help="a ledger's folder, or its public part")
    judge.add_argument(
        "--key", required=True, metavar="VKEY", help="the log's verifier key, or a file that holds it"
    )
    judge.add_argument(
        "--now", type=whole_number, metavar="T", help="when, in Unix milliseconds; default: the last entry's time"
    )
    judge.add_argument(
        "--since", action="append", default=[], metavar="NOTE", help="a checkpoint that you saved; may be repeated"
    )
    judge.add_argument("--json", action="store_true")
    judge.set_defaults(run=command_audit)
    foreign = commands.add_parser("check", help="check rounds of other operators' schemes", allow_abbrev=False)
    foreign.add_argument("dialect", metavar="DIALECT", help=", ".join(dialects.DIALECTS))
    foreign.add_argument(
        "--file", required=True, metavar="ROWS", help="a JSON array, an object with rows, JSON lines or CSV"
    )
    foreign.add_argument("--json", action="store_true")
    foreign.set_defaults(run=command_check)
    for name, run, help_text in [
        ("vectors", command_vectors, "check a folder of vectors"),
        ("logs", command_logs, "check a folder of logs and the verdicts expected of them"),
    ]:
        check = commands.add_parser(name, help=help_text)
        check.add_argument("dir", metavar="DIR")
        check.set_defaults(run=run)
    commands.add_parser("selftest", help="check this program against published vectors").set_defaults(
        run=command_selftest
    )
    return parser


def main() -> int:
    """Run a command; whatever happens, the user sees one line and an exit code."""
    try:
        for stream in (sys.stdout, sys.stderr):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
        args = arguments().parse_args()
        code = args.run(args)
        sys.stdout.flush()
        return code
    except Stop as stop:
        says, code = str(stop), stop.code
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return NOT_READ
    except KeyboardInterrupt:
        says, code = "interrupted", NOT_READ
    except Exception as error:  # a fault of this program; the user is still told in one line
        says, code = f"this reference failed: {type(error).__name__}: {error}", NOT_READ
    print("error: " + " ".join(says.split()), file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
