"""Verdicts for people. Labels, tables and reasons are text from outside, so they are escaped."""

import json
import unicodedata
from datetime import datetime, timezone
from typing import Optional

import deal
import receipt
import results
import several

# These have no width, although their categories are those of letters and marks.
NO_WIDTH = {
    0x34F,
    0x115F,
    0x1160,
    0x17B4,
    0x17B5,
    0x3164,
    0xFFA0,
    *range(0x180B, 0x1810),
    *range(0xFE00, 0xFE10),
}
NO_WIDTH |= {*range(0xE0100, 0xE01F0)}


def escaped(text: str) -> str:
    """Text with its control, direction-changing and zero-width characters escaped."""

    def shown(c: str) -> str:
        hidden = unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") or ord(c) in NO_WIDTH
        return f"\\u{{{ord(c):04x}}}" if hidden else c

    return "".join(map(shown, text))


def say(text: str) -> None:
    """One line on stdout."""
    print(escaped(text))


def _at(index) -> str:
    return "" if index is None else f" at entry {index}"


def item_names(verdict: receipt.Verdict, listed):
    """The names of a deck's items, or None if only numbers are known."""
    deck = verdict.commit["deck"] if verdict.commit else None
    return deal.DECKS[deck] if isinstance(deck, str) else listed


def _contribution(c: dict) -> str:
    parts = [f"seed {c['seed']!r}" if "seed" in c else "hashed, and not opened"]
    if "hash" in c and "seed" in c:
        parts.append("hashed before")
    if "seen" in c:
        parts.append(f"saw {c['seen']['size']} entries")
    if "key" in c:
        parts.append(f"under key {c['key']}")
    if c["committed_first"]:
        parts.append("by somebody who knew the commitment")
    return f"{c['from']!r}: {', '.join(parts)}"


def _place(p: dict) -> str:
    if "seat" in p:
        return f"card {p['card']} of {p['seat']!r}"
    if "street" in p:
        return f"of street {p['street']}"
    return "nobody's" if "nobody" in p else f"burnt before street {p['burnt']}"


IN_WORDS = {
    "caught": "Caught",
    "fair": "Fair, and your seed was in it",
    "by-beacon": "Fair: a beacon decided that nobody could know",
    "unproved": "The cards follow from the seeds, but nothing here shows that the operator did not"
    " choose them",
    None: "Nothing is known",
}


def _told(findings: list) -> str:
    return "; ".join(f"{f.code}{_at(f.index)}: {f.says}" for f in findings)


def _missing(verdict: receipt.Verdict) -> str:
    """Why there is no state: what is missing."""
    if verdict.findings:
        return _told(verdict.findings)
    if "judged" in verdict.not_shown:
        return "the commitment is of another protocol"
    if not verdict.result:
        return "the file shows no deal"
    if "beacon" in verdict.not_shown:
        return "nobody checked the beacon's signature"
    return "the server seed is not revealed yet"


def in_words(verdict: receipt.Verdict) -> str:
    """The state of a file, as section 11.4 words it."""
    state = verdict.state()
    if state == "fair" and "yours" not in verdict.shown:
        return IN_WORDS["by-beacon"]
    if state == "caught":
        return f"{IN_WORDS[state]}: {_told(verdict.caught())}"
    return f"{IN_WORDS[state]}: {_missing(verdict)}" if state is None else IN_WORDS[state]


def _witnessed(verdict: receipt.Verdict) -> None:
    """Which witnesses had seen the round's entries (receipt.md 11.11)."""
    for kind, of in verdict.witnessed.items():
        names = ", ".join(map(repr, of["witnesses"]))
        by = f" by {_moment(of['by'])}" if "by" in of else ""
        many = f"{len(of['witnesses'])} of your {len(verdict.policy.witnesses())} witnesses"
        say(f"  witnessed   {many} had seen the {kind}{by}: {names}")
    if verdict.before_beacon is not None:
        say(f"  witnessed   locked {verdict.before_beacon} s before the beacon was out")


def _moment(second: int) -> str:
    return datetime.fromtimestamp(second, timezone.utc).strftime("%Y-%m-%d %H:%M:%S UTC")


