"""Slow and broken clients: each gets an answer or is cut within its time, and the service deals on.

Usage: python3 clients.py PATH-OF-FAIRDEAL
"""

import json
import resource
import socket
import sys
import time

from service import Service

# How long the service waits for headers and bodies here, in seconds; and how late a cut may be
# where others compile.
LIMIT, SLACK = 2, 20

CLOSE = b"Connection: close\r\n"
HOST = b"Host: cards.example\r\n"


def get(target, *headers, method=b"GET", version=b"HTTP/1.1", host=HOST):
    return b"%s %s %s\r\n%s%s%s\r\n" % (
        method,
        target,
        version,
        host,
        CLOSE,
        b"".join(h + b"\r\n" for h in headers),
    )


class Post:
    """Requests to publish a commitment."""

    def __init__(self, token):
        self.head = (
            b"POST /v1/commitments HTTP/1.1\r\n"
            + HOST
            + b"Authorization: Bearer %s\r\n" % token.encode()
        )

    def raw(self, *headers, body=b"", kind=b"application/json", close=CLOSE):
        all_headers = [b"Content-Type: " + kind, *headers]
        return self.head + close + b"".join(one + b"\r\n" for one in all_headers) + b"\r\n" + body

    def sized(self, body, *headers, **more):
        return self.raw(b"Content-Length: %d" % len(body), *headers, body=body, **more)

    def chunked(self, body, *headers):
        return self.raw(b"Transfer-Encoding: chunked", *headers, body=body)


def exchange(address, request, patience=LIMIT + SLACK):
    """What comes for these bytes until the service closes. It must close in time."""
    with socket.create_connection(address, timeout=patience) as stream:
        answer = b""
        try:
            stream.sendall(request)
            while part := stream.recv(65536):
                answer += part
        except (ConnectionResetError, BrokenPipeError):
            pass  # cut
        return answer


def statuses(answer):
    """The status codes in an answer, in order; none for a connection that was cut."""
    return [int(line.split(b" ")[1]) for line in answer.split(b"\n") if line.startswith(b"HTTP/1.")]


