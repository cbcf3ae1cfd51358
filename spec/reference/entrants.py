"""Hashed lines and the links of entrants: raffle.md 36."""

import hashlib
import hmac
import re
from urllib.parse import quote

import deal
import entry
from refused import Refused

MAX_ADDRESS = 256
MAX_LINK = 4096
WHITE = "\t\n\v\f\r "
TAG = b"fairdeal/raffle/v1/entrant\x00"
_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}


def address_of(text: str) -> str:
    """An address in the form that is hashed; raises Refused."""
    address = text.strip(WHITE).translate(_LOWER)
    if not deal.text_fits(address, MAX_ADDRESS):
        says = f"an address is 1 to {MAX_ADDRESS} bytes without control characters"
        raise Refused("address", f"{says}, not {address[:100]!r}")
    return address


def salt_of(raffle_secret: bytes, address: str) -> bytes:
    """The salt of an address, which is in its form."""
    return hmac.new(raffle_secret, address.encode("utf-8"), hashlib.sha256).digest()[:16]


def line_of(salt: bytes, address: str) -> str:
    """The line of an address, which is in its form."""
    return deal.sha256(TAG + salt + address.encode("utf-8")).hex()


def link_of(url: str, salt: bytes, address: str) -> str:
    """An entrant's link; the URL has no `#`."""
    return f"{url}#salt={salt.hex()}&address={quote(address, safe='')}"


def _refuse(says: str):
    raise Refused("link", says)


def _decoded(value: bytes, name: str) -> str:
    """A value of a link, with its escapes replaced by their bytes."""
    if re.search(rb"%(?![0-9A-Fa-f]{2})", value):
        _refuse(f"{name} has a % without two hexadecimal digits")
    data = re.sub(rb"%(..)", lambda escape: bytes.fromhex(escape[1].decode()), value)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return _refuse(f"{name} is not UTF-8")


def parse_link(link: str) -> tuple:
    """The salt and the address, in its form, of an entrant's link; raises Refused."""
    try:
        data = link.encode("utf-8")
    except UnicodeEncodeError:
        _refuse("a link is UTF-8")
    if len(data) > MAX_LINK:
        _refuse(f"a link has at most {MAX_LINK} bytes, not {len(data)}")
    _, mark, rest = data.partition(b"#")
    if not mark:
        _refuse("an entrant's link has a #")
    values: dict = {b"salt": [], b"address": []}
    for part in rest.split(b"&"):
        # A part without `=` is a part of that name without a value, so it counts as a second one.
        name, _, value = part.partition(b"=")
        if name in values:
            values[name].append(value)
    for name, of in values.items():
        if len(of) != 1:
            _refuse(f"expected one part {name.decode()}, found {len(of)}")
    salt = _decoded(values[b"salt"][0], "salt")
    if not entry.is_hex(salt, 16):
        _refuse(f"salt is not 32 lowercase hexadecimal digits: {salt[:100]!r}")
    address = _decoded(values[b"address"][0], "address")
    try:
        return bytes.fromhex(salt), address_of(address)
    except Refused as refused:
        return _refuse(str(refused))


def line_of_link(link: str) -> str:
    """The line of an entrant's link; raises Refused."""
    return line_of(*parse_link(link))
