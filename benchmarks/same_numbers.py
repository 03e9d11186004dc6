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
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parents[1]
EXAMPLES = HERE / "examples"
CLOSE = 1e-9  # sums in another order differ in the last digits
SHOWN = 12  # differences of one reason that are printed
RANKED = "emails-primary-secondary"
OF_RESULTS = ("by_item", "by_label", "by_annotator", "by_pair", "interpret", "to_dict")
METHODS = ("analytic", "gwet", "jackknife", "bootstrap", "bca", "bayesian")
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
    r"(interval|by_label|measure) .*(low|high)$": (
        "Intervals know how many items inform them: percentiles are widened as Student's t is, limits near an end are "
        "on Fisher's scale, and where too few items speak there is none."
    ),
}

Ask = Callable[[], Any]
Numbers = dict[str, float]


# -- what is asked -----------------------------------------------------------------------------------------------------


def study(name: str, **options: Any) -> Any:
    """One of the example studies."""
    import accord

    return accord.read(EXAMPLES / f"{name}.csv", **options)


def sets() -> Any:
    """Sets of labels."""
    return study("emotions", answers="set")


def calls() -> Iterator[tuple[str, Ask]]:
    """Every call, by the public name that it is of."""
    yield from measures()
    yield from questions()
    yield from decisions()
    yield from judgements()
    yield from several_labels()
    yield from the_rest()


def measures() -> Iterator[tuple[str, Ask]]:
    """The coefficients, with their options."""
    import accord

    five, two = cache(lambda: study("five-annotators")), cache(lambda: study("two-annotators"))
    for name in ("cohen_kappa", "scott_pi"):
        yield name, lambda name=name: getattr(accord, name)(two())
        yield name, lambda name=name: getattr(accord, name)(two(), weights="identity")
    for name in (
        "percent_agreement", "fleiss_kappa", "conger_kappa", "light_kappa", "gwet_ac", "brennan_prediger_kappa",
        "krippendorff_alpha",
    ):  # fmt: skip
        yield name, lambda name=name: getattr(accord, name)(five())
    for level in ("nominal", "ordinal", "interval", "ratio"):
        yield "krippendorff_alpha", lambda level=level: accord.krippendorff_alpha(scale(), level=level)
    for weights in ("linear", "quadratic", "ordinal"):
        yield "gwet_ac", lambda weights=weights: accord.gwet_ac(scale(), weights=weights)
    for p in (0.5, 0.6, 1.0):
        yield "rosenberg_binkowski_kappa", lambda p=p: accord.rosenberg_binkowski_kappa(study(RANKED), p=p)
    for clubbed in (True, False):
        yield "bhowmick_am", lambda clubbed=clubbed: accord.bhowmick_am(sets(), clubbed=clubbed)
    yield "dipietro_hazari_kappa", lambda: accord.dipietro_hazari_kappa(study("suggested-labels"))
    yield "pairwise", lambda: accord.pairwise(five())
    yield "measure", lambda: accord.measure(five())
    yield "measure", lambda: accord.measure(five(), by="topic")


def scale() -> Any:
    """Five points, five annotators, gaps."""
    import accord

    rng = np.random.default_rng(7)
    true = rng.integers(1, 6, (80, 1))
    cells = np.clip(true + rng.integers(-1, 2, (80, 5)), 1, 5).astype(float)
    cells[rng.random(cells.shape) < 0.1] = np.nan
    return accord.Study.from_wide(cells)


def questions() -> Iterator[tuple[str, Ask]]:
    """All that a result can be asked."""
    import accord

    for name in ("fleiss_kappa", "conger_kappa", "light_kappa", "gwet_ac", "krippendorff_alpha", "percent_agreement"):
        made = cache(lambda name=name: getattr(accord, name)(study("five-annotators")))
        for way in OF_RESULTS:
            yield f"{name}.{way}", lambda made=made, way=way: getattr(made(), way)()
        for method in METHODS:
            if (name, method) == ("light_kappa", "gwet"):  # a mean over pairs has no published error
                continue
            yield (
                f"{name}.interval",
                lambda made=made, method=method: made().interval(
                    method=method, **({"rng": 0} if drawn(method) else {})
                ),
            )
        yield f"{name}.test", lambda made=made: made().test()
        yield f"{name}.test", lambda made=made: made().test(null=0.5)
    grouped = cache(lambda: accord.fleiss_kappa(study("five-annotators"), by="topic"))
    yield "fleiss_kappa.by_group", lambda: grouped().by_group()
    yield "fleiss_kappa.differences", lambda: grouped().differences()
    yield (
        "compare",
        lambda: accord.compare(accord.gwet_ac(study("five-annotators")), accord.fleiss_kappa(study("five-annotators"))),
    )


def drawn(method: str) -> bool:
    """By resamples?"""
    return method in ("bootstrap", "bca", "bayesian")


