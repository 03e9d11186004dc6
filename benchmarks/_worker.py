"""One call, timed in a process of its own: accord's, in the project's environment, or a peer's, in the peers'.

    python -P benchmarks/_worker.py TASK DATA.npy [--calls N] [--memory GIB]

A task prepares (imports, conversion to what the package wants) and hands back the call; only the call is timed. Prints
one line of JSON: the values it gave, the seconds it took (the median of N calls after warming up), the peak memory of
the process, and how much of that came on top of what the process held before. Needs nothing but NumPy and the package
of the task.
"""

from __future__ import annotations

import argparse
import gc
import json
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

Values = dict[str, float]
Call = Callable[[], Values]
Array = np.ndarray[Any, Any]

TASKS: dict[str, Callable[[Array, str], Call]] = {}
IRRCAC = {
    "fleiss_kappa": "fleiss",
    "gwet_ac": "gwet",
    "brennan_prediger_kappa": "bp",
    "krippendorff_alpha": "krippendorff",
    "conger_kappa": "conger",
}
DRAWS = 1_000
WARM = 20  # calls before the median of many is taken


def task(prepare: Callable[[Array, str], Call]) -> Callable[[Array, str], Call]:
    """Put a task into the table under its name."""
    TASKS[prepare.__name__] = prepare
    return prepare


def loaded() -> Any:
    """The package with every public name loaded, which it would else do within the first call."""
    import accord

    for name in dir(accord):
        getattr(accord, name)
    return accord


@task
def accord_values(array: Array, which: str) -> Call:
    """Measures of items × annotators, the study made anew: `which` names them, joined by "+"."""
    accord = loaded()
    names = which.split("+")

    def call() -> Values:
        study = accord.Study.from_wide(array)
        return {name: getattr(accord, name)(study).value for name in names}

    return call


@task
def accord_bootstrap(array: Array, which: str) -> Call:
    """A measure of items × annotators with its interval from resamples."""
    accord = loaded()

    def call() -> Values:
        result = getattr(accord, which)(accord.Study.from_wide(array))
        low, high = result.interval(method="bootstrap", n_resamples=DRAWS, rng=0)
        return {which: result.value, "low": low, "high": high}

    return call


@task
def accord_level(array: Array, which: str) -> Call:
    """Alpha of scores at a numeric level, the study made anew."""
    accord = loaded()

    def call() -> Values:
        study = accord.Study.from_wide(array, answers="score")
        return {which: accord.krippendorff_alpha(study, level=which).value}

    return call


@task
def accord_lists(array: Array, which: str) -> Call:
    """Cohen's kappa of two lists, of text or of integers."""
    accord = loaded()
    first, second = _lists(array, which)
    return lambda: {"cohen_kappa": accord.cohen_kappa(first, second).value}


@task
def statsmodels_fleiss(array: Array, _which: str) -> Call:
    """Fleiss' kappa from the array: counting included, as a user must."""
    from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

    return lambda: {"fleiss_kappa": float(fleiss_kappa(aggregate_raters(array)[0]))}


@task
def krippendorff_level(array: Array, which: str) -> Call:
    """Alpha at a level; the package wants annotators × items."""
    import krippendorff

    turned = np.ascontiguousarray(array.T)
    name = "krippendorff_alpha" if which == "nominal" else which
    return lambda: {name: float(krippendorff.alpha(reliability_data=turned, level_of_measurement=which))}


@task
def irrcac_value(array: Array, which: str) -> Call:
    """One of Gwet's coefficients; the package wants a pandas frame."""
    import pandas as pd
    from irrCAC.raw import CAC

    frame = pd.DataFrame(array)
    return lambda: {which: float(getattr(CAC(frame), IRRCAC[which])()["est"]["coefficient_value"])}


@task
def sklearn_lists(array: Array, which: str) -> Call:
    """Cohen's kappa of two lists."""
    from sklearn.metrics import cohen_kappa_score

    first, second = _lists(array, which)
    return lambda: {"cohen_kappa": float(cohen_kappa_score(first, second))}


@task
def sklearn_pair(array: Array, _which: str) -> Call:
    """Cohen's kappa of the first two columns."""
    from sklearn.metrics import cohen_kappa_score

    return lambda: {"cohen_kappa": float(cohen_kappa_score(array[:, 0], array[:, 1]))}


@task
def statsmodels_pair(array: Array, _which: str) -> Call:
    """Cohen's kappa of the first two columns: counting included, as a user must."""
    from statsmodels.stats.inter_rater import cohens_kappa, to_table

    return lambda: {"cohen_kappa": float(cohens_kappa(to_table(array[:, :2])[0], return_results=False))}


@task
def nltk_value(array: Array, which: str) -> Call:
    """A coefficient of nltk, named with ours; it wants one triple per answer."""
    from nltk.metrics.agreement import AnnotationTask

    triples = [
        (f"a{who}", f"i{item}", label) for item, row in enumerate(array.tolist()) for who, label in enumerate(row)
    ]
    method = {"krippendorff_alpha": "alpha", "fleiss_kappa": "pi", "cohen_kappa": "kappa"}[which]
    return lambda: {which: float(getattr(AnnotationTask(data=triples), method)())}


@task
def accord_pair(array: Array, _which: str) -> Call:
    """Cohen's kappa of the first two columns."""
    accord = loaded()
    return lambda: {"cohen_kappa": accord.cohen_kappa(array[:, 0], array[:, 1]).value}


