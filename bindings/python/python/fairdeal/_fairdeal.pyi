"""The native half. Private: what a user calls is in the package."""

from collections.abc import Callable
from typing import final

from ._inputs import Reader, When

__all__ = [
    "TablePages",
    "add_sums",
    "audit",
    "check_file",
    "check_rows",
    "continues",
    "dialects",
    "first_seeds",
    "generate",
    "givers_of",
    "is_sound",
    "join_givers",
    "judge_bucket",
    "judge_range",
    "lab",
    "limits",
    "log_head",
    "log_size",
    "published",
    "replay_by_hand",
    "replay_receipt",
    "shuffles",
    "stats_of_decks",
    "stats_of_log",
    "times_of",
    "turns_hold",
    "verdict",
    "verify",
    "version",
]

@final
class TablePages:
    @staticmethod
    def of(
        log: str | Reader, key: str, when: When, table: str, policy: bytes | None, skip_signatures: bool
    ) -> TablePages: ...
    def next_page(self) -> bytes | None: ...

def published(log: str | Reader, indices: set[int]) -> str: ...
def version() -> str: ...
def replay_by_hand(
    server_seed: str,
    contributions: str,
    nonce: int,
    *,
    deck: str,
    items: int | None,
    draw: int | None,
    method: str,
    commitment: str | None,
    sealed: bool,
    trace: bool,
) -> str: ...
def replay_receipt(name: str, receipt: bytes, *, sealed: bool, trace: bool) -> str: ...
def verify(
    files: list[tuple[str, bytes | None, str]], key: str, policy: bytes | None, beside: str
) -> str: ...
def check_rows(
    dialect: str, rows: bytes, name: str, columns: list[tuple[str, str]], *, statistics: bool, brief: bool
) -> str: ...
def check_file(
    dialect: str, path: str, columns: list[tuple[str, str]], *, statistics: bool, brief: bool
) -> str: ...
def dialects() -> str: ...
def limits(dialect: str) -> str: ...
def audit(
    log: str | Reader,
    key: str,
    when: When,
    since: list[tuple[str, str]],
    *,
    policy: bytes | None,
    skip_signatures: bool,
    statistics: bool,
    state: str | None,
    progress: Callable[[int, int], object] | None,
) -> tuple[str, str | None, int, list[tuple[str, int]]]: ...
def log_size(log: str | Reader) -> int: ...
def stats_of_log(
    log: str | Reader, key: str | None, after: int | None, progress: Callable[[int, int], object] | None
) -> str: ...
def stats_of_decks(name: str, decks: bytes, deck: str | None) -> str: ...
def shuffles() -> str: ...
def lab(shuffle: str, items: int, decks: int, seed: int) -> str: ...
def log_head(log: str | Reader, key: str, policy: bytes | None) -> tuple[int, str] | None: ...
def times_of(log: str | Reader, when: When) -> tuple[int | None, int | None]: ...
def judge_range(
    log: str | Reader,
    key: str,
    size: int,
    range: tuple[int, int],
    buckets: int,
    salt: bytes,
    clock: int | None,
    skip_signatures: bool,
) -> tuple[
    str | None,
    tuple[tuple[int, int] | None, str, tuple[bytes, bytes, list[bytes]], list[tuple[bytes, bytes]]] | None,
]: ...
def judge_bucket(
    log: str | Reader,
    key: str,
    size: int,
    parts: list[tuple[bytes, bytes]],
    buckets: int,
    salt: bytes,
    times: tuple[int | None, int | None],
    skip_signatures: bool,
) -> tuple[str | None, tuple[bytes, bytes, list[bytes]] | None]: ...
def add_sums(sums: list[bytes]) -> bytes: ...
def is_sound(sum: bytes) -> bool: ...
def first_seeds(seeds: list[bytes]) -> bytes: ...
def givers_of(seeds: bytes, first: bytes) -> bytes: ...
def join_givers(seeds: list[bytes]) -> bytes: ...
def turns_hold(turns: list[bytes]) -> bool: ...
def continues(log: str | Reader, key: str, note: str, since: list[tuple[str, str]]) -> str | None: ...
def verdict(
    log: str | Reader,
    key: str,
    note: str,
    trees: list[str],
    sum: bytes,
    first: bytes,
    givers: bytes,
    times: tuple[int | None, int | None],
) -> tuple[str | None, str | None]: ...
def generate(folder: str, deals: int, tables: int, rounds: int, players: int, seed: int) -> int: ...