def cases(post):
    """A name, the bytes of a client, and the statuses that it may get; an empty list: it is cut without an answer."""
    table = b'{"table": "%s"}'
    chunk = lambda commit: b"%x\r\n%s\r\n0\r\n\r\n" % (len(commit), commit)
    # Requests that a client begins and does not end.
    yield "nothing at all", b"", [[]]
    yield "half a request line", b"GET /hea", [[]]
    yield "headers without an end", b"GET /healthz HTTP/1.1\r\n" + HOST, [[]]
    yield "half a body", post.raw(b"Content-Length: 100", body=b'{"table"'), [[408]]
    yield "a body that never comes", post.raw(b"Content-Length: 100"), [[408]]
    yield (
        "a body that waits for 100",
        post.raw(b"Expect: 100-continue", b"Content-Length: 100"),
        [[100, 408]],
    )
    yield "half a chunk", post.chunked(b"f\r\n{"), [[408]]
    # Too much.
    yield "a header of 40 kB", get(b"/healthz", b"X: " + b"a" * 40_000), [[431], []]
    yield "400 headers", get(b"/healthz", *[b"X%d: a" % i for i in range(400)]), [[431]]
    yield "a path of 12 kB", get(b"/" + b"a" * 12_000), [[404]]
    yield "a body of 70 kB", post.sized(b"{" + b" " * 70_000), [[413], []]
    yield "70 kB in chunks", post.chunked(b"11170\r\n{" + b" " * 70_000), [[413], []]
    yield "60,000 arrays in each other", post.sized(b"[" * 60_000), [[400]]
    yield "10,000 objects in each other", post.sized(b'{"deck":' * 8_000), [[400]]
    yield "arrays in a member", post.sized(b'{"table":' + b"[" * 50_000), [[400]]
    yield "lengths over 2^64", post.raw(b"Content-Length: 99999999999999999999"), [[400]]
    yield "chunks over 2^64", post.chunked(b"ffffffffffffffffff\r\n{}"), [[400]]
    # Bytes that are no UTF-8.
    yield "a path of other bytes", get(b"/v1/\xff\xfe"), [[400]]
    yield "an escaped path", get(b"/v1/commitments/%ff%fe"), [[400]]
    yield "an escaped query", get(b"/v1/tables?table=%ff%fe"), [[400], [404]]
    yield "a header of other bytes", post.sized(table % b"a", b"Idempotency-Key: \xff\xfe"), [[400]]
    yield "a token of other bytes", get(b"/metrics", b"Authorization: Bearer \xff\xfe"), [[401]]
    yield "a body of other bytes", post.sized(table % b"\xff\xfe"), [[400]]
    yield "a byte order mark", post.sized(b"\xef\xbb\xbf" + table % b"a"), [[400]]
    # Framing.
    yield "chunks", post.chunked(chunk(table % b"chunks")), [[201]]
    yield "chunks without numbers", post.chunked(b"zz\r\n{}\r\n0\r\n\r\n"), [[400]]
    yield "a negative chunk", post.chunked(b"-1\r\n{}\r\n0\r\n\r\n"), [[400]]
    yield "a chunk's endless extension", post.chunked(b"1;" + b"a" * 50_000), [[400], []]
    yield "chunks and a length", post.chunked(chunk(table % b"both"), b"Content-Length: 3"), [[201]]
    yield "two lengths", post.sized(table % b"a", b"Content-Length: 3"), [[400]]
    yield "a negative length", post.raw(b"Content-Length: -1"), [[400]]
    yield "another coding", post.raw(b"Transfer-Encoding: gzip", body=b"{}"), [[400]]
    yield "a coded body", post.sized(table % b"a", b"Content-Encoding: gzip"), [[415]]
    yield "a form", post.sized(b"table=a", kind=b"application/x-www-form-urlencoded"), [[415]]
    yield (
        "three at once",
        b"".join([get(b"/healthz").replace(CLOSE, b"")] * 2) + get(b"/healthz"),
        [[200, 200, 200]],
    )
    yield "a folded header", get(b"/healthz", b"X: a\r\n b"), [[400]]
    yield "a name with a space", get(b"/healthz", b"X : a"), [[400]]
    yield "a zero byte", get(b"/hea\0lthz"), [[400]]
    yield "all bytes", bytes(range(256)), [[400], []]
    yield "TLS", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"a" * 500, [[400], []]
    # Other versions and methods.
    yield "HTTP/1.0", get(b"/healthz", version=b"HTTP/1.0", host=b""), [[200]]
    yield "HTTP/0.9", b"GET /healthz\r\n\r\n", [[400], []]
    yield "HTTP/2", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", [[400], []]
    yield "no host", get(b"/healthz", host=b""), [[400]]
    yield "two hosts", get(b"/healthz", HOST.strip()), [[400]]
    yield "an upgrade", get(b"/healthz", b"Connection: upgrade", b"Upgrade: websocket"), [[200]]
    yield "HEAD", get(b"/checkpoint", method=b"HEAD"), [[200]]
    yield "HEAD of nothing", get(b"/nothing", method=b"HEAD"), [[404]]
    yield "HEAD of events", get(b"/v1/events", method=b"HEAD"), [[200]]
    yield "OPTIONS", get(b"*", method=b"OPTIONS"), [[404], [405], [200]]
    preflight = [b"Origin: https://page.example", b"Access-Control-Request-Method: GET"]
    yield "a preflight", get(b"/v1/commitments", *preflight, method=b"OPTIONS"), [[200], [204]]
    yield "TRACE", get(b"/healthz", method=b"TRACE"), [[405]]
    yield "CONNECT", get(b"cards.example:80", method=b"CONNECT"), [[400], [404], [405]]
    yield "no method at all", get(b"/healthz", method=b""), [[400], []]
    # Other targets.
    yield "an absolute target", get(b"http://elsewhere.example/healthz"), [[200], [400]]
    yield "two slashes", get(b"//v1/commitments"), [[404]]
    for target in (
        b"/tile/../../private/vault.key",
        b"/tile/%2e%2e/%2e%2e/private/vault.key",
        b"/tile/..%2fprivate%2fvault.key",
        b"/tile//etc/passwd",
        b"/v1/../private/vault.key",
    ):
        yield target.decode(), get(target), [[404]]


