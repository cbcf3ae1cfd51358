"""An audit on many machines, by Dask: the verdict is byte for byte that of ``fairdeal audit --json``.

1. Each range of entries (whole tiles) is one task. It reads the entries straight from the log, hashes them, compares the
   tiles over them, and judges the commitments that begin and end in it.
2. The entries of the other commitments are put into buckets, by a salted hash of the commitment. Each bucket is one task,
   so that no task holds all of them.
3. Sums are added in a tree. Seeds that many players brought, and the turns of tables, are judged
   from the tasks' notes.
4. The tiles above, the root and the checkpoint are compared, and the verdict is made.

A task's result is kept in ``state``, under its range and the version of the code, written whole or
not at all. So an audit whose scheduler or driver died continues, and a later audit reads only new
entries.

A log in which an entry has no effect, a commit is out of turn, time runs back, or a file is missing
or wrong, does not hold, and its findings depend on the order of all entries. Such a log is judged
again, in order, on one worker. Under a policy every log is judged so.
"""

from __future__ import annotations

import functools
import hashlib
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from . import _fairdeal, rows
from ._answers import Answer, answer_of
from ._expected import CALL, FLAG, NAMES, PATH, SMALL, TEXT, WHOLE, expects, is_path, several, wrong
from ._inputs import PathOrText, Reader, Time, When, key_text, notes, opened, policy_bytes, when
from ._store import Store
from .errors import FairdealError, UnavailableError, UsageError

if TYPE_CHECKING:
    from distributed import Client

#: Entries under a tile of the second level: a range has a multiple of them.
TILE = 65_536

#: How many results are added in one task.
TOGETHER = 16


@functools.cache
def code_version() -> str:
    """The version of the code: the package's, and a hash of its native half."""
    from . import __version__

    native = hashlib.sha256()
    with open(str(_fairdeal.__file__), "rb") as file:
        while chunk := file.read(1 << 20):
            native.update(chunk)
    return f"{__version__}-{native.hexdigest()[:12]}"


@dataclass(frozen=True)
class _Plan:
    """The inputs of every task."""

    log: str | Reader
    key: str
    size: int
    buckets: int
    salt: bytes
    clock: int | None
    skip_signatures: bool
    store: Store
    version: str
    options: Mapping[str, Any] = field(default_factory=dict)

    def name(self, kind: str, *of: object) -> str:
        """A file's name: its range or bucket, the options, and the version of the code."""
        who = hashlib.sha256(
            f"{self.key}\n{self.salt.hex()}\n{self.buckets}\n{self.skip_signatures}".encode()
        )
        return "-".join([kind, *map(str, of), who.hexdigest()[:12], self.version])

    def check_version(self) -> None:
        if code_version() != self.version:
            says = f"expected fairdeal {self.version} on this worker, found {code_version()}"
            raise UnavailableError("unavailable", says)


def _parts(judged: tuple[bytes, bytes, list[bytes]]) -> dict[str, bytes]:
    total, seeds, turns = judged
    return {"sum": total, "seeds": seeds, **{f"turns-{at}": of for at, of in enumerate(turns)}}


def _range(plan: _Plan, start: int, end: int) -> tuple[str, dict[str, Any]]:
    """Judges a range, unless its state exists. Returns its name and its header."""
    plan.check_version()
    name = plan.name("range", start, end)
    # When a log grows, the last range has another end and another tile over it, and so another
    # name.
    if (meta := plan.store.meta(name)) is not None:
        return name, meta
    why, found = _fairdeal.judge_range(
        plan.log,
        plan.key,
        plan.size,
        (start, end),
        plan.buckets,
        plan.salt,
        plan.clock,
        plan.skip_signatures,
    )
    if found is None:
        # Not kept: a missing file may exist later.
        return name, {"why": why}
    times, tree, judged, crossing = found
    parts = _parts(judged)
    for at, (entries, ended) in enumerate(crossing):
        parts[f"crossing-{at}"], parts[f"ended-{at}"] = entries, ended
    held = sum(len(entries) for entries, _ in crossing)
    meta = {"why": None, "times": times, "tree": tree, "crossing": held}
    plan.store.write(name, meta, parts)
    return name, meta


