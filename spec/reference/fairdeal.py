#!/usr/bin/env python3
"""fairdeal's independent reference: replays deals, checks receipts, judges whole logs.

Written from spec/shuffle.md, spec/ledger.md, spec/receipt.md, spec/audit.md, spec/witness.md,
spec/beacon.md, spec/raffle.md and spec/dialects.md, with only Python's standard library, and for signatures of
beacons py_ecc. It is slow and does not protect secrets. It is for checking other implementations,
and for reading.

    fairdeal.py replay --server-seed HEX --client FROM=SEED --nonce N [...]
    fairdeal.py verify FILE... --key VKEY [--policy FILE] [--beacon-chain FILE]... [--mine FILE]...
                       [--client FROM=SEED]... [--player FROM=HEX]... [--seat FROM] [--since NOTE]
                       [--list FILE] [--json]
    fairdeal.py raffle DOCUMENT LIST --key VKEY [--policy FILE] [--beacon-chain FILE]...
                       [--mine FILE]... [--client FROM=SEED]... [--player FROM=HEX]...
                       [--signature HEX-or-FILE] [--line LINE | --link LINK]
    fairdeal.py audit DIR-or-FILE --key VKEY [--policy FILE] [--beacon-chain FILE]...
                      [--as-of T|now] [--clock T] [--skip-signatures] [--skip-beacons]
                      [--since NOTE]... [--missed HEX=T]... [--json]
    fairdeal.py check DIALECT --file ROWS [--json]
    fairdeal.py vectors DIR
    fairdeal.py logs DIR
    fairdeal.py attacks DIR
    fairdeal.py raffles DIR
    fairdeal.py agree CASES
    fairdeal.py selftest

Exit codes: 0 the data holds; 1 the data was checked and does not hold; 2 wrong usage;
3 the data could not be read.
"""

import json
import os
import re
import sys
import time
from typing import Optional

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True

import agree  # noqa: E402
import attacks  # noqa: E402
import audit  # noqa: E402
import beacon  # noqa: E402
import brought  # noqa: E402
import canonical  # noqa: E402
import commandline  # noqa: E402
import deal  # noqa: E402
import dialects  # noqa: E402
import ed25519  # noqa: E402
import entrants  # noqa: E402
import entry  # noqa: E402
import logfiles  # noqa: E402
import logs  # noqa: E402
import policy as policies  # noqa: E402
import printed  # noqa: E402
import raffle  # noqa: E402
import rafflevectors  # noqa: E402
import rows  # noqa: E402
import selftest  # noqa: E402
import several  # noqa: E402
import tlog  # noqa: E402
import vectors  # noqa: E402
from commandline import DOES_NOT_HOLD, HOLDS, NOT_READ, WRONG_USAGE  # noqa: E402
from printed import say  # noqa: E402
from refused import Refused, Stop  # noqa: E402


def read_file(path: str) -> bytes:
    """A file's bytes, or those of stdin for `-`."""
    if not path:
        raise Stop(WRONG_USAGE, "expected the name of a file, found an empty one")
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
    """A verifier key, given as its text or as a file that holds it (receipt.md 11.9)."""
    try:
        return tlog.parse_key(argument)
    except Refused as refused:
        if argument != "-" and not os.path.exists(argument) and (not argument or "+" in argument):
            raise Stop(WRONG_USAGE, f"--key: {refused}, and there is no file of that name") from None
    data = read_file(argument)
    try:
        text = data.decode("utf-8").removeprefix("\ufeff")
        line = text.removesuffix("\n").removesuffix("\r") if text.endswith("\n") else text
        return tlog.parse_key(line)
    except (Refused, UnicodeDecodeError) as error:
        raise Stop(WRONG_USAGE, f"{argument}: expected a verifier key: {error}") from None


def read_policy(path: Optional[str], key: tlog.VerifierKey) -> Optional[policies.Policy]:
    """The reader's policy, if one is given (receipt.md 11.9)."""
    if path is None:
        return None
    try:
        return policies.of_log(read_file(path), key)
    except Refused as refused:
        raise Stop(WRONG_USAGE, f"{path}: expected a policy for this log: {refused}") from None


def read_chains(paths: list) -> dict:
    """The chains that the reader knows, by their hashes (beacon.md 30)."""
    further = []
    for path in paths:
        try:
            further.append(beacon.parse(read_file(path)))
            beacon.with_further(further)
        except Refused as refused:
            raise Stop(WRONG_USAGE, f"{path}: expected a beacon's chain: {refused}") from None
    return beacon.with_further(further)


def read_hex(name: str, value: str, length: int) -> bytes:
    """Lowercase hexadecimal from the command line."""
    if not entry.is_hex(value, length):
        raise Stop(
            WRONG_USAGE, f"{name}: expected {2 * length} lowercase hexadecimal digits, found {value[:100]!r}"
        )
    return bytes.fromhex(value)


def say_json(value) -> None:
    """A verdict as JSON on stdout. Characters that change the direction of text are escaped."""
    text = value if isinstance(value, str) else json.dumps(value)
    print(re.sub("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]", lambda c: f"\\u{ord(c[0]):04x}", text))


