"""Every measure: what it is called, what it needs, what it believes of chance, and where it comes from.

The command, the report, the docs and the law tests read this table; a new measure is one entry here and one file in
`measures/`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from inspect import signature
from typing import TYPE_CHECKING, Any

from accord.annotations.answers import LOCATED
from accord.errors import MeasureError, OptionError, Part, remedy

if TYPE_CHECKING:
    from accord.agreement.result import Agreement
    from accord.study.study import Study


@dataclass(frozen=True)
class Measure:
    """One row of the table of coefficients."""

    name: str
    title: str
    module: str
    chance: str
    references: tuple[str, ...]
    says: str  # one line for lists and tables
    each: str = "item"  # what counts once in observed agreement
    named: bool = False  # must it know who answered?
    two: bool = False  # is it for exactly two annotators?
    finite_scale: bool = False  # does it need a finite scale of single labels?
    kinds: tuple[str, ...] = ()  # the kinds of answers it is made for; empty: any
    instead: str = ""  # what serves answers of other kinds
    properties: frozenset[str] = frozenset()

    @property
    def function(self) -> Callable[..., Any]:
        """The public function."""
        return getattr(import_module(f"accord.measures.{self.module}"), self.name)  # type: ignore[no-any-return]

    def of(self, study: Study, **options: Any) -> Agreement:
        """What the public function says of a study; options that it does not have are an error that says so."""
        self.check_options(options)
        found: Agreement = self.function(study, **options)
        return found

    def check_options(self, options: Iterable[str]) -> None:
        """Refuse options that this measure does not have."""
        strange = [name for name in options if name not in signature(self.function).parameters]
        if strange:
            raise OptionError(f"{self.title} does not take {', '.join(strange)}.")

    def refusal(self, study: Study) -> MeasureError | None:
        """Why this measure cannot take the study, and what can; None if it can. Silence is no reason: that is NaN."""
        if study.kind in LOCATED:
            return MeasureError(
                f"{self.title} compares one answer an item and annotator; these are {study.kind}: marked places, of "
                "which an item has any number. They are not labels of the item, and are not measured as such."
            )
        if self.kinds and study.kind not in self.kinds:
            fits = " or ".join(self.kinds)
            return MeasureError(f"{self.title} is for {fits} answers; these are {study.kind}. {self.instead}")
        people = study.n_annotators
        if self.named and not study._annotations.named and study.n_annotations:
            return MeasureError(
                f"{self.title} compares annotators, and a {study.shape} does not say who answered. "
                "fleiss_kappa, krippendorff_alpha, gwet_ac and brennan_prediger_kappa need no names."
            )
        if self.two and people > 2:
            return MeasureError(
                f"{self.title} is for two annotators; the study has {people}. For more: conger_kappa (own "
                "label mixes), "
                "light_kappa (mean over pairs) or fleiss_kappa (one shared mix); pairwise(study, "
                f"{self.name!r}) for every pair."
            )
        if self.named and study._annotations.repeated:
            return MeasureError(
                f"{self.title} compares annotators with each other, and some answered an item more than once. "
                "fleiss_kappa and krippendorff_alpha take repeated answers; or keep one: ",
                remedy(duplicates="first"),
                ".",
            )
        if self.finite_scale and study.kind != "single":
            serves: tuple[Part, ...] = (
                ("krippendorff_alpha with ", remedy(level="interval"))
                if study.kind == "score"
                else ("krippendorff_alpha or fleiss_kappa",)
            )
            what = f"{self.title} needs a finite scale of single labels; these are {study.kind} answers. "
            return MeasureError(what, *serves, " serves.")
        return None

    def check(self, study: Study) -> None:
        """Raise the refusal, if there is one."""
        refusal = self.refusal(study)
        if refusal is not None:
            raise refusal


_ALL = frozenset({"annotator order", "item order", "label names"})

MEASURES: dict[str, Measure] = {
    measure.name: measure
    for measure in (
        Measure(
            "percent_agreement", "Percent agreement", "percent", "none", ("zhao2025", "artstein2008"),
            "the share of pairs of answers that match; nothing is put down to luck",
            properties=_ALL | {"copies"},
        ),
        Measure(
            "cohen_kappa", "Cohen's kappa", "cohen", "own", ("cohen1960", "cohen1968"),
            "two annotators, each with a label mix of their own",
            named=True, two=True, properties=_ALL | {"copies"},
        ),
        Measure(
            "scott_pi", "Scott's pi", "scott", "pooled", ("scott1955",),
            "two annotators with one shared label mix",
            two=True, properties=_ALL | {"copies"},
        ),
        Measure(
            "fleiss_kappa", "Fleiss' kappa", "fleiss", "pooled", ("fleiss1971", "siegel1988", "gwet2014"),
            "any number of annotators with one shared label mix",
            properties=_ALL | {"copies"},
        ),
        Measure(
            "conger_kappa", "Conger's kappa", "conger", "own", ("conger1980", "hubert1977"),
            "any number of annotators, each with a label mix of their own",
            named=True, properties=_ALL | {"copies"},
        ),
        Measure(
            "light_kappa", "Light's kappa", "light", "own", ("light1971",),
            "the mean of Cohen's kappa over all pairs of annotators",
            named=True, properties=_ALL | {"copies"},
        ),
        Measure(
            "brennan_prediger_kappa", "Brennan–Prediger kappa", "brennan_prediger", "uniform",
            ("brennan1981", "bennett1954", "randolph2005"),
            "luck would choose every label of the scale equally often",
            finite_scale=True, properties=_ALL | {"copies"},
        ),
        Measure(
            "gwet_ac", "Gwet's AC", "gwet", "hesitant", ("gwet2008", "gwet2014"),
            "only uncertain answers match by luck; steady under skewed labels",
            finite_scale=True, properties=_ALL | {"copies"},
        ),
        Measure(
            "krippendorff_alpha", "Krippendorff's alpha", "krippendorff", "without-replacement",
            ("krippendorff1970", "krippendorff2004", "hayes2007"),
            "any number of annotators, gaps and levels of measurement; every answer counts once",
            each="answer", properties=_ALL,
        ),
        Measure(
            "rosenberg_binkowski_kappa", "Rosenberg–Binkowski kappa", "rosenberg_binkowski", "own", ("rosenberg2004",),
            "a primary and an optional secondary label: one answer divided between two labels",
            named=True, kinds=("ranked",), properties=_ALL,
            instead="light_kappa is the same measure for single labels; bhowmick_am and krippendorff_alpha take sets.",
        ),
        Measure(
            "bhowmick_am", "Bhowmick's A_m", "bhowmick", "own", ("bhowmick2008",),
            "sets of labels: agreement on the yes or no to every pair of labels",
            named=True, kinds=("set",), properties=_ALL,
            instead="conger_kappa takes single labels, rosenberg_binkowski_kappa ranked ones.",
        ),
        Measure(
            "dipietro_hazari_kappa", "DiPietro–Hazari kappa", "dipietro_hazari", "suggested",
            ("dipietro2022", "fleiss1971"),
            "labels suggested beforehand: do the annotators agree on them, or on something else?",
            kinds=("single",), properties=_ALL,
            instead="It judges one suggested label an item by single labels.",
        ),
    )
}  # fmt: skip


def measure_called(name: Any) -> Measure:
    """The measure of this name, or an error with the nearest ones."""
    if not isinstance(name, str) or name not in MEASURES:
        raise OptionError.choice("measure", name, MEASURES)
    return MEASURES[name]
