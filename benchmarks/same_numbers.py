"""Does every public call give the numbers that it gave in another tree of the sources?

Both trees are asked the same calls of the same studies: every public name of the older one, every question of a result
and of a gold. What they answer is taken apart into numbers, each with the way to it ("interval.low"), and compared.
Names that changed are in `RENAMED`. A difference that was meant has its reason in `MEANT`; any other is printed, and
the script ends in an error. So it does where a public name of the older tree is not asked.

    git worktree add ../before COMMIT
    python -m benchmarks.same_numbers ../before .
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks._every_call import calls

HERE = Path(__file__).parents[1]
CLOSE = 1e-9  # sums in another order differ in the last digits
SHOWN = 12  # differences of one reason that are printed
NOT_CALLED = frozenset(  # types, and rooms whose calls are asked by their own names
    (
        "AccordError", "Agreement", "Comparison", "Gold", "Interval", "Measurements", "Plan", "Study", "TYPE_CHECKING",
        "Table", "Test", "findings", "judge", "multilabel", "planning", "suggestions",
    )
)  # fmt: skip

RENAMED = {  # in a call and the way to a number
    r"^(plan .*)\bdraws$": r"\1n_simulations",
    r"\bundefined_draws\b": "undefined_resamples",
    r"\bdraws\b": "n_resamples",
    r"\bbelief\b": "posterior",
    r"\bheld\b": "reference",
    r"\bsaid\b": "predicted",
    r"\basked\b": "n_reference",
    r"\bfreedom\b": "df",
}
COMPARED = "compare|differences|side_by_side|p_curve|evaluate|verdict|human_likeness"
MEANT = {  # of a call and the way to a number, why it is another one; the first that fits
    r"^gold\(.*\.annotators .*(competence|low|high|spam_score|weight)": (
        "Competence is judged with a prior that is learned; its interval counts how unsure the others' labels are."
    ),
    r"^gold\((dawid-skene|one-coin)\) .*confidence": "Models have a prior by default: confidences are calibrated.",
    r"^krippendorff_alpha\.interpret": "Alpha is told by Krippendorff's own bands.",
    r"\.interpret .*(probability|reached)": "Probabilities of bands follow Student's t, as the interval does.",
    r"\.interpret .*point_word": "Without a benchmark there is no word.",
    r"\.test #1 ": "Against chance the error is that of the null hypothesis.",
    r"\.test #2 p": "Against a limit, Student's t has the degrees of freedom of the items that move the value.",
    r"^plan ": "Plans draw the intervals that are printed, which are wider where few items inform them.",
    rf"({COMPARED}) .*(low|high|p|p_holm|interval\[\d\])$": (
        "Differences have Student's t with the degrees of freedom of the items that move them."
    ),
    r"^(rosenberg_binkowski_kappa #\d interval|fleiss_kappa\.by_group #\d rows).*\.(low|high)$": (
        "Where fewer than thirty degrees of freedom inform it, an interval has the same half on Fisher's scale."
    ),
    r"(interval|by_label|measure) .*(low|high)$": (
        "Intervals know how many items inform them: percentiles are widened as Student's t is, limits near an end are "
        "on Fisher's scale, and where too few items speak there is none."
    ),
}

# -- answers, taken apart ----------------------------------------------------------------------------------------------


def numbers(answer: Any, way: str = "") -> Iterator[tuple[str, float]]:
    """Every number of an answer, with the way to it; NaN and None are no number, and are told as NaN."""
    if answer is None or isinstance(answer, bool | int | float | np.number | np.bool_):
        yield way, math.nan if answer is None else float(answer)
    elif isinstance(answer, str | bytes):
        return
    elif isinstance(answer, Mapping):
        for name, part in answer.items():
            yield from numbers(part, f"{way}.{name}".lstrip("."))
    elif hasattr(answer, "to_dict"):
        yield from numbers(answer.to_dict(), way)
    elif isinstance(answer, np.ndarray | list | tuple):
        for place, part in enumerate(answer):
            yield from numbers(part, f"{way}[{place}]")
    elif is_dataclass(answer):
        yield from numbers({one.name: getattr(answer, one.name) for one in fields(answer)}, way)


def answers() -> Iterator[dict[str, Any]]:
    """A line for each call: its numbers, or why there are none."""
    times: Counter[str] = Counter()
    for name, ask in calls():
        times[name] += 1
        line: dict[str, Any] = {"call": f"{name} #{times[name]}"}
        try:
            line["numbers"] = dict(numbers(ask()))
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            line["cannot"] = f"{type(error).__name__}: {error}"
        yield line


def public_names() -> list[str]:
    """What the tree offers at its root."""
    import accord

    return sorted(name for name in dir(accord) if not name.startswith("_"))


# -- two trees ---------------------------------------------------------------------------------------------------------


def asked_of(tree: Path) -> tuple[list[str], dict[str, dict[str, Any]]]:
    """The public names of a tree, and what it answers to every call."""
    given = {**os.environ, "PYTHONPATH": os.pathsep.join((str(tree / "src"), str(HERE))), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "benchmarks.same_numbers", "--ask"]
    done = subprocess.run(command, cwd=HERE, env=given, stdout=subprocess.PIPE, text=True, check=True)
    names, *lines = done.stdout.splitlines()
    return json.loads(names), {line["call"]: line for line in map(json.loads, lines)}


def renamed(call: str, way: str) -> str:
    """The way to a number of the older tree as the newer one has it."""
    whole = f"{call} {way}"
    for old, new in RENAMED.items():
        whole = re.sub(old, new, whole)
    return whole.removeprefix(f"{call} ")


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Each number that is another, or is gone: which it is, and both values."""
    if "cannot" in before or "cannot" in after:
        yield "asked", f"{before.get('cannot', 'answered')} | {after.get('cannot', 'answered')}"
        return
    old, new = {renamed(before["call"], way): number for way, number in before["numbers"].items()}, after["numbers"]
    for way, number in old.items():
        if way not in new:
            yield way, f"{number:.6g} | not there"
        elif not same(number, new[way]):
            yield way, f"{number:.6g} | {new[way]:.6g}"


