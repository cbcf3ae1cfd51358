"""Policies, cosignatures, and the times of a quorum (witness.md).

This module does not depend on cards.
"""

import hashlib
import itertools
import math
import re
import struct
from typing import NamedTuple, Optional

import ed25519
import tlog
from refused import Refused

MAX_POLICY = 1_048_576
MAX_LINES = 1_024
NONE = b"none"
MAX_TIME = (1 << 63) - 1
MAX_SECOND = 253_402_300_799  # 9999-12-31T23:59:59Z

_NOT_ALLOWED = re.compile(rb"[^\t\n\x20-\x7e\x80-\xff]")

# The least and the most words of a line, by its first word.
_WORDS = {
    b"log": (2, 3),
    b"witness": (3, 4),
    b"group": (4, math.inf),
    b"quorum": (2, 2),
}


class Fault(Refused):
    """The first fault of a policy; `line` is the number of its line, from 1."""

    def __init__(self, code: str, line: int, says: str):
        super().__init__(code, f"line {line}: {says}")
        self.line = line


# 24.1: lines


class Group(NamedTuple):
    """Members, of which at least k must have signed."""

    k: int
    members: list  # names


class Policy(NamedTuple):
    """The logs and witnesses of a reader, and which witnesses make a quorum."""

    logs: list  # verifier keys
    defined: dict  # witnesses (verifier keys) and groups by name, each one after its members
    quorum: bytes  # a name in `defined`, or NONE
    hash: bytes

    def witnesses(self) -> dict:
        """The witnesses by name, in the order of their lines."""
        return {name: of for name, of in self.defined.items() if not isinstance(of, Group)}


class _Reader:
    """What the lines of a policy have said so far."""

    def __init__(self) -> None:
        self.logs: list = []
        self.defined: dict = {}
        self.quorum: Optional[bytes] = None
        self._keys: set = set()  # public keys, and key names with their key IDs
        self._members: set = set()
        self._lines = 0

    def read(self, line: bytes) -> None:
        """Read one line; raises Refused."""
        octet = _NOT_ALLOWED.search(line)
        if octet:
            raise Refused("octet", f"the octet 0x{octet[0].hex()} is not allowed")
        words = line.split()  # of the octets that `split` splits at, only space and tab are allowed
        if not words or words[0].startswith(b"#"):
            return
        self._lines += 1
        if self._lines > MAX_LINES:
            raise Refused("too-many", f"{MAX_LINES} lines before are not ignored")
        word, rest = words[0], words[1:]
        if word not in _WORDS:
            raise Refused("word", f"a line begins with log, witness, group or quorum, not {word!r}")
        least, most = _WORDS[word]
        if not least <= len(words) <= most:
            raise Refused("count", f"{len(words)} words are too few or too many for {word!r}")
        if word == b"log":
            self.logs.append(self._key(rest[0], tlog.LOG_KEY))
        elif word == b"witness":
            self._witness(rest[0], rest[1])
        elif word == b"group":
            self._group(rest[0], rest[1], rest[2:])
        else:
            self._quorum(rest[0])

    def _key(self, text: bytes, kind: int) -> tlog.VerifierKey:
        try:
            key = tlog.parse_key(text.decode("utf-8"), kind)
        except UnicodeDecodeError:
            raise Refused("key", "the verifier key is not UTF-8") from None
        ways = {key.public, (key.name, key.id)}
        if ways & self._keys:
            says = f"a line before has the public key of {key.name!r}, or its name and key ID"
            raise Refused("duplicate-key", says)
        self._keys |= ways
        return key

    def _check_name(self, name: bytes) -> None:
        if name == NONE:
            raise Refused("name", "no witness or group is named none")
        if name in self.defined:
            raise Refused("repeated", f"{name!r} was defined by a line before")

    def _witness(self, name: bytes, text: bytes) -> None:
        key = self._key(text, tlog.WITNESS_KEY)
        self._check_name(name)
        self.defined[name] = key

    def _group(self, name: bytes, threshold: bytes, members: list) -> None:
        self._check_name(name)
        k = _threshold(threshold, len(members))
        for member in members:
            self._check_defined(member)
        for member in members:
            if member in self._members:
                raise Refused("member-twice", f"{member!r} is named as a member a second time")
            self._members.add(member)
        self.defined[name] = Group(k, members)

    def _quorum(self, name: bytes) -> None:
        if name != NONE:
            self._check_defined(name)
        if self.quorum is not None:
            raise Refused("quorum-twice", "there is a quorum line before")
        self.quorum = name

    def _check_defined(self, name: bytes) -> None:
        if name not in self.defined:
            raise Refused("undefined", f"{name!r} is not defined by a line before")


def _threshold(text: bytes, members: int) -> int:
    """The k of a group."""
    if text in (b"all", b"any"):
        return members if text == b"all" else 1
    # The pattern bounds the digits, because Python refuses to read a number of very many.
    if not re.fullmatch(rb"[1-9][0-9]{0,9}", text) or int(text) > members:
        raise Refused("threshold", f"expected all, any, or 1 to {members}, found {text[:40]!r}")
    return int(text)


