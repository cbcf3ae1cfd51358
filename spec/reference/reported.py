"""The numbers of an audit's verdict that are not findings: audit.md 14."""

from collections import Counter

from life import Effect, Life

MOST_BLAMED = 100
MOST_SEEDS = 100_000
MOST_GIVERS = 100_000
MANY = 3
MOST_WEAK = 100
MOST_TOTAL = (1 << 64) - 1
VOIDED = ("voided_rounds", "voided_locks", "voided_commitments")


def _in_order(counts: dict) -> dict:
    """Sorted: numbers by value, text by its UTF-8 bytes; the keys as JSON names."""
    by = sorted(counts, key=lambda name: name.encode("utf-8") if isinstance(name, str) else name)
    return {str(name): counts[name] for name in by}


def _is_tied(c: dict, index: int) -> bool:
    """Whether a contribution is tied to the commitment of the commit at an index."""
    # Anybody can attach a `seen` to a contribution that is not signed.
    return "hash" in c or ("signature" in c and "seen" in c and c["seen"]["size"] > index)


class Reported:
    """Counts the entries with effect."""

    def __init__(self) -> None:
        self.tables: dict = {}
        self.blamed: dict = {}
        self.delays: list = []
        self.givers: dict = {}  # seed to the set of labels that brought it
        self.not_told_apart = False
        self.without_committed_first = 0
        self.beacon_rounds = 0
        self.beacon_voids = 0
        self.unverified_beacons = 0
        self.ended_early = 0
        self.signatures = 0  # of contributions

    def note(self, effect: Effect) -> None:
        """Counts one entry."""
        count = {"lock": self._lock, "deal": self._deal, "void": self._void, "reveal": self._reveal}
        if effect.kind in count:
            count[effect.kind](effect)
        if effect.kind in ("lock", "deal"):
            self.signatures += sum("signature" in c for c in effect.value.get("contributions", []))

    def _table(self, effect: Effect) -> dict:
        none = dict.fromkeys(("deals", *VOIDED), 0)
        return self.tables.setdefault(effect.state.commit["table"], none)

    def _lock(self, effect: Effect) -> None:
        self._pairs(
            [(c["seed"], c["from"]) for c in effect.value.get("contributions", []) if "seed" in c]
        )

    def _deal(self, effect: Effect) -> None:
        e, this = effect.value, effect.round
        self._table(effect)["deals"] += 1
        self._pairs([(c["seed"], c["from"]) for c in e.get("contributions", [])])
        self._pairs([(o["seed"], o["from"]) for o in e.get("opened", [])])
        self.beacon_rounds += "beacon" in e
        self.unverified_beacons += "beacon" in e and effect.state.chain is None
        index = effect.state.index
        self.without_committed_first += not all(_is_tied(c, index) for c in this.contributions())

    def _void(self, effect: Effect) -> None:
        e = effect.value
        self._table(effect)["voided_rounds" if "nonce" in e else "voided_commitments"] += 1
        self._table(effect)["voided_locks"] += effect.round is not None
        out = effect.round and effect.round.beacon_out()
        self.beacon_voids += out is not None and e["time"] > 1000 * out
        blame = e.get("blame")
        if blame is not None and (blame in self.blamed or len(self.blamed) < MOST_BLAMED):
            self.blamed[blame] = self.blamed.get(blame, 0) + 1

    def _reveal(self, effect: Effect) -> None:
        self.ended_early += not effect.state.is_used_up()
        self.delays.append(max(0, effect.value["time"] - effect.state.commit["time"]))

    def _pairs(self, pairs: list) -> None:
        """14.3: seeds used by many."""
        for seed, label in pairs:
            if seed in self.givers:
                if len(self.givers[seed]) < MOST_GIVERS:
                    self.givers[seed].add(label)
            elif len(self.givers) < MOST_SEEDS:
                self.givers[seed] = {label}
            else:
                self.not_told_apart = True

    def _reveal_delays(self) -> dict:
        doubling: dict = {}
        for d in self.delays:
            power = 1 << d.bit_length() - 1 if d else 0
            doubling[power] = doubling.get(power, 0) + 1
        return {
            "count": len(self.delays),
            "shortest": min(self.delays, default=None),
            "longest": max(self.delays, default=None),
            "total": min(sum(self.delays), MOST_TOTAL),
            "by_doubling": _in_order(doubling),
        }

    def _weak_seeds(self) -> dict:
        counts = {seed: len(givers) for seed, givers in self.givers.items() if len(givers) >= MANY}
        weak = [(-count, seed.encode("utf-8"), seed) for seed, count in counts.items()]
        return _in_order({seed: -count for count, _, seed in sorted(weak)[:MOST_WEAK]})

    def to_json(self, life: Life) -> dict:
        """The object `reported`, for a log that ends here."""
        rounds = Counter(state.next_nonce for state in life.commitments.values())
        made = {table: len(commitments) for table, commitments in life.tables.items()}
        none = dict.fromkeys(("deals", *VOIDED), 0)
        tables = {
            table: {"commitments": count, **none, **self.tables.get(table, {})}
            for table, count in made.items()
        }
        still_open = [state for state in life.commitments.values() if state.ended is None]
        return {
            "rounds_per_commitment": _in_order(rounds),
            "never_used": sum(not state.used for state in life.commitments.values()),
            "ended_early": self.ended_early,
            "voided_locks": sum(of["voided_locks"] for of in tables.values()),
            "unanswered_locks": sum(state.locked is not None for state in still_open),
            "unrevealed_deals": sum(
                r.deal is not None for state in still_open for r in state.rounds.values()
            ),
            "commitments_per_table": _in_order(Counter(made.values())),
            "tables": _in_order(tables),
            "blamed": _in_order(self.blamed),
            "reveal_delays": self._reveal_delays(),
            "weak_seeds": self._weak_seeds(),
            "seeds_not_told_apart": self.not_told_apart,
            "rounds_without_committed_first": self.without_committed_first,
            "beacon_rounds": self.beacon_rounds,
            "beacon_voids": self.beacon_voids,
        }
