"""Ed25519 of RFC 8032, verified strictly (ledger.md 10.3). Not for secrets."""

import functools
import hashlib

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
TWICE_D = 2 * D % P
ROOT = pow(2, (P - 1) // 4, P)  # a square root of -1
MOST_KEPT = 1 << 16

# A point is (X, Y, Z, T) with x = X/Z, y = Y/Z, xy = T/Z.
IDENTITY = (0, 1, 1, 0)


def add(p, q):
    """The sum of two points (RFC 8032, 5.1.4)."""
    a = (p[1] - p[0]) * (q[1] - q[0]) % P
    b = (p[1] + p[0]) * (q[1] + q[0]) % P
    c = p[3] * q[3] % P * TWICE_D % P
    d = 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def double(p):
    """Twice a point (RFC 8032, 5.1.4)."""
    a, b = p[0] * p[0] % P, p[1] * p[1] % P
    h = a + b
    e = h - (p[0] + p[1]) * (p[0] + p[1])
    g = a - b
    f = 2 * p[2] * p[2] + g
    e, f = e % P, f % P
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def negative(p):
    """The negative of a point."""
    return (-p[0] % P, p[1], p[2], -p[3] % P)


def _multiples(p) -> list:
    """0 to 15 times a point."""
    found = [IDENTITY]
    for _ in range(15):
        found.append(add(found[-1], p))
    return found


def multiply(s: int, p):
    """s times a point, four bits at a time."""
    table, total = _multiples(p), IDENTITY
    for shift in range((s.bit_length() + 3) // 4 * 4 - 4, -1, -4):
        total = double(double(double(double(total))))
        total = add(total, table[s >> shift & 15])
    return total


def same(p, q) -> bool:
    """Whether two points are equal."""
    return (p[0] * q[2] - q[0] * p[2]) % P == 0 and (p[1] * q[2] - q[1] * p[2]) % P == 0


def encode(p) -> bytes:
    """A point's 32 bytes."""
    z = pow(p[2], -1, P)
    x, y = p[0] * z % P, p[1] * z % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


@functools.lru_cache(MOST_KEPT)
def decode(data: bytes):
    """The point of 32 bytes, or None (RFC 8032, 5.1.3)."""
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & ((1 << 255) - 1)
    if len(data) != 32 or y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT % P
    if (x * x - square) % P or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = P - x
    return (x, y, 1, x * y % P)


BASE = decode((4 * pow(5, -1, P) % P).to_bytes(32, "little"))


@functools.lru_cache(1)
def _base_tables() -> list:
    """The base point's multiples for each four bits of a scalar."""
    tables, p = [], BASE
    for _ in range(64):
        tables.append(_multiples(p))
        p = double(tables[-1][8])
    return tables


def multiply_base(s: int):
    """s times the base point, for s under 2^256."""
    total = IDENTITY
    for n, table in enumerate(_base_tables()):
        total = add(total, table[s >> 4 * n & 15])
    return total


def small_order(p) -> bool:
    """Whether a point is one of the eight whose order divides 8."""
    return same(double(double(double(p))), IDENTITY)


def is_public_key(data: bytes) -> bool:
    """Whether 32 bytes are a point that is not of small order."""
    point = decode(data)
    return point is not None and not small_order(point)


def _hash(*parts: bytes) -> int:
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little")


@functools.lru_cache(MOST_KEPT)
def verify(public: bytes, message: bytes, signature: bytes) -> bool:
    """Whether a signature holds: no cofactor, S < L, no point of small order."""
    if len(signature) != 64:
        return False
    a, r = decode(public), decode(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if a is None or r is None or s >= L or small_order(a) or small_order(r):
        return False
    k = _hash(signature[:32], public, message) % L
    return same(add(multiply_base(s), multiply(k, negative(a))), r)


def _expand(seed: bytes):
    digest = hashlib.sha512(seed).digest()
    scalar = int.from_bytes(digest[:32], "little") & ((1 << 254) - 8) | 1 << 254
    return scalar, digest[32:]


@functools.lru_cache(MOST_KEPT)
def public_key(seed: bytes) -> bytes:
    """The public key of a 32-byte private seed."""
    return encode(multiply_base(_expand(seed)[0]))


def sign(seed: bytes, message: bytes) -> bytes:
    """A signature; for tests and examples only."""
    scalar, prefix = _expand(seed)
    r = _hash(prefix, message) % L
    point = encode(multiply_base(r))
    k = _hash(point, public_key(seed), message) % L
    return point + ((r + k * scalar) % L).to_bytes(32, "little")