def verdict_of_file(path: str, verdict: receipt.Verdict, listed) -> None:
    """A verdict on one receipt or opening."""
    say(f"{path}: {in_words(verdict)}")
    say(f"  {'does not hold' if verdict.findings else 'holds'}")
    for f in verdict.findings:
        say(f"  finding     {f.code}{_at(f.index)}: {f.says}")
    out = verdict.to_json()
    say(f"  shown       {', '.join(out['shown']) or 'nothing'}")
    say(f"  not shown   {', '.join(out['not_shown'])}")
    if verdict.commitment is not None:
        say(
            f"  commitment  {verdict.commitment}"
            + ("" if verdict.nonce is None else f", round {verdict.nonce}")
        )
    for c in verdict.contributions:
        say(f"  brought by  {_contribution(c)}")
    for label, says in verdict.outcomes:
        say(f"  yours       {label!r}: {says}")
    names = item_names(verdict, listed)
    for form, value in verdict.result.items():
        if form == "cards":
            value = " ".join(results.cards_of(value))
        elif form == "indices":
            value = " ".join(names[i] if names and i < len(names) else str(i) for i in value)
        say(f"  {form:<11} {value}")
    for t, item in verdict.opened:
        say(f"  card {t:<6} {names[item] if names else item}")
    for p in verdict.placed or []:
        say(f"  place {p['t']:<5} {_place(p)}")
    _witnessed(verdict)


def replayed(out: dict, cards: Optional[list], indices: list) -> None:
    """A deal that was derived by hand."""
    say(f"commitment  {out['commitment']}")
    if cards is None:
        say("items       " + " ".join(map(str, indices)))
    else:
        say("cards       " + " ".join(cards[i] for i in indices))
    if "seal" in out:
        say(f"seal        {out['seal']}")
        for t, (card_seal, salt) in enumerate(zip(out["card_seals"], out["salts"])):
            say(f"card {t:<6} {card_seal} salt {salt}")
    words, rejected = out["words"], out["rejected"] or "none"
    say(f"{words} word{'' if words == 1 else 's'} drawn, {rejected} rejected")


def verdict_of_files(found: several.Together, listed) -> None:
    """The verdicts on the files of a command, and the findings among them."""
    if len(found.verdicts) > 1:
        state, fair = found.state(), [v for v in found.read() if v.state() == "fair"]
        if state == "fair" and not all("yours" in v.shown for v in fair):
            state = "by-beacon"
        say(f"all files: {IN_WORDS[state]}")
    for name, verdict in zip(found.names, found.verdicts):
        if isinstance(verdict, receipt.Verdict):
            verdict_of_file(name, verdict, listed)
    for f in found.findings:
        say(f"together: {_told([f])}")


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def first_sentence(out: dict) -> str:
    """Whether a log holds, and the parts that were not judged (audit.md 13.3)."""
    passed, names = [], out["unverified"]
    if names["beacons"]:
        passed.append(
            _count(names["beacons"], "deal has", "deals have")
            + " a beacon whose signature nobody checked"
        )
    if names["commitments"]:
        passed.append(
            _count(names["commitments"], "commitment is", "commitments are")
            + " of another protocol and not judged"
        )
    if names["signatures"]:
        passed.append(
            _count(names["signatures"], "signature", "signatures")
            + " of contributions not checked, as asked"
        )
    return ("holds" if out["holds"] else "does not hold") + (
        "; but " + "; ".join(passed) if passed else ""
    )


def verdict_of_log(log: str, out: dict, saved: list) -> None:
    """An audit's verdict."""
    say(f"{log}: {first_sentence(out)}")
    for f in out["findings"]:
        say(f"  finding     {f['code']}{_at(f['index'])}: {f['says']}")
    if out["clock"] is not None and out["last_time"] is not None:
        say(f"  the last entry is {out['clock'] - out['last_time']} ms before your clock")
    for size in saved:
        say(f"  a saved view of {_count(size, 'entry', 'entries')} is part of this log")
    for name, value in out.items():
        if not isinstance(value, (bool, list, dict)):
            say(f"  {name:<11} {'not given' if value is None else value}")
    for name, value in out["reported"].items():
        say(f"  reported    {name} {json.dumps(value, ensure_ascii=False)}")
    for name, value in out.get("witnesses", {}).items():
        say(f"  witnesses   {name} {'none' if value is None else value}")
