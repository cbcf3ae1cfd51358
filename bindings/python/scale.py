"""Makes the measurements of docs/costs.md, and draws its plots.

    ./check bindings                                    # makes the environment and the package
    cargo build --release
    target/python-bindings/bin/python bindings/python/scale.py --entries 10000000

It writes ``figures.json`` and the tables to ``target/scale``, and the plots to ``docs/pictures``.
Ten million entries need 10 GB of disk under ``--output`` and half an hour, on a machine without
much other work. ``--only`` names parts of the measurements.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import psutil
from distributed import Client

import fairdeal
import fairdeal.distributed

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bindings/python/tests"))

from clusters import Cluster, bytes_of  # noqa: E402

LATE = 2**53 - 1
MILLION = 1_000_000


@dataclass
class Cost:
    """The cost of a process: seconds, seconds of processor time, and maximum bytes of memory."""

    wall: float
    cpu: float
    memory: int


def run(line: list[Any]) -> tuple[bytes, Cost]:
    """Runs a command to its end."""
    began = time.monotonic()
    with subprocess.Popen(
        [str(word) for word in line], stdout=subprocess.PIPE, cwd=ROOT
    ) as process:
        assert process.stdout is not None
        printed = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"error: {line[0]} {line[1]}: exit {process.returncode}")
    return printed, Cost(
        time.monotonic() - began, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024
    )


def bytes_under(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


@dataclass
class Here:
    """The folder and the tools of a run."""

    program: Path
    folder: Path
    entries: int

    def generate(self, name: str, **terms: int) -> Path:
        """A log. An existing one is used again: the same arguments give the same bytes."""
        log = self.folder / name
        if not (log / "checkpoint").exists():
            shutil.rmtree(log, ignore_errors=True)
            run(
                [
                    self.program,
                    "generate",
                    "-o",
                    log,
                    *(word for key, n in terms.items() for word in (f"--{key}", n)),
                ]
            )
        return log

    def audit(self, log: Path) -> tuple[bytes, Cost]:
        printed, cost = run(
            [self.program, "audit", log, "--key", log / "log.key", "--clock", LATE, "--json"]
        )
        return printed.strip(), cost


def curves(here: Here) -> list[dict[str, Any]]:
    """The audit of logs from 1,000 entries on, and the bytes of an entry."""
    rows, size = [], 1000
    while size <= here.entries:
        log = here.generate(f"log-{size}", deals=size)
        tries = [here.audit(log)[1] for _ in range(3 if size < MILLION else 1)]
        best = min(tries, key=lambda cost: cost.wall)
        entries = int((log / "checkpoint").read_text().splitlines()[1])
        shares = {
            part: bytes_under(log / "tile" / part) / entries
            for part in ("entries", *"0123")
            if (log / "tile" / part).exists()
        }
        rows.append({"entries": entries, **asdict(best), "bytes": shares})
        print(rows[-1], flush=True)
        size *= 10
    return rows


def ledger(here: Here) -> list[dict[str, float]]:
    """The cost of a growing ledger, by its own bench."""
    line = [
        "cargo",
        "bench",
        "--quiet",
        "--bench",
        "ledger_cost",
        "--all-features",
        "--",
        str(here.entries),
    ]
    done = subprocess.run(
        line,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        check=True,
        env={**os.environ, "FAIRDEAL_BENCH_DIR": str(here.folder)},
    )
    names, *lines = [
        re.split(r"\s{2,}", each.strip()) for each in done.stdout.decode().splitlines() if each
    ]
    return [dict(zip(names, map(float, each), strict=True)) for each in lines]


class Watched(Cluster):
    """A cluster of two workers, whose memory and processor time are watched."""

    def __init__(self, folder: Path) -> None:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        super().__init__(folder)
        self.peak = 0
        self.used: dict[int, float] = {}
        self.workers = [self.start_worker() for _ in range(2)]
        self.ended = threading.Event()
        self.watcher = threading.Thread(target=self.watch)
        self.watcher.start()

    def watch(self) -> None:
        """The memory that a worker has at most, and the processor time of each."""
        while not self.ended.wait(0.05):
            for worker in list(self.workers):
                try:
                    process = psutil.Process(worker.pid)
                    self.peak = max(self.peak, process.memory_info().rss)
                    self.used[worker.pid] = sum(process.cpu_times()[:2])
                except psutil.Error:
                    continue

    def kill_one(self, state: Path) -> None:
        """Kills a worker in the middle of the work, and starts another."""
        while len(list(state.glob("range-*"))) < 1:
            time.sleep(0.02)
        self.workers[0].send_signal(signal.SIGKILL)
        self.workers.append(self.start_worker())

    def reap(self) -> None:
        self.ended.set()
        self.watcher.join()
        super().reap()


@contextmanager
def clusters(here: Here) -> Iterator[tuple[Watched, Client]]:
    cluster = Watched(here.folder / "cluster")
    try:
        with Client(cluster.address, timeout="60s") as client:
            client.wait_for_workers(2, timeout=60)
            yield cluster, client
    finally:
        cluster.reap()


def distributed(here: Here, log: Path, kill: bool = False, **options: Any) -> dict[str, Any]:
    """An audit on two workers; compares the verdict's bytes with the command's."""
    state = here.folder / "state"
    shutil.rmtree(state, ignore_errors=True)
    with clusters(here) as (cluster, client):
        audit = partial(
            fairdeal.distributed.audit,
            client,
            str(log),
            str(log / "log.key"),
            state=str(state),
            now=LATE,
            **options,
        )
        before = dict(cluster.used)
        began = time.monotonic()
        if kill:
            threading.Thread(target=cluster.kill_one, args=(state,), daemon=True).start()
        verdict = audit()
        wall = time.monotonic() - began
        time.sleep(0.2)
        cpu = sum(used - before.get(pid, 0) for pid, used in cluster.used.items())
        began = time.monotonic()
        again = audit()
        again_wall = time.monotonic() - began
    expected, cost = here.audit(log)
    store = fairdeal.distributed.Store(str(state))
    kept: dict[str, int] = {}
    for path in state.glob("range-*"):
        header, _ = store._header(path.name) or ({"parts": {}}, 0)
        for part, (_, size, _) in header["parts"].items():
            kind = part.partition("-")[0]
            kept[kind] = kept.get(kind, 0) + size
    return {
        "entries": verdict["size"],
        "same": bytes_of(verdict) == expected == bytes_of(again),
        "wall": wall,
        "cpu": cpu,
        "memory": cluster.peak,
        "again": again_wall,
        "kept": kept,
        "state": bytes_under(state),
        "command": asdict(cost),
    }


def interleaving(here: Here) -> list[dict[str, Any]]:
    """The data passed between ranges, by the number of commitments open at once."""
    rows = []
    for tables in (1, 100, 10_000):
        log = here.generate(
            f"tables-{tables}", deals=min(here.entries, 2 * MILLION), tables=tables, rounds=100
        )
        rows.append({"open": tables, **distributed(here, log)})
        print(rows[-1], flush=True)
    return rows


class Counting(SimpleHTTPRequestHandler):
    """A static file server that counts."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    requests = 0
    sent = 0

    def do_GET(self) -> None:
        Counting.requests += 1
        super().do_GET()

    def copyfile(self, source: Any, outputfile: Any) -> None:
        data = source.read()
        Counting.sent += len(data)
        outputfile.write(data)

    def log_message(self, format: str, *arguments: Any) -> None:
        del format, arguments