def same(one: float, other: float) -> bool:
    """To the last digits; NaN is NaN."""
    return (math.isnan(one) and math.isnan(other)) or math.isclose(one, other, rel_tol=CLOSE, abs_tol=CLOSE)


def reason(what: str) -> str | None:
    """Why a difference was meant; None where nobody said so."""
    return next((why for pattern, why in MEANT.items() if re.search(pattern, what)), None)


def compare(trees: tuple[Path, Path]) -> bool:
    """Ask both, print what differs by its reason, and say whether all of it was meant."""
    (names, before), (_, after) = (asked_of(tree) for tree in trees)
    equal, told = 0, dict[str, list[str]]()
    for call, line in before.items():
        found = list(differences(line, after[call]))
        equal += len(line.get("numbers", ())) - len(found) if "numbers" in line else 0
        for way, both in found:
            told.setdefault(reason(f"{call} {way}") or "NOT MEANT", []).append(f"{call} {way}: {both}")
    for why, alike in told.items():
        print(f"\n{why} ({len(alike):,} numbers)")
        print("\n".join(f"    {one}" for one in alike[:SHOWN]), *(["    …"] if len(alike) > SHOWN else []), sep="\n")
    asked = {re.split(r"[.( #]", call)[0] for call in before}
    silent = [name for name in names if name not in asked | NOT_CALLED]
    print(f"\n{len(before):,} calls, {equal:,} numbers are the same, {sum(map(len, told.values())):,} are not.")
    print(f"Not asked: {', '.join(silent)}." if silent else "Every public name was asked.")
    return "NOT MEANT" not in told and not silent


def main() -> None:
    """Two trees; or, called by itself, what one of them answers."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("before", type=Path, nargs="?")
    arguments.add_argument("after", type=Path, nargs="?", default=HERE)
    arguments.add_argument("--ask", action="store_true", help="print what this tree answers")
    given = arguments.parse_args()
    if given.ask:
        print(json.dumps(public_names()))
        for line in answers():
            print(json.dumps(line), flush=True)
    elif given.before is None:
        arguments.error("which tree is the older one?")
    elif not compare((given.before.resolve(), given.after.resolve())):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
