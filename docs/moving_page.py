"""The tables of docs/moving-from.md: a call of another package, ours, and the number of each.

Calls of packages that can be installed here are run in an environment of theirs by
tests/reference/make_moving_values.py, which keeps their numbers in tests/reference/moving_values.json; ours are run
whenever docs/make_reference.py is. So whatever the page shows was returned by the call that stands beside it. Of R and
SPSS it shows what was printed, and says where.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
VALUES = ROOT / "tests" / "reference" / "moving_values.json"
TABLES = ROOT / "tests" / "tables"
DIGITS = 4

# What the calls are made of: literals, which every environment understands.
DATA = """\
# Krippendorff's own example: twelve items by four annotators, with gaps.
ratings = [
    [1, 1, None, 1], [2, 2, 3, 2], [3, 3, 3, 3], [3, 3, 3, 3], [2, 2, 2, 2], [1, 2, 3, 4],
    [4, 4, 4, 4], [1, 1, 2, 1], [2, 2, 2, 2], [None, 5, 5, 5], [None, None, 1, 1], [None, None, 3, None],
]
complete = ratings[1:9]  # the eight items that everybody answered
counts = [[row.count(label) for label in (1, 2, 3, 4, 5)] for row in ratings]
# Two annotators: words, a scale of four, and a scale whose steps are not alike.
a, b = ["yes", "no", "yes", "no", "yes"], ["yes", "no", "no", "no", "yes"]
x, y = [row[0] for row in complete], [row[2] for row in complete]
u, v = [1, 2, 9, 9, 1, 2], [1, 9, 9, 2, 2, 2]
table = [[20, 5], [10, 15]]  # how often the two said what
sets = [[["joy"], ["joy", "fear"]], [["fear"], ["fear"]], [["joy", "fear"], ["fear"]], [["joy"], ["joy"]]]
# Shrout and Fleiss's six targets by four judges.
scores = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
# A crowd: three workers on six photographs, and a seventh that is tied.
said = ["cat cat dog", "dog dog dog", "cat cat cat", "dog cat dog", "dog dog cat", "cat cat cat", "cat dog"]
crowd = [
    {"task": task, "worker": worker, "label": label}
    for task, row in enumerate(said, start=1)
    for worker, label in zip(["ann", "bo", "cy"], row.split())
]
# Spans of one text: who, from, to, label.
marked = [
    ("ana", 1, 5, "a"), ("ana", 6, 10, "b"), ("ana", 11, 15, "c"),
    ("ben", 2, 6, "a"), ("ben", 6, 12, "c"), ("ben", 11, 15, "c"),
]
"""
STUDIES = """\
import accord

