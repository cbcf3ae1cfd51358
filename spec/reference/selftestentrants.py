"""Built-in checks of addresses and entrants' links (selftest.py runs them); raffle.md 36."""

import entrants
from refused import Refused


def checks():
    """(name, found, expected)."""
    yield from _addresses()
    yield from _links()


def _refused(act, *of):
    """What a call returns, or the code of its refusal."""
    try:
        return act(*of)
    except Refused as refused:
        return refused.code


def _addresses():
    """The form of an address, and what is made of it (36)."""
    long = "\u00e9" * 128
    for what, text, expected in (
        ("white space at both ends", "\t\n\v\f\r Ann \r\f\v\n\t", "ann"),
        ("white space within", "a  b", "a  b"),
        ("a no-break space at its end", "ann\u00a0", "ann\u00a0"),
        ("a control character at its end", "ann\x1c", "address"),
        ("a tab within", "a\tb", "address"),
        ("U+0085 at its end", "ann\x85", "address"),
        ("U+00A0, which is no control character", "a\u00a0b", "a\u00a0b"),
        ("A and Z", "AZ@[`az{", "az@[`az{"),
        ("capitals that are not ASCII", "\u00c9\u0130K", "\u00c9\u0130k"),
        ("256 bytes", f" {long} ", long),
        ("257 bytes", long + "x", "address"),
        ("one character", "x", "x"),
        ("nothing", "", "address"),
        ("white space alone", " \t", "address"),
    ):
        yield f"an address with {what}", _refused(entrants.address_of, text), expected
    address = entrants.address_of(" Anna@Example.org")
    salt = entrants.salt_of(bytes(range(32)), address)
    yield "the example: address", address, "anna@example.org"
    yield "the example: salt", salt.hex(), "dc16dac4e0724e68069d10704ecd1a83"
    yield "the example: line", entrants.line_of(salt, address), (
        "75382d73fc9a18e81b258497dc4a652dc1ef5de8cbdead477232d18858c2f7b2"
    )
    yield "the example: link", entrants.link_of("https://club.example/raffle", salt, address), (
        "https://club.example/raffle#salt=dc16dac4e0724e68069d10704ecd1a83"
        "&address=anna%40example.org"
    )


def _links():
    """What a link needs (36)."""
    salt = "00112233445566778899aabbccddeeff"
    good = (bytes.fromhex(salt), "a@b")
    for address in ("a@b", "\u00e9 +&=%#~", "-._~0Az"):
        form = entrants.address_of(address)
        link = entrants.link_of("https://x.example/", good[0], form)
        yield f"a link of {address!r}", entrants.parse_link(link), (good[0], form)
    room = entrants.MAX_LINK - len(f"#salt={salt}&address=a@b&")
    for what, link, expected in (
        ("nothing before the #", f"#salt={salt}&address=a@b", good),
        ("its parts turned round", f"u#address=a@b&salt={salt}", good),
        ("other parts", f"u#x=%&&y&salt={salt}&address=a@b", good),
        ("an escape in a name", f"u#salt={salt}&address=a@b&%73alt=1", good),
        ("another case of a name", f"u#salt={salt}&address=a@b&Salt=1", good),
        ("escapes of both cases", f"u#salt={salt}&address=%C3%89%c3%a9", (good[0], "\u00c9\u00e9")),
        ("letters as they are", f"u#salt={salt}&address=\u00e9", (good[0], "\u00e9")),
        ("a plus", f"u#salt={salt}&address=a+b", (good[0], "a+b")),
        ("a second = in a value", f"u#salt={salt}&address=a=b", (good[0], "a=b")),
        ("a second #", f"u#salt={salt}&address=a#b", (good[0], "a#b")),
        ("an address that is not in its form", f"u#salt={salt}&address=%20A@B%0A", good),
        ("an escaped salt", f"u#salt=%30{salt[1:]}&address=a@b", good),
        ("4,096 bytes", f"#salt={salt}&address=a@b&" + "x" * room, good),
        ("4,097 bytes", f"#salt={salt}&address=a@b&x" + "x" * room, "link"),
        ("no #", f"u?salt={salt}&address=a@b", "link"),
        ("no salt", "u#address=a@b", "link"),
        ("no address", f"u#salt={salt}", "link"),
        ("two salts", f"u#salt={salt}&salt={salt}&address=a@b", "link"),
        ("two addresses", f"u#salt={salt}&address=a@b&address=a@b", "link"),
        ("a second salt without =", f"u#salt={salt}&salt&address=a@b", "link"),
        ("a salt of 31 digits", f"u#salt={salt[1:]}&address=a@b", "link"),
        ("a salt in capitals", f"u#salt={salt.upper()}&address=a@b", "link"),
        ("% at the end", f"u#salt={salt}&address=a%", "link"),
        ("% and one digit", f"u#salt={salt}&address=a%4", "link"),
        ("% and another character", f"u#salt={salt}&address=a%4g", "link"),
        ("bytes that are not UTF-8", f"u#salt={salt}&address=%C3", "link"),
        ("an escaped tab within", f"u#salt={salt}&address=a%09b", "link"),
        ("an empty address", f"u#salt={salt}&address=", "link"),
    ):
        yield f"a link with {what}", _refused(entrants.parse_link, link), expected
    expected = entrants.line_of(*good)
    yield "the line of a link", entrants.line_of_link(f"#salt={salt}&address=a@b"), expected