def _bucket(
    plan: _Plan, bucket: int, ranges: Sequence[str], root: str, times: tuple[int | None, int | None]
) -> tuple[str, dict[str, Any]]:
    """Judges the commitments of a bucket, unless its state exists."""
    plan.check_version()
    name = plan.name("bucket", bucket, plan.size, root, *times)
    if (meta := plan.store.meta(name)) is not None:
        return name, meta
    parts = [
        (plan.store.part(of, f"crossing-{bucket}"), plan.store.part(of, f"ended-{bucket}"))
        for of in ranges
    ]
    why, judged = _fairdeal.judge_bucket(
        plan.log, plan.key, plan.size, parts, plan.buckets, plan.salt, times, plan.skip_signatures
    )
    if judged is None:
        return name, {"why": why}
    meta = {"why": None}
    plan.store.write(name, meta, _parts(judged))
    return name, meta


def _read_and(
    plan: _Plan, add: Callable[[list[bytes]], bytes], part: str, names: Sequence[str]
) -> bytes:
    return add([plan.store.part(name, part) for name in names])


def _givers(plan: _Plan, first: bytes, names: Sequence[str]) -> bytes:
    return _fairdeal.join_givers(
        [_fairdeal.givers_of(plan.store.part(name, "seeds"), first) for name in names]
    )


def _turns(plan: _Plan, bucket: int, names: Sequence[str]) -> bool:
    return _fairdeal.turns_hold([plan.store.part(name, f"turns-{bucket}") for name in names])


def _grouped(all_of_them: Sequence[Any]) -> list[Sequence[Any]]:
    return [all_of_them[at : at + TOGETHER] for at in range(0, len(all_of_them), TOGETHER)]


class _Cluster:
    """Tasks on a cluster. If a worker dies, its task runs on another; failed reads are retried."""

    def __init__(
        self, client: Any, retries: int, show: Callable[[list[Any]], object] | None
    ) -> None:
        self.client, self.retries, self.show = client, retries, show

    def submit(self, name: str, function: Callable[..., Any], *arguments: Any) -> Any:
        key = f"fairdeal-{name}-{os.urandom(6).hex()}"
        return self.client.submit(function, *arguments, key=key, retries=self.retries, pure=False)

    def gather(self, futures: list[Any]) -> list[Any]:
        if self.show is not None:
            self.show(futures)
        try:
            results: list[Any] = self.client.gather(futures)
        except FairdealError:
            raise
        except Exception as error:
            name = type(error).__name__
            if name not in (
                "CancelledError",
                "FutureCancelledError",
                "FuturesCancelledError",
                "KilledWorker",
                "CommClosedError",
                "TimeoutError",
                "OSError",
            ):
                raise
            says = f"the cluster gave no answer ({name}: {error}); call again with the same state to go on"
            raise UnavailableError("unavailable", says) from error
        return results

    def tree(self, name: str, leaves: list[Any], add: Callable[[list[bytes]], bytes]) -> bytes:
        """Adds results in a tree, so that no task has many of them."""
        while len(leaves) > 1:
            leaves = [self.submit(f"{name}-more", add, list(some)) for some in _grouped(leaves)]
        result: bytes = self.gather(leaves)[0]
        return result


