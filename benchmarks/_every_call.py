"""Every public call, on the example studies: what `same_numbers` asks of two trees.

Only what both trees know is asked, by names and keywords that neither has changed.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

EXAMPLES = Path(__file__).parents[1] / "examples"
OF_RESULTS = ("by_item", "by_label", "by_annotator", "by_pair", "interpret", "to_dict")
METHODS = ("analytic", "gwet", "jackknife", "bootstrap", "bca", "bayesian")

Ask = Callable[[], Any]


def study(name: str, **options: Any) -> Any:
    """One of the example studies."""
    import accord

    return accord.read(EXAMPLES / f"{name}.csv", **options)


def five() -> Any:
    """Five annotators, four labels, a topic of each item."""
    return study("five-annotators")


def ranked() -> Any:
    """Primary and secondary labels."""
    return study("emails-primary-secondary")


def sets() -> Any:
    """Sets of labels."""
    return study("emotions", answers="set")


def called(name: str, data: Ask, **options: Any) -> Ask:
    """A public call of some data."""
    import accord

    return lambda: getattr(accord, name)(data(), **options)


def asked(made: Ask, way: str, **options: Any) -> Ask:
    """What a result or a gold is asked."""
    return lambda: getattr(made(), way)(**options)


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

    two = cache(lambda: study("two-annotators"))
    for name in ("cohen_kappa", "scott_pi"):
        yield name, called(name, two)
        yield name, called(name, two, weights="identity")
    for name in (
        "percent_agreement", "fleiss_kappa", "conger_kappa", "light_kappa", "gwet_ac", "brennan_prediger_kappa",
        "krippendorff_alpha",
    ):  # fmt: skip
        yield name, called(name, five)
    for level in ("nominal", "ordinal", "interval", "ratio"):
        yield "krippendorff_alpha", called("krippendorff_alpha", scale, level=level)
    for weights in ("linear", "quadratic", "ordinal"):
        yield "gwet_ac", called("gwet_ac", scale, weights=weights)
    for p in (0.5, 0.6, 1.0):
        yield "rosenberg_binkowski_kappa", called("rosenberg_binkowski_kappa", ranked, p=p)
    for clubbed in (True, False):
        yield "bhowmick_am", called("bhowmick_am", sets, clubbed=clubbed)
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
        made = cache(called(name, five))
        for way in OF_RESULTS:
            yield f"{name}.{way}", asked(made, way)
        for method in METHODS:
            if (name, method) == ("light_kappa", "gwet"):  # a mean over pairs has no published error
                continue
            seed = {"rng": 0} if drawn(method) else {}
            yield f"{name}.interval", asked(made, "interval", method=method, **seed)
        yield f"{name}.test", asked(made, "test")
        yield f"{name}.test", asked(made, "test", null=0.5)
    grouped = cache(lambda: accord.fleiss_kappa(five(), by="topic"))
    yield "fleiss_kappa.by_group", lambda: grouped().by_group()
    yield "fleiss_kappa.differences", lambda: grouped().differences()
    yield (
        "compare",
        lambda: accord.compare(accord.gwet_ac(five()), accord.fleiss_kappa(five())),
    )


def drawn(method: str) -> bool:
    """By resamples?"""
    return method in ("bootstrap", "bca", "bayesian")


def decisions() -> Iterator[tuple[str, Ask]]:
    """Gold labels, and what they know of annotators."""
    import accord

    for method in ("majority", "dawid-skene", "one-coin", "mace", "glad"):
        made = cache(called("gold", five, method=method))
        yield f"gold({method})", asked(made, "to_table")
        yield f"gold({method}).annotators", asked(made, "annotators")
        yield f"gold({method}).vote_shares", asked(made, "vote_shares")
    yield "gold(dawid-skene).answers_needed", lambda: accord.gold(five()).answers_needed()


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


def of_labels(name: str, data: Ask) -> Ask:
    """A call of the room for several labels."""
    from accord import multilabel

    return lambda: getattr(multilabel, name)(data())


def several_labels() -> Iterator[tuple[str, Ask]]:
    """Sets of labels, primary and secondary labels."""
    import accord
    from accord import multilabel

    for name in ("secondary_use", "label_frequencies", "annotators_ranked", "items_ranked"):
        yield f"multilabel.{name}", of_labels(name, ranked)
    for name in (
        "label_confusion", "label_distribution", "disagreement_by_label", "observed_distribution", "set_measures",
    ):  # fmt: skip
        yield f"multilabel.{name}", of_labels(name, sets)
    yield "multilabel.annotation_matrix", lambda: multilabel.annotation_matrix(ranked(), "ana")
    yield "p_curve", lambda: accord.p_curve(ranked())
    yield "item_classes", lambda: accord.item_classes(ranked())


def the_rest() -> Iterator[tuple[str, Ask]]:
    """Findings, plans, samples, and what is written."""
    import accord
    from accord import planning

    yield "explain", lambda: list(accord.explain(five()).results.values())
    yield "plan", lambda: accord.plan(five(), width=0.3, rng=0)
    yield "planning.annotators_needed", lambda: planning.annotators_needed(0.8, reliability=0.4)
    yield "planning.kappa_error", lambda: planning.kappa_error([[0.4, 0.1], [0.1, 0.4]], 100)
    yield "planning.intraclass_error", lambda: planning.intraclass_error(0.3, 0.6, 100)
    yield "sample_for_annotation", sampled
    yield "read", lambda: five().describe()
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
        accord.report(five(), Path(folder) / "report.html")
        return len(list(Path(folder).iterdir()))
