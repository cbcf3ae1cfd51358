"""Built-in checks against published vectors, and against the specification's example."""

import hashlib
import hmac
import struct

import canonical
import deal
import ed25519
import selftestbeacons
import selftestcovered
import selftestentrants
import selftestlists
import selftestraffles
import selftestreceipts
import selftestrules
import selftestwitness
import tlog
from refused import Refused


def _checks():
    """(name, found, expected)."""
    # RFC 8439, 2.3.2 (one block) and appendix A.1 (test vectors 1 and 2: zero key, counters 0 and
    # 1).
    block = deal.chacha20_blocks(bytes(range(32)), 1, 1, bytes.fromhex("000000090000004a00000000"))
    yield "RFC 8439 2.3.2", block.hex(), (
        "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
        "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e"
    )
    zero = (
        "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
        "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586"
    )
    one = (
        "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed"
        "29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f"
    )
    yield "RFC 8439 A.1 #1", deal.chacha20_blocks(bytes(32), 0, 1).hex(), zero
    yield (
        "RFC 8439 A.1 #1 and #2 side by side",
        deal.chacha20_blocks(bytes(32), 0, 2).hex(),
        zero + one,
    )
    words = deal.Words(bytes(32))
    yield (
        "the same as words",
        struct.pack("<32I", *(words.next() for _ in range(32))).hex(),
        zero + one,
    )
    # RFC 4231, test cases 1 and 2.
    yield "RFC 4231 #1", hmac.new(
        b"\x0b" * 20, b"Hi There", hashlib.sha256
    ).hexdigest(), "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    yield "RFC 4231 #2", hmac.new(
        b"Jefe", b"what do ya want for nothing?", hashlib.sha256
    ).hexdigest(), "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    yield from _ed25519_checks()
    yield from _note_checks()
    yield from _tree_checks()
    yield from _number_checks()
    yield from _deal_checks()
    yield from selftestrules.checks()
    yield from selftestreceipts.checks()
    yield from selftestwitness.checks()
    yield from selftestcovered.checks()
    yield from selftestbeacons.checks()
    yield from selftestentrants.checks()
    yield from selftestlists.checks()
    yield from selftestraffles.checks()


def _ed25519_checks():
    """RFC 8032, 7.1, tests 1 to 3, and signatures that strict verification refuses."""
    cases = [
        (
            "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            "",
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
        ),
        (
            "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            "72",
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
        ),
        (
            "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
            "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
            "af82",
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
        ),
    ]
    for n, (seed, public, message, signature) in enumerate(cases, 1):
        seed, public, message, signature = map(bytes.fromhex, (seed, public, message, signature))
        yield f"RFC 8032 7.1 #{n}: key", ed25519.public_key(seed).hex(), public.hex()
        yield f"RFC 8032 7.1 #{n}: signature", ed25519.sign(seed, message).hex(), signature.hex()
        yield f"RFC 8032 7.1 #{n}: verifies", ed25519.verify(public, message, signature), True
        yield f"RFC 8032 7.1 #{n}: another message does not", ed25519.verify(
            public, message + b".", signature
        ), False
        s = int.from_bytes(signature[32:], "little") + ed25519.L
        yield f"RFC 8032 7.1 #{n}: S over L does not", ed25519.verify(
            public, message, signature[:32] + s.to_bytes(32, "little")
        ), False
    identity = ed25519.encode(ed25519.IDENTITY)
    yield (
        "a key of small order verifies nothing",
        ed25519.verify(identity, b"", identity + bytes(32)),
        False,
    )


def _note_checks():
    """A note of 1,000,000 bytes, and one byte more (ledger.md 10.3); too long for a vector."""
    signature = "\n\n\u2014 k AAAAAAA=\n".encode()
    for length, expected in [(tlog.MAX_NOTE, "a note"), (tlog.MAX_NOTE + 1, "note-malformed")]:
        note = b"a" * (length - len(signature)) + signature
        try:
            tlog.parse_note(note)
            found = "a note"
        except Refused as refused:
            found = refused.code
        yield f"a note of {len(note)} bytes", found, expected