def decisions() -> Iterator[tuple[str, Ask]]:
    """Gold labels, and what they know of annotators."""
    import accord

    for method in ("majority", "dawid-skene", "one-coin", "mace", "glad"):
        made = cache(lambda method=method: accord.gold(study("five-annotators"), method=method))
        yield f"gold({method})", lambda made=made: made().to_table()
        yield f"gold({method}).annotators", lambda made=made: made().annotators()
        yield f"gold({method}).vote_shares", lambda made=made: made().vote_shares
    yield "gold(dawid-skene).answers_needed", lambda: accord.gold(study("five-annotators")).answers_needed()


def judgements() -> Iterator[tuple[str, Ask]]:
    """Suggested labels and models against people."""
    from accord import judge

    judged = cache(lambda: study("judged-answers"))
    runs = cache(lambda: study("repeated-runs", duplicates="repeat"))
    yield "judge.evaluate", lambda: judge.evaluate(None, judged())
    yield "judge.alt_test", lambda: judge.alt_test(judged(), model="careful", epsilon=0.1)
    yield "judge.alt_tests", lambda: judge.alt_tests(judged())
    yield "judge.human_likeness", lambda: judge.human_likeness(judged(), model="careful")
    yield "judge.label_bias", lambda: judge.label_bias(judged(), model="flatterer")
    yield "judge.panel", lambda: judge.panel(judged())
    yield "judge.side_by_side", lambda: judge.side_by_side(judged())
    yield "judge.verdict", lambda: judge.verdict(judged())
    yield (
        "judge.self_consistency",
        lambda: judge.self_consistency(runs(), facets=["prompt", "temperature"], gold="gold"),
    )
    yield "judge.corrected_shares", lambda: judge.corrected_shares(partly_by_people(), model="model")
    yield "judge.rogan_gladen", lambda: judge.rogan_gladen(0.4, sensitivity=0.8, specificity=0.9)


def partly_by_people() -> Any:
    """Three hundred items that a model labelled, every third by two people as well."""
    import accord

    rng = np.random.default_rng(5)
    true = rng.choice(["a", "b", "c"], 300, p=[0.5, 0.3, 0.2])
    people = ("ana", "ben", "model")
    said = {who: np.where(rng.random(300) < 0.85, true, rng.choice(["a", "b", "c"], 300)) for who in people}
    rows = [
        {"item": item, "annotator": who, "label": str(said[who][item]), "kind": "model" if who == "model" else "person"}
        for item in range(300)
        for who in people
        if who == "model" or item % 3 == 0
    ]
    return accord.Study(rows)


def several_labels() -> Iterator[tuple[str, Ask]]:
    """Sets of labels, primary and secondary labels."""
    import accord
    from accord import multilabel

    for name in ("secondary_use", "label_frequencies", "annotators_ranked", "items_ranked"):
        yield f"multilabel.{name}", lambda name=name: getattr(multilabel, name)(study(RANKED))
    for name in (
        "label_confusion", "label_distribution", "disagreement_by_label", "observed_distribution", "set_measures",
    ):  # fmt: skip
        yield f"multilabel.{name}", lambda name=name: getattr(multilabel, name)(sets())
    yield "multilabel.annotation_matrix", lambda: multilabel.annotation_matrix(study(RANKED), "ana")
    yield "p_curve", lambda: accord.p_curve(study(RANKED))
    yield "item_classes", lambda: accord.item_classes(study(RANKED))


def the_rest() -> Iterator[tuple[str, Ask]]:
    """Findings, plans, samples, and what is written."""
    import accord
    from accord import planning

    yield "explain", lambda: list(accord.explain(study("five-annotators")).results.values())
    yield "plan", lambda: accord.plan(study("five-annotators"), width=0.3, rng=0)
    yield "planning.annotators_needed", lambda: planning.annotators_needed(0.8, reliability=0.4)
    yield "planning.kappa_error", lambda: planning.kappa_error([[0.4, 0.1], [0.1, 0.4]], 100)
    yield "planning.intraclass_error", lambda: planning.intraclass_error(0.3, 0.6, 100)
    yield "sample_for_annotation", sampled
    yield "read", lambda: study("five-annotators").describe()
    yield "report", report


def sampled() -> Any:
    """Which items a sample holds that is drawn label by label."""
    import accord

    suggestions = {"item": list(range(40)), "label": ["a", "b", "b", "c"] * 10}
    return accord.sample_for_annotation(suggestions, 8, by_label="equal", rng=0).items


def report() -> int:
    """A report can be written; its numbers are those of the calls above."""
    import accord

    with tempfile.TemporaryDirectory(prefix="accord-same-") as folder:
        accord.report(study("five-annotators"), Path(folder) / "report.html")
        return len(list(Path(folder).iterdir()))


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
    asked: dict[str, int] = {}
    for name, ask in calls():
        asked[name] = asked.get(name, 0) + 1
        line: dict[str, Any] = {"call": f"{name} #{asked[name]}"}
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
    for why, found in told.items():
        print(f"\n{why} ({len(found):,} numbers)")
        print("\n".join(f"    {one}" for one in found[:SHOWN]), *(["    …"] if len(found) > SHOWN else []), sep="\n")
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
