"""A Dask cluster on loopback, for the tests and the measurements (``scale.py``).

Its scheduler and workers are child processes. A worker outlives its scheduler, so each process is
ended by its id.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
NO_LIMITS = {**os.environ, "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "10s"}


def bytes_of(verdict: dict[str, Any]) -> bytes:
    """A verdict as the command writes it."""
    return json.dumps(verdict, separators=(",", ":"), ensure_ascii=False).encode()


class Cluster:
    """A scheduler and its workers, each a process."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.processes: list[subprocess.Popen[bytes]] = []
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{self.port}"
        self.scheduler = self.start_scheduler()

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        line = [sys.executable, "-m", "distributed.cli." + arguments[0], *arguments[1:]]
        log = (self.folder / f"process-{len(self.processes)}.log").open("wb")
        process = subprocess.Popen(line, env=NO_LIMITS, stdout=log, stderr=log, cwd=ROOT)
        self.processes.append(process)
        return process

    def start_scheduler(self) -> subprocess.Popen[bytes]:
        return self.start(
            "dask_scheduler", "--host", "127.0.0.1", "--port", str(self.port), "--no-dashboard"
        )

    def start_worker(self) -> subprocess.Popen[bytes]:
        # Without a nanny, which would start a killed worker again.
        return self.start(
            "dask_worker",
            self.address,
            "--host",
            "127.0.0.1",
            "--nthreads",
            "1",
            "--no-nanny",
            "--no-dashboard",
            "--local-directory",
            str(self.folder),
            "--memory-limit",
            "0",
        )

    def reap(self) -> None:
        for process in reversed(self.processes):
            if process.poll() is None:
                process.kill()
            process.wait()
