"""Logs in S3, and in every other store that fsspec reads."""

from __future__ import annotations

import time
from typing import Any


class FsspecLog:
    """A log's files by fsspec: ``s3://bucket/log``, ``gs://…``, ``memory://…``.

    ``options`` are passed to fsspec unchanged. A failed read is tried again, except for a missing
    file.

    >>> import fsspec, fairdeal
    >>> from fairdeal.remote import FsspecLog
    >>> files = fsspec.filesystem("memory")
    >>> files.put("fixtures/logs/honest-example", "/example", recursive=True)
    >>> log = FsspecLog("memory://example")
    >>> fairdeal.audit(log, key="fixtures/logs/honest-example/key", now=1767225720000)["holds"]
    True
    """

    def __init__(self, url: str, *, tries: int = 5, wait: float = 0.1, **options: Any) -> None:
        self.name = url.rstrip("/")
        self.tries = max(1, tries)
        self.wait = wait
        self.options = options
        self._files: Any = None

    def __getstate__(self) -> dict[str, Any]:
        # An open file system cannot be sent to another process, so each process opens its own.
        return {**self.__dict__, "_files": None}

    def _open(self) -> Any:
        if self._files is None:
            import fsspec

            self._files, self._root = fsspec.core.url_to_fs(self.name, **self.options)
        return self._files

    def read(self, path: str, at_most: int) -> bytes | None:
        """A file's bytes, at most one more than ``at_most``; ``None`` if there is no such file."""
        files = self._open()
        for left in reversed(range(self.tries)):
            try:
                read: bytes = files.cat_file(f"{self._root}/{path}", start=0, end=at_most + 1)
                return read
            except FileNotFoundError:
                return None
            except Exception:
                if left == 0:
                    raise
                time.sleep(self.wait * 2 ** (self.tries - 1 - left))
        raise AssertionError("there is at least one try")