def following(here: Here) -> dict[str, Any]:
    """The cost of following one log: its checkpoints, or the whole log."""
    folder = here.folder / "followed"
    shutil.rmtree(folder, ignore_errors=True)
    run([here.program, "init", folder, "--origin", "followed.example/log"])
    key = folder / "public.key"
    key.write_bytes(run([here.program, "log-key", "--ledger", folder])[0])
    token = run([here.program, "token", "add", "load", "--ledger", folder])[0].decode().strip()

    def grow(rate: int, seconds: int) -> None:
        with subprocess.Popen(
            [here.program, "serve", folder, "--listen", "127.0.0.1:0"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as serving:
            assert serving.stdout is not None
            url = serving.stdout.readline().decode().split()[-1]
            load = [
                url,
                "--token",
                token,
                "--tables",
                "64",
                "--rate",
                str(rate),
                "--seconds",
                str(seconds),
                "--verify-every",
                "0",
            ]
            run([Path(here.program).with_name("load"), *load])
            serving.terminate()

    grow(1000, 60)
    server = ThreadingHTTPServer(
        ("127.0.0.1", 0), partial(Counting, directory=str(folder / "public"))
    )
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}"
    saved, state, cache = (here.folder / name for name in ("saved.note", "audit.state", "cache"))
    shutil.rmtree(cache, ignore_errors=True)
    for old in (saved, state):
        old.unlink(missing_ok=True)
    asked = {
        "checkpoint": ["checkpoint", url, "--key", key, "-o", saved],
        "audit": ["audit", url, "--key", key, "--state", state, "--cache", cache, "--json"],
    }
    found: dict[str, Any] = {}
    for when in ("first", "later"):
        for name, words in asked.items():
            Counting.requests = Counting.sent = 0
            _, cost = run([here.program, *words])
            size = int((folder / "public/checkpoint").read_text().splitlines()[1])
            found[f"{name}, {when}"] = {
                "entries": size,
                "requests": Counting.requests,
                "sent": Counting.sent,
                **asdict(cost),
            }
            print(found, flush=True)
        if when == "first":
            grow(100, 10)
    found["state"] = state.stat().st_size
    server.shutdown()
    return found


def draw(figures: dict[str, Any], pictures: Path) -> None:
    """The plots of docs/costs.md."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams.update(
        {
            "svg.hashsalt": "scale",
            "svg.fonttype": "none",
            "font.size": 10,
            "axes.spines.top": False,
            "axes.spines.right": False,
        }
    )
    from matplotlib import pyplot

    def save(name: str) -> None:
        pyplot.tight_layout()
        pyplot.savefig(pictures / f"{name}.svg", metadata={"Date": None})
        pyplot.close()

    if {"curves", "ledger"} <= figures.keys():
        _, (left, right) = pyplot.subplots(1, 2, figsize=(9, 3.6))
        rows = figures["curves"]
        left.loglog(
            [row["entries"] for row in rows], [row["wall"] for row in rows], "o-", color="#1f5fa8"
        )
        left.set(title="A whole audit", xlabel="entries", ylabel="seconds")
        rows = figures["ledger"]
        for name, says, style in (
            ("receipt ms", "a receipt", "o-"),
            ("open ms", "a ledger opens", "s-"),
            ("serve ms", "the service listens", "^-"),
        ):
            right.semilogx(
                [row["entries"] for row in rows], [row[name] for row in rows], style, label=says
            )
        right.set(
            title="A receipt, and a start", xlabel="entries", ylabel="milliseconds", ylim=(0, None)
        )
        right.legend(frameon=False)
        save("scale-curves")
    if "interleaving" in figures:
        rows = figures["interleaving"]
        _, axes = pyplot.subplots(figsize=(6, 3.2))
        bytes_each = [row["kept"]["crossing"] / row["entries"] for row in rows]
        bars = axes.bar(
            [f"{row['open']:,}" for row in rows], bytes_each, color="#1f5fa8", width=0.5
        )
        axes.bar_label(bars, [f"{each:.3g}" for each in bytes_each])
        axes.set(
            title="What crosses from range to range",
            xlabel="commitments open at once, of 100 rounds each",
            ylabel="bytes for each entry",
        )
        save("scale-crossing")


def main() -> None:
    parts: dict[str, Callable[[Here], Any]] = {
        "curves": curves,
        "ledger": ledger,
        "interleaving": interleaving,
        "following": following,
        "cluster": lambda here: distributed(
            here, here.generate(f"log-{here.entries}", deals=here.entries), kill=True
        ),
    }
    asked = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    asked.add_argument("--entries", type=int, default=MILLION)
    asked.add_argument("--program", type=Path, default=ROOT / "target/release/fairdeal")
    asked.add_argument("--output", type=Path, default=ROOT / "target/scale")
    asked.add_argument("--pictures", type=Path, default=ROOT / "docs/pictures")
    asked.add_argument(
        "--only",
        choices=parts,
        nargs="*",
        default=list(parts),
        help="measure these alone; none: draw what was measured",
    )
    given = asked.parse_args()
    if given.entries < 1000:
        asked.error(f"--entries: expected 1,000 or more, found {given.entries}")
    if not given.program.is_file():
        asked.error(
            f"--program: expected the command, found nothing at {given.program}; cargo build --release makes it"
        )
    given.output.mkdir(parents=True, exist_ok=True)
    here = Here(given.program.resolve(), given.output.resolve(), given.entries)
    kept = given.output / "figures.json"
    figures = json.loads(kept.read_text()) if kept.exists() else {}
    for name in given.only:
        figures[name] = parts[name](here)
        kept.write_text(json.dumps(figures, indent=2))
        print(json.dumps({name: figures[name]}, indent=2), flush=True)
    draw(figures, given.pictures)


if __name__ == "__main__":
    main()