@expects(
    state=PATH,
    skip_signatures=FLAG,
    range_size=WHOLE,
    buckets=SMALL,
    retries=SMALL,
    progress=CALL,
)
def audit(
    client: Client,
    log: str | os.PathLike[str] | Reader,
    key: PathOrText,
    *,
    state: str | os.PathLike[str],
    policy: PathOrText | bytes | None = None,
    now: Time | None = None,
    as_of: Time | None = None,
    since: Iterable[PathOrText] = (),
    skip_signatures: bool = False,
    range_size: int = 4 * TILE,
    buckets: int = 64,
    retries: int = 5,
    state_options: Mapping[str, Any] | None = None,
    progress: Callable[[list[Any]], object] | None = None,
) -> dict[str, Any]:
    """Judge a whole log on a Dask cluster. The verdict is that of :func:`fairdeal.audit`, byte for byte.

    >>> from distributed import Client
    >>> import fairdeal, fairdeal.distributed, tempfile
    >>> log = "fixtures/logs/honest-example"
    >>> with Client(processes=False, dashboard_address=None) as client, tempfile.TemporaryDirectory() as state:
    ...     verdict = fairdeal.distributed.audit(client, log, f"{log}/key", state=state, now=2**53 - 1)
    >>> verdict == fairdeal.audit(log, f"{log}/key", now=2**53 - 1)
    True

    ``log`` and ``state`` must be reachable by the same name from every worker: shared folders, or
    URLs that fsspec reads and writes (``s3://bucket/…``). ``since`` are checkpoints that you saved,
    in files that this process reads. ``range_size`` is a multiple of 65,536 entries. With more
    ``buckets``, each needs less memory. ``progress`` is called with the futures of each stage:
    ``distributed.progress`` can be used.

    Raises :class:`~fairdeal.UnavailableError` if the log cannot be read or the cluster stopped.
    Call again with the same state to continue.
    """
    if range_size <= 0 or range_size % TILE:
        raise UsageError(
            "usage", f"range_size: expected a multiple of {TILE:,}, found {range_size}"
        )
    if not 0 < buckets <= 65_536:
        raise UsageError("usage", f"buckets: expected 1 to 65,536, found {buckets}")
    source, verifier, witnesses = opened(log), key_text(key), policy_bytes(policy)
    # The same moment for all tasks.
    given, clock = _fairdeal.times_of(source, when(now, as_of))
    saved = notes(since)
    cluster = _Cluster(client, retries, progress)
    head = _fairdeal.log_head(source, verifier, witnesses)
    in_order = functools.partial(
        _in_order, cluster, source, verifier, given, clock, saved, witnesses, skip_signatures
    )
    if head is None:
        return in_order()
    size, note = head
    if saved and _fairdeal.continues(source, verifier, note, saved) is not None:
        return in_order()
    store = Store(os.fspath(state), state_options)
    store.prepare()
    plan = _Plan(
        source, verifier, size, buckets, store.salt(), clock, skip_signatures, store, code_version()
    )
    verdict = _in_ranges(cluster, plan, note, given, range_size)
    return verdict if verdict is not None else in_order()


def _in_ranges(
    cluster: _Cluster, plan: _Plan, note: str, as_of: int | None, range_size: int
) -> dict[str, Any] | None:
    """The verdict, or ``None`` if the log must be judged in order."""
    ends = [*range(0, plan.size, range_size), plan.size]
    spans = list(zip(ends, ends[1:], strict=False))
    told = cluster.gather(
        [cluster.submit(f"range-{start}", _range, plan, start, end) for start, end in spans]
    )
    if any(meta["why"] is not None for _, meta in told):
        return None
    moments = [moment for _, meta in told if meta["times"] for moment in meta["times"]]
    if any(later < earlier for earlier, later in zip(moments, moments[1:], strict=False)):
        return None
    times = (as_of if as_of is not None else (moments[-1] if moments else None), plan.clock)
    ranges = [name for name, _ in told]
    # A bucket must be of exactly these entries: a kept range may be of another log under this key.
    root = hashlib.sha256(
        "\n".join([note, *(meta["tree"] for _, meta in told)]).encode()
    ).hexdigest()[:16]
    in_buckets = [
        cluster.submit(f"bucket-{at}", _bucket, plan, at, ranges, root, times)
        for at in range(plan.buckets)
    ]
    judged = cluster.gather(in_buckets)
    if any(meta["why"] is not None for _, meta in judged):
        return None
    names = ranges + [name for name, _ in judged]
    turns = [cluster.submit(f"turns-{at}", _turns, plan, at, names) for at in range(plan.buckets)]
    groups = _grouped(names)
    sums = [
        cluster.submit("sum", _read_and, plan, _fairdeal.add_sums, "sum", some) for some in groups
    ]
    seeds = [
        cluster.submit("seeds", _read_and, plan, _fairdeal.first_seeds, "seeds", some)
        for some in groups
    ]
    total = cluster.tree("sum", sums, _fairdeal.add_sums)
    if not all(cluster.gather(turns)) or not _fairdeal.is_sound(total):
        return None
    first = cluster.tree("seeds", seeds, _fairdeal.first_seeds)
    [known] = cluster.client.scatter([first], broadcast=True, hash=False)
    givers = cluster.tree(
        "givers",
        [cluster.submit("givers", _givers, plan, known, some) for some in groups],
        _fairdeal.join_givers,
    )
    trees = [meta["tree"] for _, meta in told]
    why, text = _fairdeal.verdict(plan.log, plan.key, note, trees, total, first, givers, times)
    return None if text is None else answer_of(text)


