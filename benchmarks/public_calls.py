"""How long does every public call take, on sixty items, ten thousand and a million?

Each call is asked of data prepared afresh, so that nothing is remembered from the last one, as often as a fifth of
a second allows; the best seconds of the processor count. What is loaded once is no part of it. `before_and_after` runs
it in two trees of the sources, and compares the values that both print: coefficients are the same, whatever their
intervals.

    python -m benchmarks.public_calls [--sizes 60 10000] [--only WORDS …]
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import accord

SIZES = (60, 10_000, 1_000_000)
ANNOTATORS, LABELS, TOPICS = 5, 4, 6
LONG = 0.2  # seconds for one question, unless a single call takes longer
TIMES = 200  # and calls, at most
SMALL, MEDIUM, LARGE = SIZES

ONE_OF_EACH = (
    "percent_agreement", "fleiss_kappa", "conger_kappa", "light_kappa", "gwet_ac", "brennan_prediger_kappa",
)  # fmt: skip

Make = Callable[["Data"], Any]
Ask = Callable[[Any], Any]


@dataclass(frozen=True)
class Data:
    """Answers of five annotators, most of them right; a row is an item."""

    codes: np.ndarray[Any, Any]

    @property
    def study(self) -> accord.Study:
        """As an array comes, some answers missing."""
        return accord.Study.from_wide(np.where(self.codes < 0, np.nan, self.codes))

    @property
    def whole(self) -> accord.Study:
        """Without gaps."""
        return accord.Study.from_wide(np.abs(self.codes))

    @property
    def pair(self) -> accord.Study:
        """The first two annotators."""
        return accord.Study.from_wide(np.abs(self.codes[:, :2]))

    @property
    def columns(self) -> dict[str, np.ndarray[Any, Any]]:
        """One row per answer, with the topic of its item."""
        item, who = np.nonzero(self.codes >= 0)
        return {"item": item, "annotator": who, "label": self.codes[item, who], "topic": item % TOPICS}

    @property
    def long(self) -> accord.Study:
        """From one row per answer."""
        return accord.Study(self.columns, item="item", annotator="annotator", label="label")

    @property
    def repeated(self) -> accord.Study:
        """One item in five is answered twice by everybody."""
        columns = self.columns
        again = columns["item"] % 5 == 0
        twice = {name: np.concatenate((column, column[again])) for name, column in columns.items()}
        return accord.Study(twice, item="item", annotator="annotator", label="label", duplicates="repeat")

    @property
    def two_labels(self) -> dict[str, np.ndarray[Any, Any]]:
        """Every third answer with a second label."""
        columns = self.columns
        more = (columns["item"] + columns["annotator"]) % 3 == 0
        second = {**columns, "label": (columns["label"] + 1) % LABELS}
        both = {name: np.concatenate((columns[name], second[name][more])) for name in columns}
        return {**both, "rank": np.concatenate((np.ones(len(more), int), np.full(more.sum(), 2)))}

    @property
    def ranked(self) -> accord.Study:
        """A primary label, and some a secondary one."""
        return accord.Study(self.two_labels, item="item", annotator="annotator", label="label", rank="rank")

    @property
    def sets(self) -> accord.Study:
        """Sets of labels."""
        return accord.Study(self.two_labels, item="item", annotator="annotator", label="label", answers="set")


@dataclass(frozen=True)
class Question:
    """A call: what it is asked of, made afresh each time, and up to how many items it is asked."""

    words: str
    make: Make
    ask: Ask
    most: int = LARGE


def questions() -> Iterator[Question]:
    """Every call, from a study to a report."""
    yield Question("Study.from_wide", lambda data: data, lambda data: data.study)
    yield Question("Study, one row per answer", lambda data: data, lambda data: data.long)
    yield Question("tally", lambda data: data.study, lambda study: study.tally())
    yield Question("named tally", lambda data: data.study, lambda study: study.tally(named=True))
    yield Question("named tally with repeats", lambda data: data.repeated, lambda study: study.tally(named=True))
    yield Question("tally with repeats", lambda data: data.repeated, lambda study: study.tally())
    yield from coefficients()
    yield from inference()
    yield from breakdowns()
    yield from labels()
    yield from larger_questions()


def coefficients() -> Iterator[Question]:
    """Values, and values as they are printed, which asks for the interval."""
    for name in ONE_OF_EACH:
        yield Question(name, lambda data: data.study, getattr(accord, name))
        yield Question(f"{name}, printed", lambda data: data.study, printed(name))
    for level in ("nominal", "ordinal", "interval", "ratio"):
        yield Question(f"alpha, {level}, printed", lambda data: data.study, printed("krippendorff_alpha", level=level))
    yield Question("cohen_kappa, printed", lambda data: data.pair, printed("cohen_kappa"))
    yield Question("fleiss_kappa with repeats", lambda data: data.repeated, printed("fleiss_kappa"))
    yield Question("rosenberg_binkowski_kappa", lambda data: data.ranked, printed("rosenberg_binkowski_kappa"), MEDIUM)
    yield Question("bhowmick_am", lambda data: data.sets, printed("bhowmick_am"), MEDIUM)


def inference() -> Iterator[Question]:
    """How sure, against chance, against another."""
    for name in ("fleiss_kappa", "conger_kappa", "light_kappa", "krippendorff_alpha", "gwet_ac"):
        for method in ("analytic", "jackknife", "bootstrap", "bca", "bayesian"):
            most = MEDIUM if method != "analytic" else LARGE
            yield Question(f"{name}.interval({method})", asked_of(name), asking("interval", method=method), most)
        for over in ("annotators", "both"):
            yield Question(f"{name}.interval({over})", asked_of(name), asking("interval", resample=over))
        yield Question(f"{name}.test()", asked_of(name), asking("test"))
        yield Question(f"{name}.test(null=0.5)", asked_of(name), asking("test", null=0.5))
        yield Question(f"{name}.interpret()", asked_of(name), asking("interpret"))
        yield Question(f"{name}.sentence()", asked_of(name), asking("sentence"))
    both = asking("interval", resample="both", method="bootstrap")
    yield Question("fleiss_kappa.interval(both, bootstrap)", asked_of("fleiss_kappa"), both, SMALL)
    yield Question("cohen_kappa.test()", asked_of("cohen_kappa", "pair"), asking("test"))
    yield Question("alpha, interval: test()", asked_of("krippendorff_alpha", level="interval"), asking("test"))
    shuffled = asking("test", method="permutation", n_resamples=100)
    yield Question("fleiss_kappa.test(permutation)", asked_of("fleiss_kappa"), shuffled, SMALL)
    for method, most in (("analytic", LARGE), ("bootstrap", MEDIUM)):
        yield Question(f"compare two measures, {method}", two_measures, comparing(method=method), most)
    yield Question("compare two studies", two_studies, comparing())


def breakdowns() -> Iterator[Question]:
    """Where a value comes from."""
    for name in ("fleiss_kappa", "conger_kappa", "krippendorff_alpha"):
        for way in ("by_item", "by_label", "by_annotator", "by_pair"):
            yield Question(f"{name}.{way}()", asked_of(name), asking(way))
    yield Question(
        "by topic, from rows to a table", lambda data: data.columns, lambda columns: by_topic(columns).by_group()
    )
    yield Question("differences()", lambda data: by_topic(data.columns), asking("differences"))
    yield Question(
        "interval(cluster)", lambda data: accord.fleiss_kappa(data.columns), asking("interval", cluster="topic")
    )


def labels() -> Iterator[Question]:
    """Gold, and what it knows of annotators."""
    for method in ("majority", "dawid-skene", "one-coin", "mace", "glad", "auto"):
        most = LARGE if method in ("majority", "dawid-skene") else MEDIUM
        yield Question(f"gold({method})", lambda data: data.study, deciding(method), most)
        yield Question(f"gold({method}).annotators()", golden(method), asking("annotators"), most)
    yield Question("gold(dawid-skene).by_label()", golden("dawid-skene"), asking("by_label"))
    yield Question("gold(dawid-skene).to_table()", golden("dawid-skene"), asking("to_table"), MEDIUM)
    yield Question("gold(dawid-skene), printed", golden("dawid-skene"), str)


def larger_questions() -> Iterator[Question]:
    """Everything at once."""
    yield Question("measure", lambda data: data.study, accord.measure)
    yield Question("measure, printed", lambda data: data.study, printed("measure"))
    yield Question("measure with repeats, printed", lambda data: data.repeated, printed("measure"), MEDIUM)
    yield Question("pairwise", lambda data: data.study, accord.pairwise)
    yield Question("explain", lambda data: data.study, accord.explain)
    yield Question("explain, printed", lambda data: data.study, printed("explain"))
    yield Question("plan", lambda data: data.study, lambda study: accord.plan(study, width=0.3), SMALL)
    yield Question(
        "alt_test",
        lambda data: data.study,
        lambda study: accord.judge.alt_test(study, model=study.annotators[4]),
        MEDIUM,
    )
    yield Question("report", lambda data: data.study, reported, MEDIUM)


# -- what is asked, and of what ----------------------------------------------------------------------------------------


def tallied(study: accord.Study) -> accord.Study:
    """The same study with its tallies made, which are no part of what is asked."""
    study.tally(), study.tally(named=True)
    return study


def asked_of(measure: str, shape: str = "study", **options: Any) -> Make:
    """Makes a result of one measure."""
    return lambda data: getattr(accord, measure)(tallied(getattr(data, shape)), **options)


def two_measures(data: Data) -> tuple[accord.Agreement, accord.Agreement]:
    """Two results of one study."""
    study = tallied(data.study)
    return accord.fleiss_kappa(study), accord.gwet_ac(study)


def two_studies(data: Data) -> tuple[accord.Agreement, accord.Agreement]:
    """Results of two studies."""
    return accord.fleiss_kappa(tallied(data.study)), accord.fleiss_kappa(tallied(data.whole))


def by_topic(columns: dict[str, np.ndarray[Any, Any]]) -> accord.Agreement:
    """A result by groups."""
    return accord.fleiss_kappa(columns, by="topic")


def golden(method: str) -> Make:
    """Makes a gold."""
    return lambda data: accord.gold(data.study, method=method)


def deciding(method: str) -> Ask:
    """Asks for a gold."""
    return lambda study: accord.gold(study, method=method)


def asking(name: str, **options: Any) -> Ask:
    """Asks a result, or a gold."""
    return lambda result: getattr(result, name)(**options)


def printed(name: str, **options: Any) -> Ask:
    """Asks a study, and prints the answer."""
    return lambda study: str(getattr(accord, name)(study, **options))


def comparing(**options: Any) -> Ask:
    """Asks for the difference of two results."""
    return lambda two: accord.compare(*two, **options)


def reported(study: accord.Study) -> None:
    """A whole page."""
    with tempfile.TemporaryDirectory(prefix="accord-bench-") as folder:
        accord.report(study, Path(folder) / "report.html")


def drawn(items: int) -> Data:
    """The data of one size; −1 where nobody answered."""
    rng = np.random.default_rng(items)
    true = rng.choice(LABELS, items, p=[0.4, 0.3, 0.2, 0.1])
    skill = np.linspace(0.6, 0.9, ANNOTATORS)
    right = rng.random((items, ANNOTATORS)) < skill
    said = np.where(right, true[:, None], rng.integers(0, LABELS, (items, ANNOTATORS)))
    return Data(np.where(rng.random((items, ANNOTATORS)) < 0.1, -1, said))


def timed(question: Question, data: Data) -> tuple[float, Any]:
    """The best seconds of the processor, and the last answer."""
    best, spent, answer = float("inf"), 0.0, None
    for _ in range(TIMES):
        given = question.make(data)
        gc.collect(0)  # not while it is asked
        gc.disable()
        begin = time.process_time()
        answer = question.ask(given)
        taken = time.process_time() - begin
        gc.enable()
        best, spent = min(best, taken), spent + taken
        if spent > LONG:
            break
    return best, answer


def values(answer: Any) -> dict[str, float]:
    """Numbers that no tree may change: a coefficient's."""
    if isinstance(answer, accord.Agreement):
        return {"value": answer.value, "observed": answer.observed, "expected": answer.expected}
    return {}


def known(question: Question, small: Data) -> bool:
    """Can this tree be asked? Asking once loads what it needs; an older tree lacks some calls and keywords."""
    try:
        question.ask(question.make(small))
    except (AttributeError, TypeError, accord.AccordError) as error:
        print(f"{question.words}: not asked here. {error}", file=sys.stderr)
        return False
    return True


def main() -> None:
    """A line of JSON a question."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--sizes", type=int, nargs="+", default=list(SIZES))
    arguments.add_argument("--only", nargs="+", default=[""], help="questions that hold one of these words")
    given = arguments.parse_args()
    small = drawn(SMALL)
    for size in given.sizes:
        data = drawn(size)
        for question in questions():
            if size > question.most or not any(word in question.words for word in given.only):
                continue
            if not known(question, small):
                continue
            seconds, answer = timed(question, data)
            line = {"rows": size, "question": question.words, "processor": seconds, "values": values(answer)}
            print(json.dumps(line), flush=True)


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
