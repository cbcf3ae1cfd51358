"""The findings of ledger.md 9.3, their classes, and whom they accuse."""

from typing import NamedTuple, Optional

# ledger.md 9.3, from row 1 to the last.
CODES = """
    not-canonical invalid-entry no-commitment duplicate-commitment after-reveal after-void
    void-after-use open-round nonce-gap too-many-rounds seed-mismatch out-of-turn time-runs-back
    backdated split-view contribution-signature weak-mixing beacon-round beacon-signature
    lock-mismatch unopened-hash result-mismatch late-reveal overdue time-ahead tree-mismatch
    bad-signature inconsistent rolled-back contribution-mismatch opening-mismatch
    placed-mismatch invalid-receipt
""".split()
ORDER = (
    *("no-commitment", "duplicate-commitment", "after-reveal", "after-void", "void-after-use"),
    *("open-round", "nonce-gap", "too-many-rounds", "out-of-turn"),
)
TIME = ("time-runs-back", "backdated", "late-reveal", "overdue", "time-ahead")
BY_WRITER = ("invalid-receipt", "tree-mismatch", "opening-mismatch", "placed-mismatch")
BY_NOBODY = ("bad-signature", "rolled-back")


def class_of(code: str) -> str:
    """The class of a finding (9.3)."""
    return "order" if code in ORDER else "time" if code in TIME else "integrity"


def accuses(code: str, is_signed: bool) -> str:
    """Whom a finding accuses; `is_signed` if the key signed what it is about (11.4, 13.4)."""
    if code in BY_WRITER:
        return "writer"
    return "operator" if is_signed and code not in BY_NOBODY else "nobody"


class Finding(NamedTuple):
    """A violation of section 9, and the index of its entry, if it has one."""

    code: str
    index: Optional[int]
    says: str
    commitment: Optional[str] = None  # the entry's commitment, if known (audit.md 13.4)
    nonce: Optional[int] = None
