"""Writes the pages that repeat what the code says: the command line, and a page for each measure.

    python docs/make_reference.py            write them
    python docs/make_reference.py --check    say which are not up to date

The words come from the command's help, the registry and the docstrings: change those, not the pages. What pages say
besides stands in docs/*.in.md.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from accord import cli, errors
from accord.agreement import references
from accord.agreement.registry import Measure
from accord.cli.application import BELOW, FINE, INTERRUPTED, UNDEFINED, WRONG
from accord.coefficients import chance
from accord.measures.registered import MEASURES

DOCS = Path(__file__).resolve().parent
HEAD = "<!-- Written by docs/make_reference.py from {source}: change that, not this page. -->\n\n"

BELIEFS = {
    "none": chance.NoChance,
    "pooled": chance.Pooled,
    "own": chance.Own,
    "uniform": chance.Uniform,
    "hesitant": chance.Hesitant,
    "without-replacement": chance.WithoutReplacement,
}
# Luck that is not in accord.chance.
OTHER_BELIEFS = {"suggested": "Answers are drawn from one shared mix of labels, suggestions from a mix of their own."}

# Measures made of the items that both of a pair answered.
BY_PAIR = dict.fromkeys(
    ("cohen_kappa", "light_kappa", "rosenberg_binkowski_kappa"), "every item, in each pair who both answered it"
)

# One description for each keyword: it means the same in every measure.
KEYWORDS = {
    "data": "A [`Study`](../reading-data.md), or what one is made of: a table, an array of items × annotators, "
    "a sequence.",
    "other": "The second annotator's answers, where `data` is the first's.",
    "weights": "How alike two answers are: a [name](../choosing-a-measure.md#weights-when-some-mistakes-are-worse), "
    "a table or a function.",
    "level": "Krippendorff's level of measurement: `nominal`, `ordinal`, `interval`, `ratio` or `circular`. By default "
    "nominal, for scores interval.",
    "period": "The length of the whole circle, for `level=\"circular\"`: 360 for degrees, 24 for hours.",
    "chance": "`pooled`: every item counts once in the shared mix. `pooled-counts`: every answer does.",
    "labels": "The scale: all labels there are, in order, used or not.",
    "by": "A column that makes [groups](../reading-data.md#groups).",
    "roles": "The columns of a table: [the keywords of `Study`](../reading-data.md#roles).",
    "p": "The share of the primary label, from 0.5 to 1; or one weight a rank.",
    "clubbed": "Whether [0 1] and [1 0] count as the same on the side of luck, as in the paper.",
    "label_weights": "How alike two labels are, from 0 to 1: a name, a table or a function of two labels.",
    "annotators": "`all`, or `complete` for those only who answered every item.",
    "suggested": "The suggested labels: a column, a mapping, a table, a list, or the name of an annotator.",
}  # fmt: skip


def written() -> dict[Path, str]:
    """Every page that is made here, and what it should say."""
    pages = {
        DOCS / "command-line.md": filled(
            "command-line", "src/accord/cli/", commands=commands(), exit_codes=exit_codes()
        ),
        DOCS / "errors.md": filled("errors", "src/accord/errors.py", errors=errors_drawn()),
        DOCS / "measures" / "index.md": measures_index(),
    }
    for measure in MEASURES.values():
        pages[DOCS / "measures" / f"{measure.name}.md"] = measure_page(measure)
    return pages


def filled(name: str, source: str, **parts: str) -> str:
    """A page made from docs/NAME.in.md, with {{parts}} put in."""
    page = (DOCS / f"{name}.in.md").read_text(encoding="utf-8")
    for part, words in parts.items():
        mark = f"{{{{{part.replace('_', ' ')}}}}}"
        if mark not in page:
            raise ValueError(f"docs/{name}.in.md has no {mark}")
        page = page.replace(mark, words.rstrip())
    return HEAD.format(source=f"{source} and docs/{name}.in.md") + page


def errors_drawn() -> str:
    """The family of errors, as the module draws it."""
    found = re.search(r"^AccordError.*?^└── .*?$", errors.__doc__ or "", re.MULTILINE | re.DOTALL)
    if found is None:
        raise ValueError("accord.errors does not draw its family any more")
    return found[0]


# -- measures ----------------------------------------------------------------------------------------------------------


def measures_index() -> str:
    """All measures in a table."""
    lines = [
        HEAD.format(source="src/accord/agreement/registry.py"),
        "# Measures\n\n",
        "Every measure takes the data first, and returns an [`Agreement`](../results.md). "
        "[Choosing a measure](../choosing-a-measure.md) says which one when; [theory](../theory.md) how they are "
        "made.\n\n",
        "| measure | in a line | annotators | answers | luck |\n|---|---|---|---|---|\n",
    ]
    for measure in MEASURES.values():
        cells = [_link(measure), measure.summary, _people(measure), _kinds(measure), f"`{measure.chance}`"]
        lines.append(f"| {' | '.join(cells)} |\n")
    return "".join(lines)


def measure_page(measure: Measure) -> str:
    """One measure: what it needs, what it is, how to call it, where it comes from."""
    text, example = split_docstring(inspect.getdoc(measure.function) or "")
    facts = {
        "annotators": _people(measure),
        "answers": _kinds(measure),
        "luck": f"`{measure.chance}`: {belief(measure)}",
        "counts once": BY_PAIR.get(measure.name, f"every {measure.each}"),
    }
    table = "".join(f"| {name} | {fact} |\n" for name, fact in facts.items())
    sources = "".join(f"- {references.formatted(key)} `{key}`\n" for key in measure.references)
    return (
        HEAD.format(source=f"src/accord/measures/{measure.function.__module__.rpartition('.')[2]}.py")
        + f"# {measure.title}\n\n`accord.{measure.name}`\n\n"
        + f"| | |\n|---|---|\n{table}\n"
        + f"{text}## Calling it\n\n{calling(measure)}\n"
        + "It returns an [`Agreement`](../results.md).\n\n"
        + f"```pycon\n>>> from accord import {measure.name}\n{example}```\n\n"
        + f"## References\n\n{sources}\n"
        + "[All measures](index.md) · [Choosing a measure](../choosing-a-measure.md) · [Theory](../theory.md)\n"
    )


def belief(measure: Measure) -> str:
    """What the measure believes of luck, in a sentence."""
    found = BELIEFS.get(measure.chance)
    if found is None:
        return OTHER_BELIEFS[measure.chance]
    return (inspect.getdoc(found) or "").split("\n\n")[0].replace("\n", " ")


def calling(measure: Measure) -> str:
    """The keywords of a measure in a table."""
    rows = ["| | by default | |\n|---|---|---|\n"]
    for name, parameter in inspect.signature(measure.function).parameters.items():
        default = "" if parameter.default is inspect.Parameter.empty else f"`{parameter.default!r}`"
        shown = f"**{name}" if parameter.kind is inspect.Parameter.VAR_KEYWORD else name
        rows.append(f"| `{shown}` | {default} | {KEYWORDS[name]} |\n")
    return "".join(rows)


def _link(measure: Measure) -> str:
    return f"[`{measure.name}`]({measure.name}.md)"


def _people(measure: Measure) -> str:
    number = "two" if measure.two else "two or more"
    return f"{number}, named" if measure.named else number


def _kinds(measure: Measure) -> str:
    if measure.kinds:
        return " or ".join(measure.kinds)
    return "single, on a declared or seen scale" if measure.finite_scale else "single, set, ranked, score"


# -- docstrings --------------------------------------------------------------------------------------------------------


def split_docstring(doc: str) -> tuple[str, str]:
    """A measure's docstring as Markdown, and its example; the references stand apart."""
    before, mark, example = doc.partition(">>> ")
    kept = [paragraph for paragraph in before.strip().split("\n\n") if not paragraph.startswith("References:")]
    return "".join(f"{markdown(paragraph)}\n\n" for paragraph in kept), f"{mark}{example.rstrip()}\n"