study = accord.Study.from_wide(ratings)
everybody = accord.Study.from_wide(complete)
points = accord.Study.from_wide(scores, answers="score")
rows = [{"doc": 1, "who": who, "start": start, "end": end, "label": label} for who, start, end, label in marked]
spans = accord.Study(rows, item="doc", annotator="who", start="start", end="end", label="label")
"""
# Data sets of R packages and of a paper, under the names that they have there; tests/tables holds two of them.
PRINTED_DATA = {
    "anxiety": [
        [3, 3, 2], [3, 6, 1], [3, 4, 4], [4, 6, 4], [5, 2, 3], [5, 4, 2], [2, 2, 1], [3, 4, 6], [5, 3, 1], [2, 3, 1],
        [2, 2, 1], [6, 3, 2], [1, 3, 3], [5, 3, 3], [2, 2, 1], [2, 2, 1], [1, 1, 3], [2, 3, 3], [4, 3, 2], [3, 4, 2],
    ],
    "cont3x3abstractors": [[13, 0, 0], [0, 20, 7], [0, 4, 56]],
}  # fmt: skip
PUBLISHED = {"diagnoses": "irr-diagnoses", "units": "hayes-krippendorff2007", "nine": "krippendorff1980"}


@dataclass(frozen=True)
class Move:
    """A call there, the call here, and why they differ where they do."""

    there: str
    here: str
    why: str = ""  # what makes the difference, where there is one
    note: str = ""  # what to know besides
    take: str = ""  # what of the answer there is the number
    printed: float | None = None  # the number there, where it is not run but was printed
    slack: float = 1e-9  # what the printing leaves open


@dataclass(frozen=True)
class Package:
    """A package that one may come from, and how it is asked."""

    home: str | None  # which environment of benchmarks/peers.py; None where nothing is run
    setup: str
    moves: tuple[Move, ...]


PACKAGES: dict[str, Package] = {
    "scikit-learn": Package(
        "peers",
        "from sklearn.metrics import cohen_kappa_score",
        (
            Move("cohen_kappa_score(a, b)", "accord.cohen_kappa(a, b)"),
            Move('cohen_kappa_score(x, y, weights="quadratic")', 'accord.cohen_kappa(x, y, weights="quadratic")'),
            Move(
                'cohen_kappa_score(u, v, weights="linear")',
                'accord.cohen_kappa(u, v, weights="linear")',
                why="the labels are 1, 2 and 9: scikit-learn weighs by place in the list, accord by the numbers",
            ),
            Move(
                'cohen_kappa_score(u, v, weights="linear", labels=range(1, 10))',
                'accord.cohen_kappa(u, v, weights="linear", labels=range(1, 10))',
                note="with all nine labels declared, places are numbers",
            ),
            Move(
                'cohen_kappa_score(["yes"] * 3, ["yes"] * 3)',
                'accord.cohen_kappa(["yes"] * 3, ["yes"] * 3)',
                note="of one label only there is a warning there, and the reason in `undefined` here",
            ),
        ),
    ),
    "krippendorff": Package(
        "peers",
        "import krippendorff\nimport numpy as np\nby_annotator = np.array(ratings, dtype=float).T",
        (
            *(
                Move(
                    f'krippendorff.alpha(by_annotator, level_of_measurement="{level}")',
                    f'accord.krippendorff_alpha(study, level="{level}")',
                    note="there a row is an annotator, here an item" if level == "nominal" else "",
                )
                for level in ("nominal", "ordinal", "interval", "ratio")
            ),
            Move(
                'krippendorff.alpha(value_counts=np.array(counts), level_of_measurement="nominal")',
                "accord.krippendorff_alpha(accord.Study.from_counts(counts))",
            ),
            Move(
                'krippendorff.alpha([["nan", "a", "a", "b"], ["nan", "a", "b", "b"]], level_of_measurement="nominal")',
                'accord.krippendorff_alpha([["nan", "nan"], ["a", "a"], ["a", "b"], ["b", "b"]])',
                why='the text "nan" is missing there and a label here (`missing=["nan"]` makes it a gap)',
            ),
        ),
    ),
    "irrCAC": Package(
        "peers",
        "import pandas as pd\nfrom irrCAC.raw import CAC\nframe = pd.DataFrame(ratings)\n"
        "CAC = __import__('functools').partial(CAC, digits=15)",
        (
            *(
                Move(there, here, note=note, take='["est"]["coefficient_value"]')
                for there, here, note in (
                    ("CAC(frame).fleiss()", "accord.fleiss_kappa(study)", ""),
                    ("CAC(frame).conger()", "accord.conger_kappa(study)", ""),
                    ("CAC(frame).gwet()", "accord.gwet_ac(study)", "AC1"),
                    ('CAC(frame, weights="quadratic").gwet()', 'accord.gwet_ac(study, weights="quadratic")', "AC2"),
                    ("CAC(frame).bp()", "accord.brennan_prediger_kappa(study)", ""),
                    ("CAC(frame).krippendorff()", "accord.krippendorff_alpha(study)", "made of other parts"),
                    (
                        'CAC(frame, weights="ordinal").fleiss()',
                        'accord.fleiss_kappa(study, weights="ordinal")',
                        "Gwet's ordinal weights, which are not Krippendorff's ordinal level",
                    ),
                )
            ),
            Move(
                "CAC(frame).gwet()",
                'accord.gwet_ac(study).interval(method="gwet").se',
                note="the standard error",
                take='["est"]["se"]',
            ),
        ),
    ),
    "irrCAC for R": Package(
        None,
        "",
        tuple(
            Move(f"{there}(cont3x3abstractors)", f"accord.{here}({study})", printed=printed, slack=5e-8)
            for study in ("accord.Study.from_confusion(cont3x3abstractors)",)
            for there, here, printed in (
                ("kappa2.table", "cohen_kappa", 0.7964094),
                ("scott2.table", "scott_pi", 0.7962397),
                ("gwet.ac1.table", "gwet_ac", 0.8493305),
                ("bp2.table", "brennan_prediger_kappa", 0.835),
                ("krippen2.table", "krippendorff_alpha", 0.7972585),
                ("pa2.table", "percent_agreement", 0.89),
            )
        ),
    ),
    "irr": Package(
        None,
        "",
        (
            Move("kappam.fleiss(diagnoses)", "accord.fleiss_kappa(diagnoses)", printed=0.43, slack=5e-4),
            Move("kappam.fleiss(diagnoses, exact = TRUE)", "accord.conger_kappa(diagnoses)", printed=0.442, slack=5e-4),
            Move("kappam.light(diagnoses)", "accord.light_kappa(diagnoses)", printed=0.459, slack=5e-4),
            Move(
                "kappa2(anxiety[, 2:3])",
                "accord.cohen_kappa([row[1:] for row in anxiety])",
                printed=-0.006289308,
                slack=5e-10,
            ),
            Move(
                'kappa2(anxiety[, 2:3], "equal")',
                'accord.cohen_kappa([row[1:] for row in anxiety], weights="linear", labels=range(1, 7))',
                why="nobody of the two said 5; irr drops it and puts 6 right after 4, here it keeps its place",
                printed=0.1459075,
                slack=5e-8,
            ),
            Move(
                "kripp.alpha(t(nine))",
                "accord.krippendorff_alpha(nine)",
                why="by its source; **irr is wrong** on complete data of three raters or more, where it divides by 1 "
                "and Krippendorff by m − 1: he prints .642 of these units",
                printed=0.635,
                slack=5e-4,
            ),
            Move(
                'icc(anxiety, model = "twoway", type = "agreement")',
                'accord.icc(accord.Study.from_wide(anxiety, answers="score"), form="A,1")',
                printed=0.198,
                slack=5e-4,
            ),
        ),
    ),
    "statsmodels": Package(
        "peers",
        "import numpy as np\nfrom statsmodels.stats.inter_rater import aggregate_raters, cohens_kappa, fleiss_kappa",
        (
            Move("cohens_kappa(table)", "accord.cohen_kappa(accord.Study.from_confusion(table))", take=".kappa"),
            Move(
                "cohens_kappa(table)",
                "accord.cohen_kappa(accord.Study.from_confusion(table)).interval().se",
                why="the standard error: statsmodels divides by n, accord by n − 1",
                take=".std_kappa",
            ),
            Move("fleiss_kappa(counts[1:9])", "accord.fleiss_kappa(accord.Study.from_counts(counts[1:9]))"),
            Move(
                'fleiss_kappa(counts[1:9], method="randolph")',
                "accord.brennan_prediger_kappa(accord.Study.from_counts(counts[1:9]))",
                note="both over the five labels of the table",
            ),
            Move(
                "fleiss_kappa(aggregate_raters(np.array(ratings, dtype=float))[0])",
                "accord.fleiss_kappa(study)",
                why="a gap is a category of its own there, without a warning, and no answer here",
            ),
        ),
    ),
    "nltk": Package(
        "peers",
        "from nltk.metrics import masi_distance\nfrom nltk.metrics.agreement import AnnotationTask\n"
        "def triples(rows):\n"
        "    return [(f'c{j}', i, cell) for i, row in enumerate(rows) for j, cell in enumerate(row)"
        " if cell is not None]\n"
        "with_gaps = triples(ratings)\nfull = triples(complete)\n"
        "of_sets = [(who, item, frozenset(cell)) for who, item, cell in triples(sets)]",
        (
            Move("AnnotationTask(with_gaps).alpha()", "accord.krippendorff_alpha(study)"),
            Move("AnnotationTask(full).pi()", "accord.fleiss_kappa(everybody)"),
            Move("AnnotationTask(full).kappa()", "accord.light_kappa(everybody)"),
            Move("AnnotationTask(full).multi_kappa()", "accord.conger_kappa(everybody)"),
            Move("AnnotationTask(full).S()", "accord.brennan_prediger_kappa(everybody)"),
            Move(
                "AnnotationTask(with_gaps).pi()",
                "accord.fleiss_kappa(study)",
                why="gaps stop it there with an error that does not name them",
            ),
            Move(
                "AnnotationTask(of_sets, distance=masi_distance).alpha()",
                'accord.krippendorff_alpha(accord.Study.from_wide(sets, answers="set"), weights="masi")',
            ),
        ),
    ),
    "SPSS": Package(
        None,
        "",
        (
            Move(
                "KALPHA judges = obs1 … obs5 /level = 2",
                'accord.krippendorff_alpha(units, level="ordinal")',
                note="Hayes's macro; its bootstrap redraws disagreements, ours items",
                printed=0.7598,
                slack=5e-5,
            ),
        ),
    ),
    "crowd-kit": Package(
        "more-peers",
        "import pandas as pd\nfrom crowdkit.aggregation import DawidSkene, MajorityVote, OneCoinDawidSkene, Wawa\n"
        "frame = pd.DataFrame(crowd)",
        (
            Move(
                "MajorityVote().fit_predict(frame)",
                'accord.gold(crowd, method="majority")',
                why='a tie is the first label there and undecided here, unless `ties="first"`',
            ),
            Move(
                "DawidSkene(n_iter=100).fit_predict(frame)",
                'accord.gold(crowd, method="dawid-skene", prior="none")',
                note="by default accord learns a prior, so that confidences are calibrated",
            ),
            Move(
                "OneCoinDawidSkene(n_iter=100).fit_predict(frame)",
                'accord.gold(crowd, method="one-coin", prior="none")',
            ),
            Move(
                "Wawa().fit_predict(frame)",
                'accord.gold(crowd, method="worker-agreement")',
                why="this version stops with the scikit-learn that it installs",
            ),
        ),
    ),
    "pygamma-agreement": Package(
        "more-peers",
        "import numpy as np\nfrom pyannote.core import Segment\n"
        "from pygamma_agreement import CombinedCategoricalDissimilarity, Continuum\n"
        "continuum = Continuum()\n"
        "for who, start, end, label in marked:\n    continuum.add(who, Segment(start, end), label)\n"
        "differ = CombinedCategoricalDissimilarity(alpha=3, beta=2)\nnp.random.seed(0)",
        (
            Move(
                "continuum.get_best_alignment(differ)",
                "1 - accord.gamma(spans, alpha=3, beta=2).observed",
                note="the disorder of the best alignment",
                take=".disorder",
                slack=1e-6,  # the package computes with single precision
            ),
            Move(
                "continuum.compute_gamma(differ, precision_level=0.02)",
                'accord.gamma(spans, alpha=3, beta=2, sampler="pygamma")',
                why="each draws its own samples of chance; a text of six units leaves them much room",
                take=".gamma",
            ),
        ),
    ),
    "pingouin": Package(
        "more-peers",
        "import pandas as pd\nimport pingouin\n"
        "frame = pd.DataFrame([(i, j, cell) for i, row in enumerate(scores) for j, cell in enumerate(row)],"
        " columns=['target', 'judge', 'score'])",
        tuple(
            Move(
                'pingouin.intraclass_corr(frame, "target", "judge", "score")',
                f'accord.icc(points, form="{form}")',
                note=f"the row {form}",
                take=f'.set_index("Type").loc["{form}", "ICC"]',
            )
            for form in ("ICC(1,1)", "ICC(A,1)", "ICC(C,1)", "ICC(1,k)", "ICC(A,k)", "ICC(C,k)")
        ),
    ),
}


# -- numbers -----------------------------------------------------------------------------------------------------------


def asked_there(package: Package) -> Iterator[Any]:
    """What a package answers to its calls, one by one: a number, labels, or the error; run where the package lives."""
    names: dict[str, Any] = {}
    exec(DATA + package.setup, names)  # noqa: S102 - our own text, above
    for move in package.moves:
        try:
            yield plain(eval(move.there + move.take, names))  # noqa: S307 - our own text, above
        except Exception as problem:  # noqa: BLE001 - whatever a package raises is its answer
            yield type(problem).__name__


def asked_here(package: Package) -> Iterator[Any]:
    """What accord answers to the same."""
    names: dict[str, Any] = {}
    exec(DATA + STUDIES, names)  # noqa: S102 - our own text, above
    names |= PRINTED_DATA
    for name, file in PUBLISHED.items():
        names[name] = json.loads((TABLES / f"{file}.json").read_text(encoding="utf-8"))["data"]
    for move in package.moves:
        yield plain(eval(move.here, names))  # noqa: S307 - our own text, above


def plain(answer: Any) -> float | list[Any] | None:
    """An answer as JSON keeps it: a number, None for no number, a list of labels."""
    if hasattr(answer, "labels") and not hasattr(answer, "observed"):
        return list(answer.labels)
    if hasattr(answer, "sort_index"):
        return list(answer.sort_index())
    number = float(answer)
    return None if math.isnan(number) else number


def kept() -> dict[str, Any]:
    """What packages answered when they were asked last, with their versions."""
    found: dict[str, Any] = json.loads(VALUES.read_text(encoding="utf-8"))
    return found


@dataclass(frozen=True)
class Compared:
    """A call there and here, with the answer of each."""

    move: Move
    there: Any
    here: Any

    @property
    def same(self) -> bool:
        """Do they agree, to what was printed?"""
        if isinstance(self.there, float) and isinstance(self.here, float):
            return abs(self.there - self.here) <= self.move.slack
        return bool(self.there == self.here)


@cache
def compared() -> dict[str, list[Compared]]:
    """Every call of every package."""
    answers = kept()["answers"]
    found: dict[str, list[Compared]] = {}
    for name, package in PACKAGES.items():
        there = answers[name] if package.home else [move.printed for move in package.moves]
        every = zip(package.moves, there, asked_here(package), strict=True)
        found[name] = [Compared(*one) for one in every]
    return found


# -- the page ----------------------------------------------------------------------------------------------------------


def moving_parts() -> dict[str, str]:
    """What goes into the page, by the names that it has there."""
    versions = kept()["versions"]
    parts = {name: _table(rows) for name, rows in compared().items()}
    named = ", ".join(f"{name} {version}" for name, version in versions.items())
    return {"data": f"```python\n{DATA}\n{STUDIES}```", "versions": named, **parts}


def _table(rows: list[Compared]) -> str:
    lines = ["| there | here | |", "|---|---|---|"]
    for one in rows:
        says = "; ".join(filter(None, ("the same" if one.same else one.move.why, one.move.note)))
        there, here = _shown(one.there, one.move), _shown(one.here)
        lines.append(f"| `{one.move.there}`<br>{there} | `{one.move.here}`<br>{here} | {says} |")
    return "\n".join(lines)


def _shown(answer: Any, move: Move | None = None) -> str:
    """An answer with four digits; one that was printed with fewer keeps those."""
    if answer is None:
        return "undefined"
    if isinstance(answer, str):
        return f"`{answer}`"
    if isinstance(answer, list):
        return ", ".join("–" if label is None else str(label) for label in answer)
    digits = DIGITS
    if move is not None and move.printed is not None:
        digits = min(DIGITS, -math.ceil(math.log10(move.slack)))  # ± 0.0005 was printed with three
    return f"{answer:.{digits}f}"
