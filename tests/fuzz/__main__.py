"""`make fuzz`: every campaign in turn, for as long as there is time; whatever ends amiss is told and kept.

    python -m tests.fuzz --seconds 3600 --seed 0 [campaign …]

A case that failed lies in build/fuzz: put it into tests/fuzz/corpus, where the suite tries it for ever.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path

from tests.fuzz.campaign import Differs, Hangs, kept, place_of
from tests.fuzz.campaigns import CAMPAIGNS

SLICE = 5.0  # seconds of one campaign before it is another's turn
CASES = 1_000_000  # of a seed, which no run comes to the end of
MOST_BYTES = 6 << 30  # of memory that a try may ask for
AMISS: dict[type, str] = {Differs: "DIFFERS", Hangs: "HANGS"}
FOUND = Path("build/fuzz")
TOLD = 5  # failures in one place that are told and kept


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=0, help="which cases: no two seeds have any in common")
    parser.add_argument("campaigns", nargs="*", default=list(CAMPAIGNS))
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_BYTES, resource.getrlimit(resource.RLIMIT_DATA)[1]))
    tries = {name: _Tries(name, options.seed * CASES) for name in options.campaigns or list(CAMPAIGNS)}
    end = time.monotonic() + options.seconds
    while time.monotonic() < end:
        for one in tries.values():
            one.go_on(min(end, time.monotonic() + SLICE))
    for one in tries.values():
        print(one.line(), flush=True)
    print(f"{sum(one.number for one in tries.values()):,} tries in all, seed {options.seed}")
    return 1 if any(one.amiss for one in tries.values()) else 0


class _Tries:
    """What came of the tries of one campaign."""

    def __init__(self, name: str, seed: int) -> None:
        self.campaign, self.seed, self.spent = CAMPAIGNS[name], seed, 0.0
        self.ends: Counter[str] = Counter()
        self.amiss: defaultdict[str, int] = defaultdict(int)
        self.longest = 0.0

    @property
    def number(self) -> int:
        """How many tries there were."""
        return sum(self.ends.values())

    def go_on(self, until: float) -> None:
        """Try on until it is time."""
        began = time.monotonic()
        while time.monotonic() < until:
            case, start = self.campaign.case(self.seed), time.monotonic()
            self.seed += 1
            try:
                self.ends[self.campaign.outcome(case)] += 1
            except (Exception, Hangs) as problem:  # noqa: BLE001 - this is what is looked for
                self.ends[AMISS.get(type(problem), "OTHER")] += 1
                self._tell(case, problem)
            self.longest = max(self.longest, time.monotonic() - start)
        self.spent += time.monotonic() - began

    def _tell(self, case: dict[str, object], problem: BaseException) -> None:
        place = place_of(problem)
        self.amiss[place] += 1
        if self.amiss[place] <= TOLD:  # one place may be met for several reasons
            path = kept(self.campaign.name, case, problem, FOUND, self.amiss[place])
            said = str(problem)[:600].encode("utf-8", "backslashreplace").decode("utf-8")  # half characters too
            print(f"{self.campaign.name}: {place}: {said}\n  {path}", flush=True)

    def line(self) -> str:
        """The tries in a line."""
        ends = ", ".join(f"{count:,} {word}" for word, count in self.ends.most_common())
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
        spent = f"{self.spent:7.0f} s, longest {self.longest:.1f} s, {most:,} MiB"
        return f"{self.campaign.name:10} {self.number:8,} tries {spent}: {ends}"


if __name__ == "__main__":
    sys.exit(main())
