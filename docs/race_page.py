"""The tables of docs/race.md, from what benchmarks/race.py wrote; docs/make_reference.py puts them into race.in.md."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

CALLS = {
    "cohen_kappa": "Cohen's kappa",
    "scott_pi": "Scott's pi",
    "fleiss_kappa": "Fleiss' kappa",
    "conger_kappa": "Conger's kappa",
    "light_kappa": "Light's kappa",
    "brennan_prediger_kappa": "Brennan–Prediger kappa",
    "gwet_ac": "Gwet's AC1 and AC2",
    "krippendorff_alpha": "Krippendorff's alpha",
    "percent_agreement": "Percent agreement",
}
ASKED_FOR_KAPPAS = ("accord", "scikit-learn", "krippendorff", "irrCAC", "statsmodels", "nltk")
PACKAGES = (*ASKED_FOR_KAPPAS, "crowd-kit", "pygamma-agreement", "pingouin")
# What each package says of itself in the documentation of the version that was tried.
FEATURES: dict[str, dict[str, str]] = {
    "missing answers": {
        "krippendorff": "yes", "irrCAC": "yes", "nltk": "alpha only", "crowd-kit": "yes", "pygamma-agreement": "yes",
        "accord": "yes",
    },
    "weights or levels": {
        "scikit-learn": "linear, quadratic", "krippendorff": "four levels, or a distance", "irrCAC": "eight tables",
        "statsmodels": "of Cohen's kappa", "nltk": "any distance",
        "crowd-kit": "alpha by nltk", "accord": "yes, and your own",
    },
    "an interval": {
        "irrCAC": "analytic", "statsmodels": "of Cohen's kappa", "pingouin": "of ICC",
        "accord": "over items, annotators or both",
    },
    "tests of differences": {"accord": "yes"},
    "by item, label, annotator, pair, group": {"accord": "yes"},
    "several labels per answer": {"nltk": "by distance", "accord": "yes"},
    "spans": {"pygamma-agreement": "gamma", "accord": "F1, alphas, gammas"},
    "scores": {"pingouin": "ICC, Bland–Altman", "accord": "ICC, Bland–Altman, variance components"},
    "gold labels": {"crowd-kit": "yes", "accord": "yes"},
    "reads exports of annotation tools": {"accord": "yes"},
    "a command and a report": {"pygamma-agreement": "a command", "accord": "yes"},
}  # fmt: skip


def race_parts(found: dict[str, Any]) -> dict[str, str]:
    """What goes into the page, by the names that it has there."""
    published = found["published"]
    asked = list(published[0]["answers"])
    figures = [row for row in published if row["figure"] is not None]
    undefined = [row for row in published if row["figure"] is None]
    return {
        "date": found["date"],
        "cores": str(found["machine"]["cores"]),
        "figures": str(len(figures)),
        "questions": str(len(undefined)),
        "published": _table(["", *asked], _by_measure(figures, asked)),
        "undefined": _table(["", *asked], _by_data(undefined, asked)),
        "wrongs": "\n".join(_wrongs(published, asked)),
        "speeds": _table(["", "package", "seconds", "times accord's", "memory"], _speeds(found["speed"])),
        "features": _table(["", "who has it"], _features()),
        "versions": _table(["environment", "packages"], _versions(found["versions"])),
    }


def _table(heads: list[str], rows: Iterable[list[str]]) -> str:
    lines = ["| " + " | ".join(cells) + " |" for cells in (heads, *rows)]
    return "\n".join([lines[0], "|" + "---|" * len(heads), *lines[1:]])


def verdict(row: dict[str, Any], package: str) -> str:
    """What an answer is: right, wrong, none, or not offered."""
    answer = row["answers"][package]
    if not answer["offered"]:
        return "not offered"
    value = answer.get("value")
    if row["figure"] is None:
        return "right" if value is None else "wrong"
    if value is None:
        return "none"
    return "right" if abs(value - row["figure"]) <= row["tolerance"] + 1e-12 else "wrong"


def _counted(rows: list[dict[str, Any]], package: str) -> str:
    """How many of those that a package offers are right, and what the others are."""
    verdicts = [verdict(row, package) for row in rows]
    offered = [one for one in verdicts if one != "not offered"]
    if not offered:
        return ""
    rest = [f"{offered.count(word)} {word}" for word in ("wrong", "none") if word in offered]
    return f"{offered.count('right')} of {len(offered)}" + (f" ({', '.join(rest)})" if rest else "")


def _by_measure(figures: list[dict[str, Any]], asked: list[str]) -> Iterator[list[str]]:
    for name, title in CALLS.items():
        rows = [row for row in figures if row["measure"] == name]
        if rows:
            yield [title, *(_counted(rows, package) for package in asked)]
    yield ["**all**", *(_counted(figures, package) for package in asked)]
    offered = [sum(row["answers"][package]["offered"] for row in figures) for package in asked]
    yield [f"offered, of {len(figures)}", *map(str, offered)]


def _by_data(undefined: list[dict[str, Any]], asked: list[str]) -> Iterator[list[str]]:
    for name in dict.fromkeys(row["table"] for row in undefined):
        rows = [row for row in undefined if row["table"] == name]
        yield [name, *(_counted(rows, package) for package in asked)]


def _wrongs(rows: list[dict[str, Any]], asked: list[str]) -> Iterator[str]:
    """What packages said that is not right, each kind once."""
    said: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        for package in asked:
            answer, word = row["answers"][package], verdict(row, package)
            if word in ("wrong", "none"):
                told = answer.get("error") or f"{answer['value']:.4g}"
                said.setdefault((package, told.strip(": ")), []).append(f"{CALLS[row['measure']]} ({row['table']})")
    for (package, told), where in said.items():
        yield f"- **{package}** says `{told}`: {', '.join(where)}."


def _speeds(rows: list[dict[str, Any]]) -> Iterator[list[str]]:
    for row in rows:
        ours = row["packages"]["accord"]
        for place, (package, run) in enumerate(row["packages"].items()):
            times = "" if package == "accord" else f"{_two_digits(run['seconds'] / ours['seconds'])} ×"
            differ = {name for name, value in run["values"].items() if abs(value - ours["values"][name]) > 1e-4}
            gave = "".join(f" (gave {run['values'][name]:.4f}, accord {ours['values'][name]:.4f})" for name in differ)
            seconds = _two_digits(run["seconds"])
            yield ["" if place else row["question"], f"{package}{gave}", seconds, times, f"{run['peak_mb']:,} MB"]


def _two_digits(number: float) -> str:
    """A number with two digits, or more where they stand before the point.

    >>> _two_digits(0.00388), _two_digits(638.6)
    ('0.0039', '639')
    """
    return f"{number:.0f}" if number >= 100 else f"{number:.2g}"


def _features() -> Iterator[list[str]]:
    for what, said in FEATURES.items():
        told = [f"{name} ({said[name]})" if said[name] != "yes" else name for name in PACKAGES if name in said]
        yield [what, ", ".join(told)]


def _versions(found: dict[str, dict[str, str]]) -> Iterator[list[str]]:
    for home, names in found.items():
        yield [home, ", ".join(f"{name} {version}" for name, version in names.items())]