def _tree_checks():
    """The tree of eight leaves that Certificate Transparency's implementations test with."""
    leaves = [
        tlog.leaf_hash(bytes.fromhex(d))
        for d in (
            "",
            "00",
            "10",
            "2021",
            "3031",
            "40414243",
            "5051525354555657",
            "606162636465666768696a6b6c6d6e6f",
        )
    ]
    roots = [
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
        "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
        "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
        "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
        "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
    ]
    grown = tlog.Roots()
    for leaf in leaves:
        grown.append(leaf)
    yield "RFC 6962 roots of a tree that grows", [root.hex() for root in grown.at], roots
    for size, root in enumerate(roots):
        yield f"RFC 6962 root of {size}", tlog.root_of(leaves[:size]).hex(), root
        proved = [
            tlog.verify_inclusion(
                leaves[i], i, size, bytes.fromhex(root), tlog.inclusion_path(leaves[:size], i)
            )
            for i in range(size)
        ]
        yield f"RFC 6962 inclusion in {size}", proved, [True] * size
    path = [
        "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ]
    proof = [bytes.fromhex(h) for h in path]
    yield "RFC 6962 consistency from 6", tlog.consistency_path(leaves, 6), proof
    yield "RFC 6962 consistency 6 to 8", tlog.verify_consistency(
        6, bytes.fromhex(roots[6]), 8, bytes.fromhex(roots[8]), proof
    ), True
    yield "and not backwards", tlog.verify_consistency(
        6, bytes.fromhex(roots[6]), 8, bytes.fromhex(roots[8]), proof[::-1]
    ), False


def _number_checks():
    """RFC 8785, appendix B: doubles by their bits."""
    for bits, text in [
        ("0000000000000000", "0"),
        ("8000000000000000", "0"),
        ("0000000000000001", "5e-324"),
        ("8000000000000001", "-5e-324"),
        ("7fefffffffffffff", "1.7976931348623157e+308"),
        ("4340000000000000", "9007199254740992"),
        ("4430000000000000", "295147905179352830000"),
        ("44b52d02c7e14af5", "9.999999999999997e+22"),
        ("44b52d02c7e14af6", "1e+23"),
        ("44b52d02c7e14af7", "1.0000000000000001e+23"),
        ("444b1ae4d6e2ef4e", "999999999999999700000"),
        ("444b1ae4d6e2ef4f", "999999999999999900000"),
        ("444b1ae4d6e2ef50", "1e+21"),
        ("3eb0c6f7a0b5ed8c", "9.999999999999997e-7"),
        ("3eb0c6f7a0b5ed8d", "0.000001"),
        ("41b3de4355555553", "333333333.3333332"),
        ("becbf647612f3696", "-0.0000033333333333333333"),
        ("43143ff3c1cb0959", "1424953923781206.2"),
    ]:
        yield (
            f"RFC 8785 B: {bits}",
            canonical.number_text(struct.unpack(">d", bytes.fromhex(bits))[0]),
            text,
        )
    sample = {"\u20ac": 1, "\r": 2, "\ufb33": 3, "1": 4, "\U0001f600": 5, "\x80": 6, "\u00f6": 7}
    yield "RFC 8785 3.2.3: order of members", [
        *canonical.read(canonical.text_of(sample).encode()).values()
    ], [2, 4, 6, 7, 1, 5, 3]


def _deal_checks():
    """The worked example of shuffle.md."""
    inputs = deal.Inputs(bytes(range(32)), 0, [deal.Contribution("alice", "lucky")])
    yield "the example: commitment", deal.commitment_of(
        inputs.server_seed
    ).hex(), "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
    yield "the example: message", deal.message(
        deal.DEAL_TAG, inputs
    ).hex(), "666169726465616c2f76312f6465616c00000000000000000000010100056c75636b79"
    yield "the example: key", deal.derive(
        deal.DEAL_TAG, inputs
    ).hex(), "ae607dcb85bb37984cc45aa879d59a2db6364493cc2098fc2fbe5f9ec6295931"
    dealt = deal.replay(inputs, "shuffle", 52, 52)
    yield (
        "the example: deal",
        "".join(deal.STANDARD_52[i] for i in dealt.indices),
        "Td3h6d9d4cJhKhAsQh2dJcAhQd7c2s9sTc6h8dKd8hJd5h5d5s8s6c7s4s4d6sKs4h7dJs3cAdKc7h8c3dQs5c9cThAcQc2h9h2cTs3s",
    )
    yield "the example: words", (dealt.words, dealt.rejected), (51, 0)
    yield (
        "the example: a draw is a prefix",
        deal.replay(inputs, "shuffle", 52, 5).indices,
        dealt.indices[:5],
    )
    yield (
        "the example: seal",
        deal.seals(inputs, dealt.indices).seal.hex(),
        "a6e9f955a578bb1021d0866914ab34a182cfa35afc96b319ed5608570360fc07",
    )
    yield "the example: cycle", deal.replay(inputs, "cycle", 6, 6).indices, [3, 4, 0, 1, 5, 2]
    orders = {}
    for choices in ((a, b, c) for a in range(4) for b in range(3) for c in range(2)):
        left = iter(choices)
        # A word for the choice j of s ways: the middle of its share of 0..2^32.
        stream = iter([((2 * j + 1) << 31) // s for j, s in zip(left, (4, 3, 2))])
        order = tuple(deal.shuffle(4, 4, lambda: next(stream)))
        orders[order] = orders.get(order, 0) + 1
    yield (
        "every order of 4 comes from one sequence of choices",
        (len(orders), set(orders.values())),
        (
            24,
            {1},
        ),
    )


def run(say) -> bool:
    """Run all checks; prints each failure and the count."""
    passed = failed = 0
    for name, found, expected in _checks():
        if found == expected:
            passed += 1
        else:
            failed += 1
            say(f"FAILED {name}: expected {expected}, found {found}")
    say(f"{passed} passed, {failed} failed")
    return failed == 0
