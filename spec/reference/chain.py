"""A hash chain that many rows share: spec/dialects.md, sections 16.5 and 22."""

import bisect
import hashlib
from typing import Optional


class Chain:
    """Hashes that are known to lead to the terminating hash, and after how many steps.

    Below the highest known hash, one in every `SPACING` is kept. So another hash of
    that part soon reaches a known hash, or is not on the chain.
    """

    SPACING = 1024

    def __init__(self, end: bytes, most: int, hashes_text: bool = False):
        self.most = most
        self.hashes_text = hashes_text
        self.steps = {end: 0}
        self.hashes = {0: end}
        self.order = [0]

    def _keep(self, hashed: bytes, steps: int) -> None:
        if hashed not in self.steps:
            self.steps[hashed] = steps
            self.hashes[steps] = hashed
            bisect.insort(self.order, steps)

    def walk(self, start: bytes, claimed: Optional[int]) -> Optional[int]:
        """How many steps lead from `start` to the end, or None if the allowed steps do not."""
        if claimed is None:
            allowed = max(self.most - self.order[-1], self.SPACING)
        elif claimed > self.most:
            return None
        else:  # the steps to the nearest known place below the claimed place
            allowed = claimed - self.order[bisect.bisect_right(self.order, claimed) - 1]
        passed, at, walked, known = [], start, 0, self.steps
        while at not in known:
            if walked == allowed:
                return None
            if walked % self.SPACING == 0:
                passed.append((walked, at))
            at = hashlib.sha256(at.hex().encode() if self.hashes_text else at).digest()
            walked += 1
        steps = known[at] + walked
        if steps > self.most:
            return None
        for earlier, hashed in passed:
            self._keep(hashed, steps - earlier)
        return steps