def parse(data: bytes) -> Policy:
    """A policy; raises the first Fault."""
    lines = data.split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    if len(data) > MAX_POLICY:
        raise Fault("too-long", len(lines), f"a policy has at most {MAX_POLICY} bytes")
    reader = _Reader()
    for number, line in enumerate(lines, 1):
        try:
            reader.read(line)
        except Refused as refused:
            raise Fault(refused.code, number, str(refused)) from None
    if reader.quorum is None:
        raise Fault("no-quorum", len(lines), "the policy has no quorum line")
    return Policy(reader.logs, reader.defined, reader.quorum, hashlib.sha256(data).digest())


# 24.3: what a policy needs to hold


def of_log(data: bytes, key: tlog.VerifierKey) -> Policy:
    """A policy under which a log is judged; raises Refused if it is faulty, or for other logs."""
    policy = parse(data)
    if policy.logs and key not in policy.logs:
        raise Refused("policy", f"{tlog.key_text(key)} is none of the policy's logs")
    return policy


def _of_quorum(policy: Policy, of_witness, of_group):
    """What follows for the quorum from `of_witness(name)` and `of_group(k, values)`.

    It is None for the quorum `none`. Groups are taken in the order of their lines, each after its
    members, because a policy may nest them deeper than Python may nest calls.
    """
    values = {}
    for name, of in policy.defined.items():
        if isinstance(of, Group):
            values[name] = of_group(of.k, [values[member] for member in of.members])
        else:
            values[name] = of_witness(name)
    return values.get(policy.quorum)


def liars_for_times(policy: Policy) -> int:
    """q: how many witnesses that lie together can make the times false."""
    return _of_quorum(policy, lambda _: 1, lambda k, values: sum(sorted(values)[:k])) or 0


def liars_for_views(policy: Policy) -> int:
    """v: how many witnesses that lie together can show two readers two logs."""

    def of_group(k: int, values: list) -> int:
        return sum(sorted(values)[: max(0, 2 * k - len(values))])

    return _of_quorum(policy, lambda _: 1, of_group) or 0


def in_quorum(policy: Policy) -> set:
    """The names of the witnesses on which the quorum depends."""
    return _of_quorum(policy, lambda name: {name}, lambda k, values: set().union(*values)) or set()


def counted_twice(policy: Policy) -> list:
    """The pairs of verifier keys with one name that are not both members of one group of k = 1."""
    group_of = {
        member: name
        for name, of in policy.defined.items()
        if isinstance(of, Group) and of.k == 1
        for member in of.members
    }
    return [
        (key, other)
        for (name, key), (other_name, other) in itertools.combinations(
            policy.witnesses().items(), 2
        )
        if key.name == other.name
        and (name not in group_of or group_of[name] != group_of.get(other_name))
    ]


# 25: cosignatures


def cosigned_at(key: tlog.VerifierKey, text: str, cosignature: bytes) -> Optional[int]:
    """The time of a witness's cosignature of a checkpoint's text; None if it does not verify."""
    if len(cosignature) != 72:
        return None
    time = struct.unpack_from(">Q", cosignature)[0]
    message = f"cosignature/v1\ntime {time}\n{text}".encode()
    if time > MAX_TIME or not ed25519.verify(key.public, message, cosignature[8:]):
        return None
    return time


def signed(policy: Policy, data: bytes, is_anchor: bool = False) -> dict:
    """For each witness by name, the time of its line that counts under a note, or None.

    A line of a witness that does not verify refuses a checkpoint. In an anchor it is ignored.
    """
    note = tlog.parse_note(data)
    tlog.parse_checkpoint(note.text)
    witnesses = policy.witnesses()
    times: dict = dict.fromkeys(witnesses)
    for signer, identity, cosignature in note.signatures:
        for name, key in witnesses.items():
            if (key.name, key.id) != (signer, identity):
                continue
            time = cosigned_at(key, note.text, cosignature)
            if time is None and not is_anchor:
                raise Refused("note-unverified", f"the cosignature by {signer} does not verify")
            if times[name] is None:
                times[name] = time
    return times


def open_checkpoint(data: bytes, key: tlog.VerifierKey, policy: Optional[Policy]) -> tuple:
    """tlog.open_checkpoint for a reader who may have a policy: a wrong line of a witness refuses
    the note too."""
    checkpoint, wrong = tlog.open_checkpoint(data, key)
    if policy is not None and wrong is None:
        try:
            signed(policy, data)
        except Refused as refused:
            wrong = str(refused)
    return checkpoint, wrong


# 26: times of a quorum


def second_of(time: Optional[int]) -> Optional[int]:
    """The time of a line if it is a second."""
    return time if time is not None and 1 <= time <= MAX_SECOND else None


class Times(NamedTuple):
    """The times of a quorum, in seconds; None if infinite."""

    by: Optional[int]
    since: Optional[int]


def quorum_times(policy: Policy, times: dict) -> Optional[Times]:
    """The times that follow from the times of `signed`; None if the quorum is not there."""

    def second(name: bytes, otherwise: float):
        time = second_of(times[name])
        return otherwise if time is None else time

    is_there = _of_quorum(
        policy, lambda name: times[name] is not None, lambda k, values: sum(values) >= k
    )
    if not is_there:
        return None
    by = _of_quorum(
        policy, lambda name: second(name, math.inf), lambda k, values: sorted(values)[k - 1]
    )
    since = _of_quorum(
        policy, lambda name: second(name, -math.inf), lambda k, values: sorted(values)[-k]
    )
    return Times(*(None if math.isinf(time) else time for time in (by, since)))
