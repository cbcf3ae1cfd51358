#!/usr/bin/env python3
"""Two nodes beside one, on one PostgreSQL and one S3 service; and bare multi-row inserts into that PostgreSQL.

    cargo build --release -p fairdeal-load
    cargo build --release --features postgres,s3
    target/python/bin/python benches/nodes.py target/release/fairdeal

Everything runs on this machine, on loopback: the database with its syncs on, moto as the S3 service, the nodes, and the load.
Two load generators run in each case: against one node, or against a node each. The cases take turns; medians are printed.
"""

import contextlib
import glob
import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

ROUNDS = 5
SECONDS = 8
CONNECTIONS = 64
#: What a deal of two players adds to the state of PostgreSQL and to the tail of the log, in bytes.
ROW = 400


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


@contextlib.contextmanager
def postgres():
    """A server with its syncs on, as the user that it asks for. Gives its URL, and the psql of its version."""
    binaries = Path(max(glob.glob("/usr/lib/postgresql/*/bin")))
    folder = Path(
        tempfile.mkdtemp(
            prefix="fairdeal-nodes-", dir=os.environ.get("FAIRDEAL_BENCH_DIR", "/var/tmp")
        )
    )
    folder.chmod(0o777)
    data, port = folder / "data", free_port()
    user = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
    quiet = {
        "stdin": subprocess.DEVNULL,
        "stdout": subprocess.DEVNULL,
        "stderr": subprocess.DEVNULL,
        "check": True,
    }
    subprocess.run(
        [*user, binaries / "initdb", "--username=fairdeal", "--auth=trust", "-D", data], **quiet
    )
    options = f"-c listen_addresses=127.0.0.1 -c unix_socket_directories='' -p {port}"
    subprocess.run(
        [*user, binaries / "pg_ctl", "-D", data, "start", "-w", "-l", data / "log", "-o", options],
        **quiet,
    )
    try:
        yield f"postgres://fairdeal@127.0.0.1:{port}/postgres", binaries / "psql"
    finally:
        subprocess.run([*user, binaries / "pg_ctl", "-D", data, "stop", "-m", "immediate"], **quiet)
        shutil.rmtree(folder)


@contextlib.contextmanager
def bucket():
    """A bucket of moto, and what a client's environment says of it."""
    port = free_port()
    server = subprocess.Popen(
        [Path(sys.executable).parent / "moto_server", "-H", "127.0.0.1", "-p", str(port)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        for _ in range(300):
            with contextlib.suppress(OSError):
                request = urllib.request.Request(
                    f"http://127.0.0.1:{port}/cards", method="PUT", data=b""
                )
                urllib.request.urlopen(request).close()
                break
            time.sleep(0.1)
        yield {
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}",
            "AWS_ACCESS_KEY_ID": "key",
            "AWS_SECRET_ACCESS_KEY": "secret",
            "AWS_REGION": "us-east-1",
            "AWS_ALLOW_HTTP": "true",
        }
    finally:
        server.kill()
        server.wait()


class Nodes:
    """Nodes of one ledger, each a process with a folder of its own."""

    def __init__(self, program, folder, count, url, psql, schema, environment):
        self.program, self.url, self.psql = program, url, psql
        self.environment = {
            **os.environ,
            **environment,
            "FAIRDEAL_STATE": f"{url}?schema={schema}&sslmode=disable",
            "FAIRDEAL_TILES": f"s3://cards/{schema}",
        }
        first = folder / schema
        self.run("init", first, "--origin", f"{schema}.example/log")
        self.token = self.run("token", "add", "load", "--ledger", first).strip()
        self.processes, self.urls = [], []
        for nth in range(count):
            home = folder / f"{schema}-{nth}"
            shutil.copytree(first, home)
            process = subprocess.Popen(
                [program, "serve", home, "--listen", "127.0.0.1:0"],
                env=self.environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
            self.processes.append(process)
            self.urls.append(process.stdout.readline().split()[-1])

    def run(self, *words):
        return subprocess.run(
            [self.program, *words],
            env=self.environment,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        ).stdout

    def load(self):
        """Of two load generators together: deals a second, and what a deal costs the database in syncs and the nodes in
        microseconds of processor time."""
        syncs, processor = self.syncs(), self.processor()
        each = [self.urls[0], self.urls[-1]]
        line = [
            "--token",
            self.token,
            "--seconds",
            str(SECONDS),
            "--connections",
            str(CONNECTIONS),
            "--verify-every",
            "0",
        ]
        loads = [
            subprocess.Popen(
                [self.program.with_name("load"), url, *line],
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
            for url in each
        ]
        answers = [json.loads(load.communicate()[0]) for load in loads]
        deals = sum(answer["deals"] for answer in answers)
        return (
            deals / SECONDS,
            (self.syncs() - syncs) / deals,
            1e6 * (self.processor() - processor) / deals,
        )

    def syncs(self):
        """How often the database has synced its log."""
        line = [self.psql, self.url, "-Atc", "SELECT wal_sync FROM pg_stat_wal"]
        return int(subprocess.run(line, check=True, stdout=subprocess.PIPE, text=True).stdout)

    def processor(self):
        """The seconds that the processors have spent on the nodes (proc(5): utime and stime)."""
        stats = [Path(f"/proc/{one.pid}/stat").read_text() for one in self.processes]
        ticks = [stat.rpartition(")")[2].split()[11:13] for stat in stats]
        return sum(int(tick) for pair in ticks for tick in pair) / os.sysconf("SC_CLK_TCK")

    def stop(self):
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            process.wait()


def inserts(psql, url):
    """Rows a second: 1,000 in a statement, each statement durable."""
    statement = "INSERT INTO bare (row) SELECT decode(repeat('5a', {row}), 'hex') FROM generate_series(1, 1000);\n".format(
        row=ROW
    )
    script = (
        "CREATE TABLE IF NOT EXISTS bare (at BIGSERIAL PRIMARY KEY, row BYTEA NOT NULL);\n"
        + 100 * statement
    )
    began = time.monotonic()
    subprocess.run(
        [psql, url, "--quiet", "--no-psqlrc"],
        input=script,
        text=True,
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    return 100_000 / (time.monotonic() - began)


def main():
    if len(sys.argv) != 2 or not Path(sys.argv[1]).is_file():
        sys.exit(__doc__)
    program = Path(sys.argv[1]).resolve()
    with (
        tempfile.TemporaryDirectory() as folder,
        postgres() as (url, psql),
        bucket() as environment,
    ):
        found = {1: [], 2: []}
        for nth in range(ROUNDS):
            for count in (1, 2):
                nodes = Nodes(
                    program, Path(folder), count, url, psql, f"n{count}r{nth}", environment
                )
                try:
                    found[count].append(nodes.load())
                finally:
                    nodes.stop()
        bare = statistics.median(inserts(psql, url) for _ in range(3))
    for count, name in ((1, "one node"), (2, "two nodes")):
        rates = [rate for rate, _, _ in found[count]]
        _, syncs, processor = (statistics.median(column) for column in zip(*found[count]))
        print(
            f"{name}: {statistics.median(rates):.0f} deals a second ({min(rates):.0f} to {max(rates):.0f});"
            f" a deal: {syncs:.3f} syncs of the database, {processor:.0f} us of the nodes' processor time"
        )
    one, two = (statistics.median(rate for rate, _, _ in found[count]) for count in (1, 2))
    print(f"two by one: {two / one:.2f}")
    print(f"bare inserts of {ROW} bytes, 1,000 in a statement: {bare:.0f} rows a second")
    print(f"one node by them: {one / bare:.4f}")


if __name__ == "__main__":
    main()