def markdown(paragraph: str) -> str:
    """One paragraph of reStructuredText, as far as our docstrings use it."""
    if paragraph.startswith(".. math::"):
        formula = " ".join(paragraph.removeprefix(".. math::").split())
        return f"$$\n{formula}\n$$"
    text = " ".join(paragraph.split())
    text = re.sub(r":math:`([^`]*)`", r"$\1$", text)
    text = re.sub(r"(?<!\[)`(\w+)`", _measure_link, text)
    return re.sub(r"^(Missing data|When not to trust it):", r"**\1:**", text)


def _measure_link(match: re.Match[str]) -> str:
    name = match[1]
    return _link(MEASURES[name]) if name in MEASURES else match[0]


# -- the command -------------------------------------------------------------------------------------------------------


def commands() -> str:
    """Every command with its options."""
    from typer.main import get_command

    whole: Any = get_command(cli.app)
    context = whole.make_context("accord", [], resilient_parsing=True)
    parts = [f"## `accord`\n\n{whole.help}\n\n{_options(whole, context)}"]
    for name, command in whole.commands.items():
        own = command.make_context(name, [], resilient_parsing=True, parent=context)
        examples = "\n".join(filter(None, (command.epilog or "").splitlines()))
        example = f"```sh\n{examples}\n```\n\n" if examples else ""
        help_text = inspect.cleandoc(command.help or "")
        parts.append(f"## `accord {name}`\n\n{help_text}\n\n{example}{_options(command, own)}")
    return "\n".join(parts)