def read_label(name: str, label: str) -> str:
    """A label from the command line."""
    try:
        entry.FROM(label, name)
    except Refused as refused:
        raise Stop(WRONG_USAGE, str(refused)) from None
    return label


def pairs(arguments: list, name: str, of: str) -> list:
    """(FROM, its value) from the command line. A label may hold "=", and so may a seed."""
    found = []
    for argument in arguments:
        label, equals, text = argument.rpartition("=") if of == "HEX" else argument.partition("=")
        if not equals:
            raise Stop(WRONG_USAGE, f"{name}: expected FROM={of}, found {argument!r}")
        found.append((read_label(name, label), text))
    return found


def command_replay(args) -> int:
    """Derive a deal by hand (shuffle.md)."""
    seed = read_hex("--server-seed", args.server_seed, 32)
    clients = [deal.Contribution(*pair) for pair in pairs(args.client, "--client", "SEED")]
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
                found = [{"code": "seed-mismatch", "says": says}]
                say_json({"holds": False, "findings": found, "commitment": commitment.hex()})
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
        say_json(out)
        return HOLDS
    printed.replayed(out, cards, dealt.indices)
    return HOLDS


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


def read_reader(args, formats: tuple, expected: str) -> tuple:
    """The reader's contributions, players' keys and seat, and the kept files (receipt.md 11.8).

    `formats` are those of the files that may be kept.
    """
    mine, kept, players = [], [], {}
    for path in args.mine:
        data = read_file(path)
        try:
            value = canonical.read(data)
            if isinstance(value, dict) and value.get("format") in formats:
                kept.append(several.Given(path, data, is_kept=True))
            else:
                mine.append(brought.check(value))
        except (canonical.NotJson, Refused) as error:
            raise Stop(
                WRONG_USAGE, f"{path}: expected a contribution{expected}: {error}"
            ) from None
    for label, seed in pairs(args.client, "--client", "SEED"):
        try:
            mine.append(brought.check({"from": label, "seed": seed}))
        except Refused as refused:
            raise Stop(WRONG_USAGE, f"--client: {refused}") from None
    for label, key in pairs(args.player, "--player", "HEX"):
        public = read_hex("--player", key, 32)
        if not ed25519.is_public_key(public):
            raise Stop(WRONG_USAGE, f"--player: the key of {label!r} is no point of large order")
        if players.setdefault(label, public.hex()) != key:
            raise Stop(WRONG_USAGE, f"--player: two keys for {label!r}")
    seat = None if args.seat is None else read_label("--seat", args.seat)
    return brought.Reader(tuple(mine), players, seat), kept


def command_verify(args) -> int:
    """Check receipts and openings (receipt.md)."""
    named = (*args.files, *args.mine, args.key, args.policy, args.since, args.list)
    if "" in (*named, *args.beacon_chain):
        raise Stop(WRONG_USAGE, "expected the name of a file, found an empty one")
    key = read_key(args.key)
    policy, chains = read_policy(args.policy, key), read_chains(args.beacon_chain)
    reader, kept = read_reader(args, several.FORMATS, ", a receipt, an opening or evidence")
    reader = reader._replace(policy=policy, chains=chains)
    since = None if args.since is None else read_file(args.since)
    files = []
    for path in args.files:
        try:
            files.append(several.Given(path, read_file(path)))
        except Stop as stop:
            if stop.code != NOT_READ:
                raise
            files.append(several.Given(path, several.Unread(str(stop))))
    if not files + kept:
        raise Stop(WRONG_USAGE, "FILE: expected a receipt, an opening or evidence, found none")
    not_joined = None
    try:
        found = several.verify(files + kept, key, reader, since)
    except several.NotJoined as error:
        found, not_joined = error.found, str(error)
    except (several.Unread, logfiles.NotKnown) as error:
        raise Stop(NOT_READ, str(error)) from None
    except Refused as refused:
        raise Stop(WRONG_USAGE, f"--{refused.code}: {refused}") from None
    listed = read_list(args.list, found.read()) if args.list is not None else None
    if args.json:
        say_json(found.to_json())
    else:
        printed.verdict_of_files(found, listed)
    for unread in found.verdicts:
        if isinstance(unread, several.Unread):
            print(f"error: {printed.escaped(str(unread))}", file=sys.stderr)
    if not_joined is not None:
        print(f"error: {printed.escaped(not_joined)}", file=sys.stderr)
        return NOT_READ
    return logs.exit_of(found.to_json())