def _in_order(
    cluster: _Cluster,
    log: str | Reader,
    key: str,
    as_of: int | None,
    clock: int | None,
    since: list[tuple[str, str]],
    policy: bytes | None,
    skip_signatures: bool,
) -> dict[str, Any]:
    """Judges the log from its first entry on, on one worker."""
    given = (log, key, as_of, clock, since, policy, skip_signatures)
    verdict: dict[str, Any] = cluster.gather(
        [cluster.submit("in-order", _judge_in_order, *given)]
    )[0]
    return verdict


def _judge_in_order(
    log: str | Reader,
    key: str,
    as_of: int | None,
    clock: int | None,
    since: list[tuple[str, str]],
    policy: bytes | None,
    skip_signatures: bool,
) -> dict[str, Any]:
    times = When(now=clock, as_of=as_of, as_of_now=False)
    text, _, _, _ = _fairdeal.audit(
        log,
        key,
        times,
        since,
        policy=policy,
        skip_signatures=skip_signatures,
        statistics=False,
        state=None,
        progress=None,
    )
    return answer_of(text)


@expects(dialect=TEXT, columns=NAMES, keep_rows=FLAG, retries=SMALL, progress=CALL)
def check(
    client: Client,
    dialect: str,
    files: Iterable[str | os.PathLike[str]],
    *,
    columns: Mapping[str, str] | None = None,
    keep_rows: bool = False,
    retries: int = 5,
    progress: Callable[[list[Any]], object] | None = None,
) -> dict[str, Any]:
    """Check files of another operator's rounds on a Dask cluster: each as :func:`fairdeal.check_rows` does.

    >>> from distributed import Client
    >>> import fairdeal.distributed
    >>> with Client(processes=False, dashboard_address=None) as client:
    ...     answer = fairdeal.distributed.check(client, "bustabit", ["fixtures/dialects/bustabit.json"])
    >>> answer["files"][0]["file"], answer["files"][0]["holds"] == answer["holds"]
    ('fixtures/dialects/bustabit.json', True)

    The answer has ``holds``, ``valid``, ``invalid`` and ``unreadable`` of all files, and in
    ``files`` the answer of each file, without its rows unless ``keep_rows``. The rows of different
    files are not compared with each other. A file is a path or a URL that every worker reaches; a
    file that cannot be read has an ``error``.
    """
    given = several("files", files, "paths or URLs")
    for file in given:
        if not is_path(file):
            raise wrong("files", "paths or URLs", file)
    paths = [os.fspath(file) for file in given]
    if not paths:
        raise UsageError("usage", "files: expected at least one, found none")
    cluster = _Cluster(client, retries, progress)
    named = dict(columns or {})
    futures = [
        cluster.submit(f"check-{at}", _check, dialect, path, named, keep_rows)
        for at, path in enumerate(paths)
    ]
    answers = cluster.gather(futures)
    counts = {
        what: sum(one.get(what, 0) for one in answers)
        for what in ("valid", "invalid", "unreadable")
    }
    return Answer(
        dialect=dialect, holds=all(one["holds"] for one in answers), **counts, files=answers
    )


def _check(dialect: str, path: str, columns: dict[str, str], keep_rows: bool) -> dict[str, Any]:
    try:
        if "://" in path:
            import fsspec

            with fsspec.open(path, "rb") as file:
                given: Any = file.read()
        else:
            given = path
        answer = rows.check_rows(dialect, given, columns=columns, name=path)
    except UsageError:
        raise
    except OSError as error:
        return {"file": path, "holds": False, "error": {"code": "unavailable", "says": str(error)}}
    if not keep_rows:
        del answer["rows"]
    return {"file": path, **answer}