def _options(command: Any, context: Any) -> str:
    """The arguments and options of a command, in the groups in which its help shows them."""
    groups: dict[str, list[str]] = {}
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is None:
            continue
        argument = not parameter.opts[0].startswith("-")
        names = parameter.name.upper() if argument else ", ".join(sorted(parameter.opts, key=len))
        told, default = _told(record[1])
        group = "Arguments" if argument else getattr(parameter, "rich_help_panel", None) or "Options"
        groups.setdefault(group, []).append(f"| `{names}` | {told} | {default} |\n")
    return "".join(f"| {group} | | by default |\n|---|---|---|\n{''.join(rows)}\n" for group, rows in groups.items())


def _told(words: str) -> tuple[str, str]:
    """The help of an option, and its default, which the framework puts behind it."""
    found = re.search(r"\[default: (.*?)\]", words)
    told = re.sub(r"\s*\[(?:default: .*?|required)\]", "", words)
    return " ".join(told.split()).replace("|", "\\|"), f"`{found[1]}`" if found else ""


def exit_codes() -> str:
    """What the exit codes mean."""
    codes = {
        FINE: "Measured, and not below any limit that was given.",
        BELOW: "Measured, and below `--fail-below`, or the interval's lower end below `--fail-below-lower`.",
        WRONG: "Wrong usage, or a file that is no study: one line on the error stream says what, and the way out.",
        UNDEFINED: "Undefined, and the output says why; with a limit, one group without a value is enough.",
        INTERRUPTED: "Interrupted. No half file is left.",
    }
    return "| exit code | |\n|---|---|\n" + "".join(f"| {code} | {words} |\n" for code, words in codes.items())


# -- writing -----------------------------------------------------------------------------------------------------------


def outdated() -> Iterator[str]:
    """Pages that are not what they should be, or should not be there."""
    pages = written()
    for page, text in pages.items():
        if not page.is_file() or page.read_text(encoding="utf-8") != text:
            yield f"{page.relative_to(DOCS)} is not up to date"
    for page in (DOCS / "measures").glob("*.md"):
        if page not in pages:
            yield f"{page.relative_to(DOCS)} is about no measure"


def main(arguments: list[str]) -> int:
    """Write, or check."""
    if "--check" in arguments:
        problems = list(outdated())
        for problem in problems:
            print(f"{problem}; run python docs/make_reference.py")
        return 1 if problems else 0
    for page, text in written().items():
        page.parent.mkdir(exist_ok=True)
        page.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