@task
def accord_gold(array: Array, _which: str) -> Call:
    """Dawid and Skene's gold as it was published: the share of items whose label is 0."""
    accord = loaded()

    def call() -> Values:
        found = accord.gold(accord.Study.from_wide(array), method="dawid-skene", prior="none")
        return {"share": float(np.mean([label == 0 for label in found.labels]))}

    return call


@task
def crowdkit_gold(array: Array, _which: str) -> Call:
    """The same; the package wants a pandas frame of task, worker and label."""
    from crowdkit.aggregation import DawidSkene

    frame = _long(array, "task", "worker", "label")
    return lambda: {"share": float((DawidSkene(n_iter=100).fit_predict(frame) == 0).mean())}


@task
def accord_icc(array: Array, _which: str) -> Call:
    """ICC(A,1) of scores."""
    accord = loaded()
    return lambda: {"icc": accord.icc(accord.Study.from_wide(array, answers="score"), form="ICC(A,1)").value}


@task
def pingouin_icc(array: Array, _which: str) -> Call:
    """The same, which the package calls ICC2 and makes with the other five; it wants a long pandas frame."""
    import pingouin

    frame = _long(array, "item", "who", "score")

    def call() -> Values:
        table = pingouin.intraclass_corr(frame, targets="item", raters="who", ratings="score")
        return {"icc": float(table.loc[table["Type"].isin(["ICC2", "ICC(A,1)"]), "ICC"].iloc[0])}

    return call


@task
def accord_gamma(array: Array, _which: str) -> Call:
    """Gamma of one document; a row is annotator, start, end, label."""
    accord = loaded()
    who, start, end, label = array.T.tolist()
    table = {"item": [1] * len(who), "annotator": [f"a{one:g}" for one in who], "start": start, "end": end}
    study = accord.Study({**table, "label": [f"l{one:g}" for one in label]})
    return lambda: {"gamma": accord.gamma(study, precision=0.02, sampler="pygamma", rng=0).value}


@task
def pygamma_gamma(array: Array, _which: str) -> Call:
    """The same, with the solver that the package takes by default."""
    from pyannote.core import Segment
    from pygamma_agreement import CombinedCategoricalDissimilarity, Continuum

    continuum = Continuum()
    for who, start, end, label in array.tolist():
        continuum.add(f"a{who:g}", Segment(start, end), f"l{label:g}")
    unlike = CombinedCategoricalDissimilarity(alpha=1, beta=1)

    def call() -> Values:
        np.random.seed(0)  # noqa: NPY002 - the package draws from NumPy's old generator
        return {"gamma": float(continuum.compute_gamma(unlike, precision_level=0.02).gamma)}

    return call


def _long(array: Array, item: str, annotator: str, answer: str) -> Any:
    """A pandas frame with a row per answer, its columns so called."""
    import pandas as pd

    items, people = array.shape
    columns = (np.repeat(np.arange(items), people), np.tile(np.arange(people), items), array.ravel())
    return pd.DataFrame(dict(zip((item, annotator, answer), columns, strict=True)))


def _lists(array: Array, which: str) -> tuple[list[Any], list[Any]]:
    first, second = array.tolist()
    if which == "text":
        return [f"label {code}" for code in first], [f"label {code}" for code in second]
    return first, second


def timed(call: Call, calls: int) -> tuple[Values, float, float]:
    """What the call gave, and the medians of its times, by the clock and of the processor; many calls are warmed up."""
    for _ in range(WARM if calls > 1 else 0):
        call()
    clock, processor = [], []
    for _ in range(calls):
        begin, at_work = time.perf_counter(), time.process_time()
        values = call()
        clock.append(time.perf_counter() - begin)
        processor.append(time.process_time() - at_work)
    return values, statistics.median(clock), statistics.median(processor)


def memory(line: str) -> float:
    """Megabytes that the process holds (VmRSS) or held at most (VmHWM); NaN where the system does not tell.

    Not `getrusage`: its peak starts with that of the process that started this one.
    """
    status = Path("/proc/self/status")
    if not status.exists():
        return float("nan")
    kilobytes = next(row.split()[1] for row in status.read_text().splitlines() if row.startswith(line))
    return int(kilobytes) / 1024


def allow_at_most(gigabytes: float) -> None:
    """Refuse larger allocations instead of bringing the machine down."""
    import resource

    size = int(gigabytes * 2**30)
    resource.setrlimit(resource.RLIMIT_AS, (size, size))


def main() -> None:
    """Run one task and print one line."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("task", help="a task of this file, and what it shall compute: task:which")
    arguments.add_argument("data", type=Path)
    arguments.add_argument("--calls", type=int, default=1)
    arguments.add_argument("--memory", type=float, help="GiB")
    given = arguments.parse_args()
    if given.memory:
        allow_at_most(given.memory)
    name, _, which = given.task.partition(":")
    call = TASKS[name](np.load(given.data), which)
    gc.collect()
    before = memory("VmRSS")
    try:
        values, seconds, processor = timed(call, given.calls)
    except MemoryError as refusal:
        print(json.dumps({"cannot": str(refusal).partition(" for an array")[0]}))
        return
    peak = memory("VmHWM")
    told = {"values": values, "seconds": seconds, "processor": processor, "peak_mb": peak, "added_mb": peak - before}
    print(json.dumps(told))


if __name__ == "__main__":
    main()
