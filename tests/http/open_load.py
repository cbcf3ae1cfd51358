"""An open load at half of what the service carries, with readers, event streams and slow clients beside it: its memory stays flat, and all is answered.

Usage: python3 open_load.py PATH-OF-FAIRDEAL PATH-OF-LOAD SECONDS
"""

import http.client
import json
import socket
import subprocess
import sys
import threading
import time

from service import Service

# How many stay beside the load.
STREAMS, READERS, SILENT, SLOW = 200, 4, 50, 50

# The most that the memory may grow after its first third, in KiB: the log grows meanwhile.
GROWTH = 24 * 1024


class Beside:
    """Clients beside the load, until it is over."""

    def __init__(self, service):
        self.service, self.over = service, threading.Event()
        self.reads, self.events = 0, 0
        self.streams = [self._open(b"GET /v1/events HTTP/1.1\r\n") for _ in range(STREAMS)]
        # These clients ask for much, and never read it.
        self.silent = [self._open(b"GET /v1/events?after=0 HTTP/1.1\r\n") for _ in range(SILENT)]
        works = [self._stream, self._slow, *[self._read] * READERS]
        self.threads = [threading.Thread(target=work, daemon=True) for work in works]
        for thread in self.threads:
            thread.start()

    def _open(self, request):
        stream = socket.create_connection(self.service.address, timeout=30)
        stream.sendall(request + b"Host: cards.example\r\n\r\n")
        return stream

    def _read(self):
        """Reads the newest files and answers, one after the other."""
        host, port = self.service.address
        while not self.over.is_set():
            try:
                connection = http.client.HTTPConnection(host, port, timeout=30)
                for path in ["/checkpoint", "/v1/tables", "/v1/log", "/tile/0/000", "/tile/entries/000"]:
                    connection.request("GET", path)
                    answer = connection.getresponse()
                    answer.read()
                    assert answer.status in (200, 404, 503), (path, answer.status)
                    self.reads += answer.status == 200
                connection.close()
            except (OSError, http.client.HTTPException) as error:
                if not self.over.is_set():
                    print(f"a reader was cut: {error!r}")
            time.sleep(0.2)

    def _stream(self):
        """Reads the event streams, each a little at a time; one that ended is opened again."""
        for stream in self.streams:
            stream.setblocking(False)
        while not self.over.is_set():
            for at, stream in enumerate(self.streams):
                try:
                    part = stream.recv(16_384)
                    self.events += part.count(b"\n\n")
                    if not part:
                        self.streams[at] = self._open(b"GET /v1/events HTTP/1.1\r\n")
                        self.streams[at].setblocking(False)
                except BlockingIOError:
                    pass
                except OSError:
                    self.streams[at] = self._open(b"GET /v1/events HTTP/1.1\r\n")
                    self.streams[at].setblocking(False)
            time.sleep(0.5)

    def _slow(self):
        """Sends requests a byte a second; the service cuts them, and they come back."""
        slow = []
        while not self.over.is_set():
            try:
                while len(slow) < SLOW:
                    slow.append(socket.create_connection(self.service.address, timeout=30))
                for stream in list(slow):
                    try:
                        stream.sendall(b"G")
                    except OSError:
                        slow.remove(stream)
            except OSError as error:
                print(f"a slow client was refused: {error!r}")
            time.sleep(1)

    def end(self):
        self.over.set()
        for thread in self.threads:
            thread.join(timeout=60)


def memory(process):
    """The service's memory in KiB."""
    with open(f"/proc/{process.pid}/status", encoding="utf-8") as file:
        line = next(line for line in file if line.startswith("VmRSS"))
    return int(line.split()[1])


def load(program, service, key, seconds, *more):
    """Begins a load."""
    command = [program, service.url, "--token", service.token, "--key", key]
    command += ["--seconds", str(seconds), "--connections", "256", *more]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def main():
    fairdeal, program, seconds = sys.argv[1], sys.argv[2], int(sys.argv[3])
    with Service(fairdeal) as service:
        key = service.run("log-key", "--ledger", service.ledger).strip()
        beside = Beside(service)
        probe = load(program, service, key, 10)
        most = json.loads(probe.communicate()[0])["rate"]
        rate = max(1, int(most / 2))
        print(f"{most:.0f} deals a second at most; {rate} for {seconds} s", flush=True)
        run = load(program, service, key, seconds, "--rate", str(rate), "--prefix", "open-")
        sizes = []
        while run.poll() is None:
            sizes.append(memory(service.process))
            time.sleep(1)
        report = json.loads(run.communicate()[0])
        beside.end()
        third = len(sizes) // 3
        first, last = max(sizes[:third]), max(sizes[-third:])
        latency = report["latency"]
        print(
            f"{report['deals']} deals, {report['rate']:.0f} a second, p50 {latency['p50']:.1f} ms, "
            f"p99 {latency['p99']:.1f} ms, slowest {latency['max']:.0f} ms; {report['verified']} receipts verified"
        )
        print(f"{beside.reads} reads and {beside.events} events beside it")
        print(f"memory: {first} KiB in the first third, {last} KiB in the last")
        assert not report["refused"], report["refused"]
        assert report["broken"] == 0 and report["wrong"] == 0, report
        assert report["deals"] >= 0.95 * rate * seconds, report
        assert beside.reads > 0 and beside.events > 0
        assert last <= first + GROWTH, f"the memory grew from {first} to {last} KiB"


main()
