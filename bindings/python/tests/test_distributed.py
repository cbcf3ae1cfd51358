"""The audit on a Dask cluster: the same bytes as the command's, whatever happens to the machines.

Schedulers and workers are child processes of these tests, on loopback. A worker outlives its
scheduler, so each test ends the processes that it started, by their ids.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from clusters import Cluster, bytes_of
from conftest import cases, under_policy
from distributed import Client, progress

import fairdeal
import fairdeal.distributed

LATE = 2**53 - 1


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    folder = tmp_path / "cluster"
    folder.mkdir()
    started = Cluster(folder)
    try:
        yield started
    finally:
        started.reap()


@pytest.fixture(scope="module")
def here() -> Iterator[Client]:
    """A cluster in this process, for tests that need no other processes."""
    with Client(
        processes=False, dashboard_address=None, n_workers=1, threads_per_worker=2
    ) as client:
        yield client


@pytest.fixture(scope="module")
def longer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log of several ranges."""
    folder = tmp_path_factory.mktemp("logs") / "longer"
    fairdeal.generate(folder, deals=300_000, tables=16, rounds=5000)
    return folder


@pytest.fixture
def in_order(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Has an item for each log that was judged in order."""
    told: list[bool] = []
    original = fairdeal.distributed._in_order

    def spy(*given: Any) -> dict[str, Any]:
        told.append(True)
        return original(*given)

    monkeypatch.setattr(fairdeal.distributed, "_in_order", spy)
    return told


def tells(folder: Path, **more: Any) -> bytes:
    return bytes_of(fairdeal.audit(folder, folder / "log.key", now=LATE, **more))


#: The reason why a log whose name begins like this is judged in order, although it holds.
ODD = ("honest-other-protocol", "honest-signatures-skipped", "honest-anchors")


@pytest.mark.parametrize("folder", cases("logs") + cases("attacks", "audit"))
def test_every_frozen_log_has_the_same_verdict(
    folder: Path, here: Client, in_order: list[bool], tmp_path: Path
) -> None:
    case = json.loads((folder / "case.json").read_text())
    log = folder / "export" if (folder / "export").exists() else folder
    given: dict[str, Any] = {
        "now": LATE if case["clock"] is None else case["clock"],
        "skip_signatures": case["skip_signatures"],
        **under_policy(folder)[0],
    }
    if case["as_of"] is not None:
        given["as_of"] = case["as_of"]
    given["since"] = [folder / name for name in case["since"]]
    try:
        wanted = bytes_of(fairdeal.audit(log, folder / "key", **given))
    except fairdeal.UnavailableError as error:
        with pytest.raises(fairdeal.UnavailableError) as raised:
            fairdeal.distributed.audit(
                here, log, folder / "key", state=tmp_path, buckets=3, **given
            )
        assert str(raised.value) == str(error)
        return
    for _ in range(2):  # The second time from the state.
        told = fairdeal.distributed.audit(
            here, log, folder / "key", state=tmp_path, buckets=3, **given
        )
        assert bytes_of(told) == wanted
    if folder.name.startswith("honest") and log == folder and folder.name not in ODD:
        assert in_order == [], "a log that holds is judged in ranges"


@pytest.mark.long
def test_two_million_entries_with_a_worker_killed_on_the_way_have_the_commands_verdict(
    cluster: Cluster, program: str, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    assert fairdeal.generate(log, deals=2_000_000, tables=32, rounds=997) > 2_000_000
    line = [program, "audit", log, "--key", log / "log.key", "--clock", str(LATE), "--json"]
    with ThreadPoolExecutor() as pool:
        command = pool.submit(subprocess.run, line, capture_output=True, check=False)
        workers = [cluster.start_worker() for _ in range(2)]
        state = tmp_path / "state"
        with Client(cluster.address, timeout=60) as client:
            client.wait_for_workers(2, timeout=60)
            audit = pool.submit(
                fairdeal.distributed.audit,
                client,
                log,
                log / "log.key",
                state=state,
                now=LATE,
                buckets=16,
                range_size=fairdeal.distributed.TILE,
                progress=lambda futures: None,
            )
            while len(list(state.glob("range-*"))) < 3:
                assert not audit.done(), audit.result()
                time.sleep(0.01)
            workers[0].send_signal(signal.SIGKILL)
            workers[0].wait()
            done = len(list(state.glob("range-*")))
            assert not audit.done() and done < 30, "it was killed on the way"
            verdict = audit.result(timeout=200)
        told = command.result(timeout=300)
    assert told.returncode == 0
    assert bytes_of(verdict) == told.stdout.rstrip(b"\n")


@pytest.mark.long
def test_a_worker_that_joins_late_does_its_part(
    cluster: Cluster, longer: Path, tmp_path: Path
) -> None:
    with Client(cluster.address, timeout=60) as client, ThreadPoolExecutor() as pool:
        audit = pool.submit(
            fairdeal.distributed.audit,
            client,
            longer,
            longer / "log.key",
            state=tmp_path / "state",
            now=LATE,
            range_size=fairdeal.distributed.TILE,
            buckets=4,
        )
        time.sleep(0.5)
        assert not audit.done(), "nobody is there to do it"
        cluster.start_worker()
        assert bytes_of(audit.result(timeout=120)) == tells(longer)


@pytest.mark.long
def test_a_killed_worker_that_comes_back_goes_on(
    cluster: Cluster, longer: Path, tmp_path: Path
) -> None:
    state = tmp_path / "state"
    worker = cluster.start_worker()
    with Client(cluster.address, timeout=60) as client, ThreadPoolExecutor() as pool:
        client.wait_for_workers(1, timeout=60)
        audit = pool.submit(
            fairdeal.distributed.audit, client, longer, longer / "log.key", state=state, now=LATE,
            range_size=fairdeal.distributed.TILE, buckets=4,
        )
        while not list(state.glob("range-*")):
            assert not audit.done(), audit.result()
            time.sleep(0.01)
        # It was the only worker: no task runs until it is back.
        worker.send_signal(signal.SIGKILL)
        worker.wait()
        kept = {file.name: file.stat().st_mtime_ns for file in state.glob("range-*")}
        time.sleep(0.5)
        assert not audit.done() and len(kept) < 5, "it was killed on the way"
        cluster.start_worker()
        assert bytes_of(audit.result(timeout=120)) == tells(longer)
    assert {name: (state / name).stat().st_mtime_ns for name in kept} == kept, (
        "what was done is not done again"
    )


@pytest.mark.long
def test_a_killed_scheduler_is_a_clear_error_and_the_next_audit_goes_on(
    cluster: Cluster, longer: Path, tmp_path: Path
) -> None:
    state = tmp_path / "state"
    worker = cluster.start_worker()
    given = {"state": state, "now": LATE, "range_size": fairdeal.distributed.TILE, "buckets": 4}

    def kill(_futures: list[Any]) -> None:
        until = time.monotonic() + 60
        while not list(state.glob("range-*")) and time.monotonic() < until:
            time.sleep(0.01)
        cluster.scheduler.kill()
        cluster.scheduler.wait()

    with (
        Client(cluster.address, timeout=10) as client,
        pytest.raises(fairdeal.UnavailableError, match="same state to go on"),
    ):
        fairdeal.distributed.audit(client, longer, longer / "log.key", progress=kill, **given)
    kept = {file.name: file.stat().st_mtime_ns for file in state.glob("range-*")}
    assert kept
    # The old worker may connect to a new scheduler at the same address, or not: another worker
    # exists in any case.
    cluster.scheduler = cluster.start_scheduler()
    cluster.start_worker()
    with Client(cluster.address, timeout=60) as client:
        client.wait_for_workers(1, timeout=60)
        verdict = fairdeal.distributed.audit(client, longer, longer / "log.key", **given)
    assert bytes_of(verdict) == tells(longer)
    assert {name: (state / name).stat().st_mtime_ns for name in kept} == kept, (
        "what was done is not done again"
    )
    del worker


@pytest.mark.long
def test_the_state_of_a_range_that_was_changed_is_an_error_and_then_made_again(
    here: Client, longer: Path, tmp_path: Path
) -> None:
    given = {
        "state": tmp_path,
        "now": LATE,
        "range_size": fairdeal.distributed.TILE,
        "buckets": 4,
        "retries": 0,
    }
    wanted = bytes_of(fairdeal.distributed.audit(here, longer, longer / "log.key", **given))
    file = sorted(tmp_path.glob("range-*"))[1]
    data = bytearray(file.read_bytes())
    data[-10] ^= 1
    file.write_bytes(data)
    for bucket in tmp_path.glob("bucket-*"):
        bucket.unlink()
    # One task finds other bytes and removes the file; another may then find none.
    with pytest.raises(fairdeal.UnavailableError, match="it is made again next time"):
        fairdeal.distributed.audit(here, longer, longer / "log.key", **given)
    assert (
        bytes_of(fairdeal.distributed.audit(here, longer, longer / "log.key", **given))
        == wanted
        == tells(longer)
    )
    # An incomplete file counts as missing.
    file.write_bytes(file.read_bytes()[:-5])
    assert bytes_of(fairdeal.distributed.audit(here, longer, longer / "log.key", **given)) == wanted


@pytest.mark.long
@pytest.mark.parametrize("what", ["entries", "tile", "missing"])
def test_a_corrupted_range_of_the_log_is_found_as_the_command_finds_it(
    what: str, here: Client, longer: Path, in_order: list[bool], tmp_path: Path
) -> None:
    log = tmp_path / "log"
    shutil.copytree(longer, log)
    file = log / ("tile/0/x001/000" if what == "tile" else "tile/entries/x001/000")
    if not file.exists():
        file = log / ("tile/0/600" if what == "tile" else "tile/entries/600")
    if what == "missing":
        file.unlink()
    else:
        data = bytearray(file.read_bytes())
        data[100] ^= 1
        file.write_bytes(data)
    given = {
        "state": tmp_path / "state",
        "now": LATE,
        "range_size": fairdeal.distributed.TILE,
        "buckets": 4,
    }
    told = fairdeal.distributed.audit(here, log, log / "log.key", **given)
    assert not told["holds"] and in_order == [True]
    assert bytes_of(told) == tells(log)


@pytest.mark.long
def test_two_logs_keep_their_state_in_one_folder(
    here: Client, longer: Path, in_order: list[bool], tmp_path: Path
) -> None:
    """Another log under another key has another state: neither is used for the other."""
    state = tmp_path / "state"
    given = {"state": state, "now": LATE, "range_size": fairdeal.distributed.TILE, "buckets": 4}
    other = tmp_path / "other"
    fairdeal.generate(other, deals=300_000, tables=16, rounds=5000, seed=2)
    fairdeal.distributed.audit(here, longer, longer / "log.key", **given)
    told = fairdeal.distributed.audit(here, other, other / "log.key", **given)
    assert bytes_of(told) == tells(other) and in_order == []


def test_what_was_kept_of_a_full_range_is_used_again_for_a_log_that_is_longer_now(
    here: Client, in_order: list[bool], tmp_path: Path
) -> None:
    log, state = tmp_path / "log", tmp_path / "state"
    given = {"state": state, "now": LATE, "range_size": fairdeal.distributed.TILE, "buckets": 4}
    fairdeal.generate(log, deals=70_000, tables=16, rounds=5000)
    assert bytes_of(fairdeal.distributed.audit(here, log, log / "log.key", **given)) == tells(log)
    full = {
        name: (state / name).stat().st_mtime_ns
        for name in os.listdir(state)
        if name.startswith("range-0-65536-")
    }
    assert len(full) == 1
    shutil.rmtree(log)
    fairdeal.generate(log, deals=90_000, tables=16, rounds=5000)
    verdict = fairdeal.distributed.audit(here, log, log / "log.key", **given)
    assert bytes_of(verdict) == tells(log)
    assert in_order == [] and verdict["deals"] == 90_000
    assert {name: (state / name).stat().st_mtime_ns for name in full} == full, (
        "it is not read again"
    )


def test_what_was_kept_of_one_history_is_not_taken_for_another_under_the_same_key_and_name(
    here: Client, in_order: list[bool], tmp_path: Path
) -> None:
    log, state = tmp_path / "log", tmp_path / "state"
    given = {"state": state, "now": LATE, "range_size": fairdeal.distributed.TILE, "buckets": 4}
    fairdeal.generate(log, deals=70_000, tables=16, rounds=5000)
    key = (log / "log.key").read_text()
    first = fairdeal.distributed.audit(here, log, key, **given)
    shutil.move(log, tmp_path / "first")
    # Another history, whose commitments are open over several ranges.
    fairdeal.generate(log, deals=70_000, tables=2, rounds=70_000)
    assert (log / "log.key").read_text() == key
    assert (
        bytes_of(fairdeal.distributed.audit(here, log, key, **given))
        == tells(log)
        != bytes_of(first)
    )
    assert in_order == [True], "what was kept does not fit"
    # Results of both together are not kept either: without the old ranges the answer is right, and
    # in ranges.
    for kept in state.glob("range-*"):
        kept.unlink()
    assert bytes_of(fairdeal.distributed.audit(here, log, key, **given)) == tells(log)
    assert in_order == [True]
    # The same for the first history.
    shutil.rmtree(log)
    shutil.move(tmp_path / "first", log)
    assert fairdeal.distributed.audit(here, log, key, **given) == first


def test_an_older_checkpoint_is_compared_as_the_command_compares_it(
    here: Client, in_order: list[bool], tmp_path: Path
) -> None:
    log, other = tmp_path / "log", tmp_path / "other"
    fairdeal.generate(log, deals=70_000, tables=16, rounds=5000)
    fairdeal.generate(other, deals=66_000, tables=16, rounds=5000)
    given = {
        "state": tmp_path / "state",
        "now": LATE,
        "range_size": fairdeal.distributed.TILE,
        "buckets": 4,
    }
    same = fairdeal.distributed.audit(
        here, log, log / "log.key", since=[log / "checkpoint"], **given
    )
    assert (
        bytes_of(same) == tells(log, since=[log / "checkpoint"])
        and same["holds"]
        and in_order == []
    )
    # The shorter log has another end: a fork.
    forked = fairdeal.distributed.audit(
        here, log, log / "log.key", since=[other / "checkpoint"], **given
    )
    assert bytes_of(forked) == tells(log, since=[other / "checkpoint"])
    assert forked["counts"] == {"inconsistent": 1} and in_order == [True]


@pytest.mark.long
def test_s3_that_fails_one_read_in_five_gives_the_same_verdict(
    here: Client,
    generated: Path,
    in_order: list[bool],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import fsspec
    import s3fs
    from moto.server import ThreadedMotoServer

    from fairdeal import remote

    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        options = {"key": "k", "secret": "s", "endpoint_url": f"http://{host}:{port}"}
        reads = {"all": 0, "failed": 0, "every": 0}
        original = s3fs.S3FileSystem._cat_file

        async def failing(self: Any, *given: Any, **more: Any) -> Any:
            reads["all"] += 1
            if reads["every"] and reads["all"] % reads["every"] == 0:
                reads["failed"] += 1
                raise OSError("the line is down")
            return await original(self, *given, **more)

        # Before a file system is made, because it binds its methods then.
        monkeypatch.setattr(s3fs.S3FileSystem, "_cat_file", failing)
        s3fs.S3FileSystem.clear_instance_cache()
        files = fsspec.filesystem("s3", **options)
        files.mkdir("logs")
        files.put(str(generated), "logs/public", recursive=True)
        reads["every"] = 5
        log = remote.FsspecLog("s3://logs/public", wait=0.001, **options)
        given = {"state": "s3://logs/state", "state_options": options, "now": LATE, "buckets": 4}
        told = fairdeal.distributed.audit(here, log, generated / "log.key", **given)
        assert reads["failed"] > 3 and in_order == []
        wanted = fairdeal.audit(generated, generated / "log.key", now=LATE, as_of="now")
        assert bytes_of(told) == bytes_of(wanted)
        # If no read succeeds there is no verdict.
        reads["every"] = 1
        with pytest.raises(fairdeal.UnavailableError, match="down"):
            fairdeal.distributed.audit(here, log, generated / "log.key", retries=0, **given)
    finally:
        server.stop()


def test_rows_of_several_files_are_checked(here: Client, tmp_path: Path) -> None:
    files = [Path("fixtures/dialects") / f"{name}.json" for name in ("stake-crash", "stake-crash")]
    answer = fairdeal.distributed.check(
        here, "stake-crash", [*files, tmp_path / "nowhere"], keep_rows=True
    )
    one = fairdeal.check_rows("stake-crash", files[0])
    assert answer["valid"] == 2 * one["valid"] and answer["invalid"] == 2 * one["invalid"]
    assert answer["files"][0] == {"file": str(files[0]), **one}
    assert answer["files"][2]["error"]["code"] == "unavailable" and not answer["holds"]


def test_wrong_arguments_are_told_before_any_work(here: Client, tmp_path: Path) -> None:
    with pytest.raises(fairdeal.UsageError, match="multiple of 65,536"):
        fairdeal.distributed.audit(here, "nowhere", "a+b+c", state=tmp_path, range_size=1000)
    for wrong in ({"retries": -1}, {"range_size": "x"}, {"skip_signatures": 1}, {"state": 5}):
        with pytest.raises(fairdeal.UsageError, match=f"{next(iter(wrong))}: expected"):
            fairdeal.distributed.audit(here, "nowhere", "a+b+c", **{"state": "nowhere", **wrong})  # type: ignore[arg-type]
    log = "fixtures/logs/honest-example"
    with pytest.raises(fairdeal.UsageError, match="policy: line 1 of the policy"):
        fairdeal.distributed.audit(here, log, f"{log}/key", state=tmp_path, policy=b"x")
    with pytest.raises(fairdeal.UsageError, match="files: expected paths or URLs, found 5"):
        fairdeal.distributed.check(here, "bustabit", 5)  # type: ignore[arg-type]
    with pytest.raises(fairdeal.UsageError, match="expected at least one"):
        fairdeal.distributed.check(here, "stake-crash", [])
    assert callable(progress)
