"""Whole logs: the frozen ones, and the command's own answers, byte for byte."""

from __future__ import annotations

import functools
import json
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Command, cases, under_policy, without_says

import fairdeal

#: A clock later than every entry.
LATE = 2**53 - 1


def source(folder: Path) -> Path:
    return folder / "export" if (folder / "export").exists() else folder


def arguments(folder: Path, case: dict[str, Any]) -> tuple[dict[str, Any], list[object]]:
    """The inputs of a case, for the package and for the command."""
    now = LATE if case["clock"] is None else case["clock"]
    given: dict[str, Any] = {"now": now, "skip_signatures": case["skip_signatures"]}
    line: list[object] = ["audit", source(folder), "--key", folder / "key", "--clock", now]
    if case["skip_signatures"]:
        line += ["--skip-signatures"]
    if case["as_of"] is not None:
        given["as_of"] = case["as_of"]
        line += ["--as-of", case["as_of"]]
    given["since"] = [folder / name for name in case["since"]]
    for name in case["since"]:
        line += ["--since", folder / name]
    policy, option = under_policy(folder)
    return {**given, **policy}, [*line, *option]


@pytest.mark.parametrize("folder", cases("logs") + cases("attacks", "audit"))
def test_an_audit_gives_the_frozen_verdict_and_the_very_object_of_the_command(
    folder: Path, command: Command
) -> None:
    case = json.loads((folder / "case.json").read_text())
    given, line = arguments(folder, case)
    code, told = command(*line)
    if code == 3:
        with pytest.raises(fairdeal.UnavailableError) as raised:
            fairdeal.audit(source(folder), folder / "key", **given)
        assert str(raised.value) == told["error"]["says"]
        return
    verdict = fairdeal.audit(source(folder), folder / "key", **given)
    if case["as_of"] is not None and case["as_of"] < 10**9:
        # The command refuses times that people do not mean.
        assert code == 2 and "--as-of" in told["error"]["says"]
    else:
        assert json.dumps(verdict) == json.dumps(told)
        assert verdict["holds"] == (code == 0)
    # Neither is told what earlier audits missed: the command reads it from its saved state.
    if case.get("missed"):
        return
    found = without_says(verdict)
    if case["clock"] is None:
        found["clock"] = found["overdue_by_clock"] = None
    assert found == case["verdict"]


def test_a_log_behind_a_url_and_one_that_python_reads_give_the_same_findings(
    generated: Path, tmp_path: Path
) -> None:
    import http.server

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *given: Any) -> None:
            super().__init__(*given, directory=str(generated))

        def log_message(self, *_: Any) -> None:
            pass

    class Reader:
        name = "reader"

        def read(self, path: str, at_most: int) -> bytes | None:
            file = generated / path
            return file.read_bytes()[: at_most + 1] if file.exists() else None

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        of_folder = fairdeal.audit(generated, generated / "log.key", now=LATE, as_of="now")
        url = f"http://127.0.0.1:{server.server_port}"
        assert fairdeal.audit(url, generated / "log.key", now=LATE) == of_folder
        assert fairdeal.audit(Reader(), generated / "log.key", now=LATE) == of_folder
    finally:
        server.shutdown()
        server.server_close()


def test_a_saved_audit_goes_on_where_it_was(generated: Path, tmp_path: Path) -> None:
    state = tmp_path / "state"
    first = fairdeal.audit(generated, generated / "log.key", now=LATE, state=state)
    assert state.read_text().count("\n") == 2
    again = fairdeal.audit(generated, generated / "log.key", now=LATE, state=state)
    assert (first.pop("judged_before"), again.pop("judged_before")) == (0, first["size"])
    assert again == first


def test_an_audit_that_was_saved_under_another_policy_begins_again(tmp_path: Path) -> None:
    log, state = Path("fixtures/logs/backdated"), tmp_path / "state"
    policy = (log / "policy").read_bytes()
    judged = functools.partial(fairdeal.audit, log, log / "key", now=LATE)
    assert judged(state=state)["counts"] == {"time-runs-back": 1}
    for before in (0, fairdeal.log_size(log)):
        again = judged(state=state, policy=policy)
        assert again.pop("judged_before") == before
        assert again == judged(policy=log / "policy") and again["counts"]["backdated"] == 1


def test_other_threads_run_while_a_log_is_judged_and_progress_is_told(generated: Path) -> None:
    ticks, told, over = [], [], threading.Event()

    def tick() -> None:
        while not over.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    try:
        begun = time.monotonic()
        fairdeal.stats(generated, progress=lambda done, size: told.append((done, size)))
        fairdeal.audit(
            generated,
            generated / "log.key",
            now=LATE,
            statistics=True,
            progress=lambda *at: told.append(at),
        )
        ended = time.monotonic()
    finally:
        over.set()
        thread.join()
    during = [tick for tick in ticks if begun < tick < ended]
    assert len(during) > 10, f"{len(during)} ticks in {ended - begun} s"
    assert told[-1] == (fairdeal.log_size(generated),) * 2


def test_an_exception_of_progress_ends_the_audit(generated: Path) -> None:
    class Enough(Exception):
        pass

    def progress(_done: int, _size: int) -> None:
        raise Enough

    with pytest.raises(Enough):
        fairdeal.audit(
            generated, generated / "log.key", now=LATE, statistics=True, progress=progress
        )


@pytest.mark.parametrize(
    "work",
    [
        lambda _: fairdeal.lab("fisher-yates", items=512, decks=10_000_000),
        lambda folder: fairdeal.generate(folder / "log", deals=100_000_000),
    ],
    ids=["lab", "generate"],
)
def test_ctrl_c_ends_work_of_minutes(work: Callable[[Path], object], tmp_path: Path) -> None:
    # A shell's background job ignores SIGINT.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            work(tmp_path)
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_fork_works_with_threads_of_its_own(generated: Path) -> None:
    verdict = fairdeal.audit(generated, generated / "log.key", now=LATE)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        pending = pool.starmap_async(fairdeal.audit, [(generated, generated / "log.key")] * 3)
        assert all(one["root"] == verdict["root"] for one in pending.get(timeout=60))


def test_statistics_of_a_log_are_those_of_the_command(generated: Path, command: Command) -> None:
    key = generated / "log.key"
    assert command("stats", generated)[1] == fairdeal.stats(generated)
    assert command("stats", generated, "--key", key)[1] == fairdeal.stats(generated, key)
    assert command("stats", generated, "--after", 2000)[1] == fairdeal.stats(generated, after=2000)
    assert command("audit", generated, "--key", key, "--clock", LATE, "--statistics")[
        1
    ] == fairdeal.audit(generated, key, now=LATE, statistics=True)