def broken(service):
    post, faults = Post(service.token), []
    for name, request, expected in cases(post):
        began = time.monotonic()
        try:
            answer = exchange(service.address, request)
        except TimeoutError:
            faults.append(f"{name}: neither answered nor cut within {LIMIT + SLACK} s")
            continue
        took, came = time.monotonic() - began, statuses(answer)
        if came not in expected:
            faults.append(f"{name}: expected {expected}, found {came}: {answer[:300]!r}")
        if b"vault" in answer.split(b"\r\n\r\n")[-1] and b"no-such" not in answer:
            faults.append(f"{name}: {answer[:300]!r}")
        for body in answer.split(b"\r\n\r\n")[1:]:
            if body.startswith(b'{"type"'):
                problem = json.loads(body.split(b"HTTP/1.")[0])
                if problem["status"] != came[-1] or not problem["detail"]:
                    faults.append(f"{name}: {problem}")
        if took > LIMIT + SLACK:
            faults.append(f"{name}: {took:.1f} s")
    return faults


def drip(address, begin, drop):
    """How long a client lasts that sends a drop now and then, and what it gets."""
    began = time.monotonic()
    with socket.create_connection(address, timeout=0.2) as stream:
        stream.sendall(begin)
        answer = b""
        while time.monotonic() - began < 3 * LIMIT + SLACK:
            try:
                stream.sendall(drop)
                part = stream.recv(65536)
            except TimeoutError:
                continue
            except OSError:
                break
            if not part:
                break
            answer += part
    return time.monotonic() - began, statuses(answer)


def slow(service):
    post, faults = Post(service.token), []
    for name, begin, drop, expected in (
        ("headers in drops", b"GET /healthz HTTP/1.1\r\n" + HOST, b"X: a\r\n", [[], [408]]),
        ("a body in drops", post.raw(b"Content-Length: 1000", body=b"{"), b" ", [[408]]),
        ("chunks in drops", post.chunked(b""), b"1\r\n \r\n", [[408]]),
    ):
        took, came = drip(service.address, begin, drop)
        if took > LIMIT + SLACK or came not in expected:
            faults.append(f"{name}: {took:.1f} s, found {came}")

    # A client that asks and never reads. What it is owed fills all buffers; then it is cut.
    with socket.socket() as stream:
        stream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        stream.connect(service.address)
        stream.settimeout(LIMIT + SLACK)
        try:
            began = time.monotonic()
            while time.monotonic() - began < 3 * LIMIT + SLACK:
                stream.sendall(b"GET /openapi.json HTTP/1.1\r\n" + HOST + b"\r\n")
                time.sleep(0.01)
            faults.append("a client that never reads: not cut")
        except TimeoutError:
            faults.append("a client that never reads: neither read nor cut")
        except OSError:
            pass
    return faults


def deals_on(service, table):
    """The service is ready, deals, and has not panicked."""
    faults = []
    status, ready = service.ask("/readyz")
    if status != 200 or not ready["ready"]:
        faults.append(f"{table}: not ready: {ready}")
    status, answer = service.ask("/v1/commitments", {"table": table})
    if status == 201:
        path = f"/v1/commitments/{answer['commitment']}/deals"
        status, answer = service.ask(path, {"contributions": [{"from": "alice", "seed": "lucky"}]})
    if status != 201:
        faults.append(f"{table}: {status}: {answer}")
    if "panicked" in service.said():
        faults.append(f"{table}: {service.said()}")
    return faults


def idle(service):
    """Thousands who say nothing do not keep a player waiting."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    many = min(5_000, most - 1_000)
    streams = []
    try:
        for _ in range(many):
            streams.append(socket.create_connection(service.address, timeout=LIMIT + SLACK))
        return deals_on(service, f"among {many} idle clients")
    finally:
        for stream in streams:
            stream.close()


def full(service):
    """Who comes when all connections are taken is told so."""
    streams = [socket.create_connection(service.address, timeout=LIMIT) for _ in range(8)]
    time.sleep(0.2)
    answer = exchange(service.address, get(b"/healthz"))
    for stream in streams:
        stream.close()
    time.sleep(0.2)
    if statuses(answer) != [503] or b"Retry-After" not in answer:
        return [f"when all connections are taken: {answer!r}"]
    return []


def main():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    fairdeal, faults = sys.argv[1], []
    with Service(fairdeal, "--request-time", str(LIMIT)) as service:
        faults += broken(service) + slow(service) + deals_on(service, "after them")
    with Service(fairdeal) as service:
        faults += idle(service) + deals_on(service, "after the idle")
    with Service(fairdeal, "--max-connections", "8") as service:
        faults += full(service) + deals_on(service, "after the rush")
    if faults:
        sys.exit("\n".join(faults))
    print("every client was answered or cut in time")


main()
