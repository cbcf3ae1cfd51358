"""Vectors of raffle.md: raffle.json, of four kinds, and the folders of fixtures/raffles."""

import os
from typing import Optional

import beacon
import brought
import canonical
import deal
import documentvectors
import entrants
import logs
import raffle
import tlog
from beaconvectors import NotChecked
from brought import Reader
from documentvectors import expect, take
from logs import Shape
from raffle import Unread
from refused import Refused

READER = frozenset({"policy", "mine", "kept", "chains", "beacon", "line", "link"})


def raffle_vector(vector: dict) -> list:
    """An address, a link, the winners of a list, or a document."""
    kinds = {"entrant": _entrant, "link": _link, "winners": _winners, "document": _document}
    return kinds[vector["kind"]](vector)


raffle_vector.__name__ = "raffle"  # vectors.py names the file after the function


def _bare(vector: dict) -> dict:
    """A vector that needs no name, with one."""
    return {"name": None, **vector}


def _entrant(vector: dict) -> list:
    """The form, the salt, the line and the link of an address."""
    take(_bare(vector), {"kind", "secret", "address", "page"}, {"form", "salt", "line", "link"})
    form = entrants.address_of(vector["address"])
    salt = entrants.salt_of(bytes.fromhex(vector["secret"]), form)
    link = entrants.link_of(vector["page"], salt, form)
    line = entrants.line_of(salt, form)
    return expect(vector, {"form": form, "salt": salt.hex(), "line": line, "link": link})


def _link(vector: dict) -> list:
    """What an entrant's link says."""
    take(_bare(vector), {"kind", "link"}, {"form", "salt", "line"})
    salt, form = entrants.parse_link(vector["link"])
    found = {"form": form, "salt": salt.hex(), "line": entrants.line_of(salt, form)}
    return expect(vector, found)


def _winners(vector: dict) -> list:
    """The draw of a list and its winners, of a lock without contributions."""
    of = {"list"} if "list" in vector else {"numbers", "modulo"}
    inputs, outputs = {"kind", "winners", *of}, {"different", "draw", "items"}
    given = {"server_seed", "signature"}
    take(_bare(vector), inputs, outputs | given, frozenset(given))
    if "list" in vector:
        text = vector["list"]
    else:
        text = "".join(f"{n % vector['modulo']}\n" for n in range(vector["numbers"]))
    lines, winners = raffle.parse_list(text.encode("utf-8")), vector["winners"]
    raffle.require_different(lines, winners)
    seed, signature = (bytes.fromhex(vector[name]) for name in ("server_seed", "signature"))
    items = raffle.winners_of(lines, deal.Inputs(seed, 0, [], deal.sha256(signature)), winners)
    draw = raffle.draw_of(lines, winners)
    return expect(vector, {"different": lines.different, "draw": draw, "items": items})


def _optional(vector: dict, name: str, of) -> Optional[object]:
    return of(vector[name]) if name in vector else None


def _read(vector: dict) -> tuple:
    """The arguments of raffle.verify, in the order in which a fault of them counts (39)."""
    key = tlog.parse_key(vector["key"])
    lines = raffle.parse_list(vector["list"].encode("utf-8"))
    texts = [canonical.text_of(value).encode("utf-8") for value in vector.get("chains", [])]
    chains = beacon.with_further([beacon.parse(text) for text in texts])
    told = _optional(vector, "beacon", str.encode)
    signature = None if told is None else raffle.parse_signature(told)
    if "line" in vector and "link" in vector:
        raise Shape("has both line and link")
    line = vector.get("line", _optional(vector, "link", entrants.line_of_link))
    mine = tuple(brought.check(own) for own in vector.get("mine", []))
    kept = tuple(raffle.parse_kept(text.encode("utf-8")) for text in vector.get("kept", []))
    document = raffle.parse(vector["file"].encode("utf-8"))
    reader = Reader(mine, policy=documentvectors.policy(vector, key), chains=chains)
    return document, lines, key, reader, raffle.Inputs(kept, signature, line)


def verdict_of(vector: dict) -> tuple:
    """The exit code, the verdict, and why there is none."""
    try:
        inputs = _read(vector)
        if not beacon.is_available():
            raise NotChecked
        found = raffle.verify(*inputs)
    except Refused as refused:
        return 2, {}, str(refused)
    except Unread as error:
        return 3, {}, str(error)
    code = 3 if found.is_not_compared() else 0 if found.holds() else 1
    return code, found.to_json(), None


def _document(vector: dict) -> list:
    """What a command says of a document and a list."""
    take(vector, {"kind", "file", "list", "key", "exit"}, set(), READER | {"verdict"})
    code, verdict, says = verdict_of(vector)
    wrong = [] if code == vector["exit"] else [f"expected exit {vector['exit']}, found {code}"]
    wrong += logs.differences(vector.get("verdict", {}), verdict)
    return wrong + ([f"it says: {says or verdict['findings']}"] if wrong else [])


def check_folder(folder: str) -> list:
    """The faults of one folder of fixtures/raffles."""
    case = logs.read_case(folder)
    vector = {name: value for name, value in case.items() if name != "about"}
    files = {"file": "document.json", "list": "list.txt", "key": "log.key", "policy": "policy"}
    for name, file in files.items():
        if name != "policy" or os.path.exists(os.path.join(folder, file)):
            vector[name] = logs.bytes_of(folder, file).decode("utf-8")
    vector["key"] = vector["key"].removesuffix("\n")
    return _document({"kind": "document", "name": case["about"], **vector})


def run(folder: str, say) -> bool:
    """Check every folder of fixtures/raffles; prints each failure and the count."""
    if not beacon.is_available():
        say("not checked: raffles, without the library py_ecc")
        return True
    return logs.run(folder, say, check_folder)