def read_raffle(args) -> tuple:
    """The inputs of a raffle, in the order in which a fault of them counts (raffle.md 39)."""
    if "" in (args.document, args.list, args.key, args.policy, *args.mine, *args.beacon_chain):
        raise Stop(WRONG_USAGE, "expected the name of a file, found an empty one")
    key, data = read_key(args.key), read_file(args.list)
    path, signature, line = args.list, None, None
    try:
        lines = raffle.parse_list(data)
        chains = read_chains(args.beacon_chain)
        if args.signature is not None:
            path, is_text = "--signature", entry.is_hex(args.signature, 48)
            told = args.signature.encode() if is_text else read_file(args.signature)
            signature = raffle.parse_signature(told)
        path = "--line" if args.link is None else "--link"
        if args.line is not None:
            line = raffle.check_line(args.line)
        elif args.link is not None:
            line = entrants.line_of_link(args.link)
        reader, files = read_reader(args, (raffle.FORMAT,), " or a raffle's document")
        kept = []
        for file in files:
            path = file.name
            kept.append(raffle.parse_kept(file.content))
        path = args.document
        document = raffle.parse(read_file(path))
    except Refused as refused:
        raise Stop(WRONG_USAGE, f"{path}: {refused}") from None
    except raffle.Unread as error:
        raise Stop(NOT_READ, f"{path}: {error}") from None
    reader = reader._replace(policy=read_policy(args.policy, key), chains=chains)
    return document, lines, key, reader, raffle.Inputs(tuple(kept), signature, line)


def command_raffle(args) -> int:
    """Verify a raffle (raffle.md)."""
    inputs = read_raffle(args)
    try:
        found = raffle.verify(*inputs)
    except Refused as refused:
        path = args.list if refused.code == "list-mismatch" else "--signature"
        raise Stop(WRONG_USAGE, f"{path}: {refused}") from None
    except raffle.Unread as error:
        raise Stop(NOT_READ, f"{args.document}: {error}") from None
    say_json(found.to_json())
    if found.is_not_compared():
        print("error: every contribution is of another round or log", file=sys.stderr)
        return NOT_READ
    return HOLDS if found.holds() else DOES_NOT_HOLD


def command_audit(args) -> int:
    """Judge a whole log (audit.md)."""
    key, clock = read_key(args.key), int(time.time() * 1000) if args.clock is None else args.clock
    policy, chains = read_policy(args.policy, key), read_chains(args.beacon_chain)
    given = audit.Inputs(
        clock if args.as_of == "now" else args.as_of,
        clock,
        args.skip_signatures,
        tuple((path, read_file(path)) for path in args.since),
        tuple(args.missed),
        policy,
        {} if args.skip_beacons else chains,
    )
    if not args.log:
        raise Stop(WRONG_USAGE, "expected a log, found an empty name")
    try:
        verdict = audit.audit(logfiles.read_log(args.log), key, given)
    except logfiles.NotKnown as error:
        raise Stop(NOT_READ, str(error)) from None
    if args.json:
        say_json(verdict.text())
    else:
        printed.verdict_of_log(args.log, verdict.to_json, verdict.saved)
    return HOLDS if verdict.holds else DOES_NOT_HOLD


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
        say_json(found)
    else:
        for row in found["rows"]:
            say(f"row {row['row']}: {row['verdict']}: {row['says']}")
        say(f"{found['valid']} valid, {found['invalid']} not")
    if all(row["verdict"] == "unreadable" for row in found["rows"]):
        raise Stop(NOT_READ, f"{args.file}: expected rows that can be read, found none")
    return DOES_NOT_HOLD if found["invalid"] else HOLDS


def folder(path: str, of: str) -> str:
    """A folder from the command line."""
    if not os.path.isdir(path):
        found = "a file" if os.path.exists(path) else "nothing"
        raise Stop(NOT_READ, f"{path}: expected a folder of {of}, found {found}")
    return path


def command_fixtures(args) -> int:
    """Check a folder of vectors, logs, attacks or raffles against their expected verdicts."""
    of = {"vectors": vectors, "logs": logs, "attacks": attacks, "raffles": rafflevectors}
    of = of[args.command]
    return HOLDS if of.run(folder(args.dir, args.command), say) else DOES_NOT_HOLD


def command_agree(args) -> int:
    """Judge many documents, one line of JSON for each."""
    agree.run(read_file(args.cases), print)
    return HOLDS


def command_selftest(args) -> int:
    """Check this reference against published vectors."""
    return HOLDS if selftest.run(say) else DOES_NOT_HOLD


COMMANDS = {
    "replay": command_replay,
    "verify": command_verify,
    "raffle": command_raffle,
    "audit": command_audit,
    "check": command_check,
    "vectors": command_fixtures,
    "logs": command_fixtures,
    "attacks": command_fixtures,
    "raffles": command_fixtures,
    "agree": command_agree,
    "selftest": command_selftest,
}


def main() -> int:
    """Run a command; any failure gives one line and an exit code."""
    try:
        for stream in (sys.stdout, sys.stderr):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
        args = commandline.arguments().parse_args()
        code = COMMANDS[args.command](args)
        sys.stdout.flush()
        return code
    except Stop as stop:
        says, code = str(stop), stop.code
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return NOT_READ
    except KeyboardInterrupt:
        says, code = "interrupted", NOT_READ
    except Exception as error:  # a fault of this program; the user still gets one line
        says, code = f"this reference failed: {type(error).__name__}: {error}", NOT_READ
    print("error: " + printed.escaped(" ".join(says.split())), file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
