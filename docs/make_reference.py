"""Writes the pages that repeat what the code says: the command line, the measures, and every public function.

    python docs/make_reference.py            write them
    python docs/make_reference.py --check    say which are not up to date

The words come from the command's help, the registry and the docstrings: change those, not the pages. What pages say
besides stands in docs/*.in.md.
"""

from __future__ import annotations

import ast
import doctest
import inspect
import json
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from functools import cache, cached_property, partial
from pathlib import Path
from types import ModuleType
from typing import Any

import accord
from accord import cli, datasets, errors, findings, judge, multilabel, planning, suggestions
from accord.agreement import references
from accord.agreement.registry import Measure
from accord.cli.application import BELOW, CLOSED, CRASHED, ENDED, FINE, INTERRUPTED, UNDEFINED, WRONG
from accord.coefficients import chance
from accord.measures.registered import MEASURES

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # called as a script, only docs/ is found

from docs.man_page import man_page
from docs.moving_page import moving_parts
from docs.race_page import race_parts

PUBLIC: list[str] = accord.__all__  # type: ignore[attr-defined]  # made when asked for

DOCS = Path(__file__).resolve().parent
RACE = DOCS.parent / "benchmarks" / "race.json"
HEAD = "<!-- Written by docs/make_reference.py from {source}: change that, not this page. -->\n\n"

CHANCE_MODELS = {
    "none": chance.NoChance,
    "pooled": chance.Pooled,
    "own": chance.Own,
    "uniform": chance.Uniform,
    "hesitant": chance.Hesitant,
    "without-replacement": chance.WithoutReplacement,
}
# Chance models that are not in accord.coefficients.chance.
OTHER_CHANCE_MODELS = {
    "suggested": "Answers are drawn from one pooled marginal distribution, suggestions from one of their own.",
    "resampled-continuum": "Units of annotators are drawn anew in every document, by a sampler that has a name.",
}

# Measures made of the items that both of a pair answered.
BY_PAIR = dict.fromkeys(
    ("cohen_kappa", "light_kappa", "rosenberg_binkowski_kappa"), "every item, in each pair who both answered it"
)


EXIT_CODES = {
    FINE: "Measured, and not below any limit that was given.",
    BELOW: "Measured, and below a limit that was given: a line on the error stream says which. Nothing else is 1.",
    WRONG: "Wrong usage, or a file that is no study: one line on the error stream says what, and the way out.",
    UNDEFINED: "Undefined, and the output says why; with a limit, one group without a value is enough.",
    CRASHED: "A mistake in accord itself, or too little memory. Please report it.",
    INTERRUPTED: "Interrupted by Ctrl-C. No half file is left. Only in the first hundredths of a second, while "
    "Python itself starts and has not loaded a line of accord, Python answers, with a traceback of its own.",
    CLOSED: "Whoever read the output closed the pipe before its end, as `head -1` does.",
    ENDED: "Ended by SIGTERM. No half file is left.",
}

# What the table of a measure's parameters leaves to the guides.
MORE = (
    "[Weights](../choosing-a-measure.md#weights-when-some-mistakes-are-worse) · "
    "[the scale](../reading-data.md#the-scale) · [groups](../reading-data.md#groups) · "
    "[roles](../reading-data.md#roles)\n\n"
)


@dataclass(frozen=True)
class Group:
    """A page of the reference: names of one module, and the page that explains them."""

    title: str
    module: ModuleType
    names: tuple[str, ...]
    guide: str  # the page of docs/ that says when and why
    says: str


GROUPS = {
    "study": Group("Study", accord, ("Study",), "reading-data", "Annotations, and which column plays which role."),
    "read": Group("Reading", accord, ("read",), "formats", "A study from a file."),
    "datasets": Group(
        "Sample studies", datasets, tuple(datasets.__all__), "reading-data",
        "Our own, which come with accord, and public ones that are fetched when asked for.",
    ),
    "warehouses": Group(
        "Warehouses", accord, ("queries", "Queries", "from_results"), "warehouses",
        "The queries to run where the annotations lie, and the study that their results make.",
    ),
    "measure": Group(
        "Measuring", accord, ("measure", "pairwise", "self_agreement"), "choosing-a-measure",
        "Every coefficient that fits; one for every pair; people with themselves. "
        "[Each measure has a page](../measures/index.md).",
    ),
    "results": Group(
        "Classes of results", accord,
        ("Agreement", "Measurements", "SelfAgreement", "Interval", "Test", "compare", "Comparison", "Table"),
        "results", "What measures return, and what it answers.",
    ),
    "gold": Group("Gold labels", accord, ("gold", "Gold"), "gold", "One label per item from many answers."),
    "findings": Group(
        "Findings", findings, tuple(findings.__all__), "explain", "Why annotators disagree, and the tables behind it."
    ),
    "scores": Group(
        "Scores", accord, ("variance_components", "VarianceComponents"), "scores",
        "Whose number is it? [The intraclass correlation](../measures/icc.md) is a measure.",
    ),
    "scores-by-annotator": Group(
        "Annotators on a scale", accord,
        ("annotators_on_scale", "bland_altman", "LimitsOfAgreement", "rating_scale_model", "RatingScaleModel"),
        "annotators-on-a-scale", "Who is severe, how far two scores differ, and the rating-scale model.",
    ),
    "spans": Group(
        "Spans", accord, ("span_differences", "span_counts", "matched_spans", "gamma_scale"), "spans",
        "What annotators marked, side by side. [Span F1](../measures/span_f1.md) is a measure.",
    ),
    "rankings": Group(
        "Rankings", accord, ("best_worst_scores",), "rankings",
        "Options in order. [Kendall's W](../measures/kendall_w.md) and others are measures.",
    ),
    "preferences": Group(
        "Preferences", accord, ("bradley_terry", "BradleyTerry", "position_effect", "circular_triads"), "preferences",
        "Which of two options is better. [Agreement on preferences](../measures/preference_agreement.md) is a measure.",
    ),
    "multilabel": Group(
        "Several labels", multilabel, tuple(multilabel.__all__), "several-labels", "Sets of labels and ranked labels."
    ),
    "judge": Group("Models as annotators", judge, tuple(judge.__all__), "models", "Can a model replace an annotator?"),
    "suggestions": Group(
        "Suggested labels", suggestions, tuple(suggestions.__all__), "suggested-labels",
        "Labels that were suggested beforehand.",
    ),
    "planning": Group(
        "Planning", planning, tuple(planning.__all__), "plan", "How many items, and how many annotators."
    ),
    "report": Group("Report", accord, ("report",), "report", "One page for readers."),
    "paper": Group(
        "Paper", accord, ("paper", "Paper"), "for-the-paper", "Table, methods paragraph, sources and figure of a paper."
    ),
    "workbench": Group(
        "Workbench", accord, ("serve", "Workbench", "publish"), "workbench",
        "Contested items decided in the browser, and static pages for others.",
    ),
}  # fmt: skip


@cache
def written() -> dict[Path, str]:
    """Every page that is made here, and what it should say."""
    return {page: write() for page, write in made().items()}


def made() -> dict[Path, Callable[[], str]]:
    """Every page that is made here, and what writes it."""
    pages: dict[Path, Callable[[], str]] = {
        DOCS / "command-line.md": lambda: filled(
            "command-line", "src/accord/cli/", commands=commands(), exit_codes=exit_codes()
        ),
        DOCS / "errors.md": lambda: filled("errors", "src/accord/errors.py", errors=errors_drawn()),
        DOCS / "measures" / "index.md": measures_index,
        DOCS / "race.md": lambda: filled(
            "race", "benchmarks/race.json", **race_parts(json.loads(RACE.read_text("utf-8")))
        ),
        DOCS / "moving-from.md": lambda: filled("moving-from", "docs/moving_page.py", **moving_parts()),
        DOCS / "man" / "accord.1": lambda: man_page(_whole_command(), EXIT_CODES),
        DOCS.parent / "recipe" / "package.md": package_page,
    }
    for measure in MEASURES.values():
        pages[DOCS / "measures" / f"{measure.name}.md"] = partial(measure_page, measure)
    for name, group in GROUPS.items():
        pages[DOCS / "reference" / f"{name}.md"] = partial(group_page, group)
    return pages


def package_page() -> str:
    """The README for a package index, which has neither its picture nor the pages and the Makefile that it leads to."""
    readme = (DOCS.parent / "README.md").read_text(encoding="utf-8")
    picture = r"^!\[[^\]]*\]\([^)]*\)\n\n\*.*\*\n\n"
    commands = r"^(?:    make .*\n)+\n"
    ways = r"^## Where to go next\n.*?(?=^## )"
    kept = re.sub(f"{picture}|{commands}|(?s:{ways})", "", readme, flags=re.MULTILINE)
    return re.sub(r"\[([^\]]*)\]\((?!https?:)[^)]*\)", r"\1", kept)


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
        "| measure | in a line | annotators | answers | chance |\n|---|---|---|---|---|\n",
    ]
    for measure in MEASURES.values():
        cells = [_link(measure), measure.summary, _people(measure), _kinds(measure), f"`{measure.chance}`"]
        lines.append(f"| {' | '.join(cells)} |\n")
    lines.append("\n**Read next:** [choosing a measure](../choosing-a-measure.md), [theory](../theory.md).\n")
    return "".join(lines)


def measure_page(measure: Measure) -> str:
    """One measure: what it needs, what it is, how to call it, where it comes from."""
    doc = Docstring.of(measure.function)
    facts = {
        "annotators": _people(measure),
        "answers": _kinds(measure),
        "chance": f"`{measure.chance}`: {chance_model(measure)}",
        "counts once": BY_PAIR.get(measure.name, f"every {measure.each}"),
    }
    table = "".join(f"| {name} | {fact} |\n" for name, fact in facts.items())
    sources = "".join(f"- {references.formatted(key)} `{key}`\n" for key in measure.references)
    return (
        HEAD.format(source=f"src/accord/measures/{measure.function.__module__.rpartition('.')[2]}.py")
        + f"# {measure.title}\n\n`accord.{measure.name}`\n\n"
        + f"| | |\n|---|---|\n{table}\n"
        + f"{doc.text}## Calling it\n\n{parameters(measure.function)}{MORE}{doc.outcome}"
        + f"```pycon\n>>> from accord import {measure.name}\n{doc.example}```\n\n"
        + f"## References\n\n{sources}\n"
        + "**Read next:** [choosing a measure](../choosing-a-measure.md), [all measures](index.md), "
        + "[uncertainty](../uncertainty.md), [theory](../theory.md), [glossary](../glossary.md).\n"
    )


def chance_model(measure: Measure) -> str:
    """What the measure takes for chance, in a sentence."""
    found = CHANCE_MODELS.get(measure.chance)
    if found is None:
        return OTHER_CHANCE_MODELS[measure.chance]
    return (inspect.getdoc(found) or "").split("\n\n")[0].replace("\n", " ")


def _link(measure: Measure) -> str:
    return f"[`{measure.name}`]({measure.name}.md)"


def _people(measure: Measure) -> str:
    number = "two" if measure.two else "two or more"
    return f"{number}, named" if measure.named else number


def _kinds(measure: Measure) -> str:
    if measure.kinds:
        return " or ".join(measure.kinds)
    return "single, on a declared or seen scale" if measure.finite_scale else "single, set, ranked, score"


# -- functions and classes ---------------------------------------------------------------------------------------------


def group_page(group: Group) -> str:
    """One page of the reference; of a module, what `import accord` gives first, and what functions return last."""
    named = [(name, getattr(group.module, name)) for name in group.names]
    if group.module is not accord:
        named.sort(key=lambda one: (inspect.isclass(one[1]), one[0] not in PUBLIC))
    body = "".join(
        class_entry(group.module, name, value) if inspect.isclass(value) else function_entry(group.module, name, value)
        for name, value in named
    )
    return (
        HEAD.format(source="the docstrings of src/accord")
        + f"# {group.title}\n\n{group.says} [When and why](../{group.guide}.md).\n\n{body}"
        + f"**Read next:** [when and why](../{group.guide}.md), [all of the reference](../index.md#reference), "
        + "[glossary](../glossary.md).\n"
    )


def function_entry(module: ModuleType, name: str, function: Callable[..., Any]) -> str:
    """A function with its parameters, what it returns and raises, and its example."""
    doc = Docstring.of(function)
    example = _example(doc, function.__module__)
    return f"## `{public(module, name)}`\n\n{doc.text}{parameters(function)}{doc.outcome}{example}{_sources(doc)}"


def class_entry(module: ModuleType, name: str, kind: type) -> str:
    """A class: what it holds, and what one can ask it."""
    doc = Docstring.of(kind)
    built = parameters(kind) + doc.outcome if doc.sections.get("Args") else ""
    properties, plain, others = [], [], []
    for own in sorted(dir(kind)):
        value = inspect.getattr_static(kind, own)
        if own.startswith("_") or not _ours(kind, own):
            continue
        if isinstance(value, property | cached_property):
            properties.append(f"| `{own}` | {Docstring.of(value).line} |\n")
        elif inspect.isroutine(value) or isinstance(value, classmethod):
            method = getattr(kind, own)
            about = Docstring.of(method)
            if about.sections or about.example or inspect.signature(method).parameters.keys() - {"self"}:
                example = _example(about, kind.__module__)
                others.append(f"### `{name}.{own}`\n\n{about.text}{parameters(method)}{about.outcome}{example}")
            else:
                plain.append(f"| `{own}()` | {about.line} |\n")
    explained = [f"| `{own}` | {words} |\n" for own, words in doc.entries("Attributes").items()]
    held = [f"`{one.name}`" for one in fields(kind) if not one.name.startswith("_")] if is_dataclass(kind) else []
    holds = f"Holds {', '.join(held)}.\n\n" if held and not explained else ""
    asked = "".join(explained + properties + plain)
    table = f"| what it has | |\n|---|---|\n{asked}\n" if asked else ""
    example = _example(doc, kind.__module__)
    return f"## class `{public(module, name)}`\n\n{doc.text}{built}{example}{holds}{table}{''.join(others)}"


def _ours(kind: type, name: str) -> bool:
    """Is it defined in accord, and no field?"""
    home = next(base for base in kind.__mro__ if name in vars(base))
    return home.__module__.startswith("accord")


def public(module: ModuleType, name: str) -> str:
    """A name as a user of accord writes it."""
    return f"accord.{name}" if name in PUBLIC else f"accord.{module.__name__.rpartition('.')[2]}.{name}"


def standing_alone(example: str, home: str) -> str:
    """An example with the imports that it needs outside the module it stands in."""
    tree = ast.parse("".join(part.source for part in doctest.DocTestParser().get_examples(example)))
    nodes = list(ast.walk(tree))
    bound = {
        alias.asname or alias.name
        for node in nodes
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    bound |= {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    used = {node.id for node in nodes if isinstance(node, ast.Name)} - bound
    lines = [line for known, line in STANDARD_IMPORTS.items() if known in used]
    package = _package(home)
    own = sorted((used & set(package.__all__)) - set(PUBLIC))
    wanted = used & set(PUBLIC)
    if own:
        lines.append(f"from {package.__name__} import {', '.join(own)}")
    if wanted:
        lines.insert(0, f"from accord import {', '.join(sorted(wanted))}")
    return "".join(f">>> {line}\n" for line in lines) + example


STANDARD_IMPORTS = {"np": "import numpy as np", "Path": "from pathlib import Path"}


def _package(home: str) -> ModuleType:
    """The package that makes the names of one of its modules public."""
    modules = {group.module.__name__: group.module for group in GROUPS.values()}
    return modules[max((name for name in modules if home.startswith(name)), key=len)]


def _example(doc: Docstring, home: str) -> str:
    return f"```pycon\n{standing_alone(doc.example, home)}```\n\n" if doc.example else ""


def _sources(doc: Docstring) -> str:
    return f"References: {doc.references}\n\n" if doc.references else ""


# -- docstrings --------------------------------------------------------------------------------------------------------

SECTION = re.compile(r"(Args|Attributes|Returns|Raises):\n")
ENTRY = re.compile(r"^ {4}(\*{0,2}\w+): (.*?)(?=^ {4}\S|\Z)", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Docstring:
    """A docstring in parts: the text as Markdown, the sections in Google's style, the references and the example."""

    text: str
    sections: dict[str, str]
    references: str
    example: str

    @classmethod
    def of(cls, value: Any) -> Docstring:
        """The parts of what a value says of itself."""
        before, mark, example = (inspect.getdoc(value) or "").partition(">>> ")
        text, references, sections = "", "", {}
        for paragraph in before.strip().split("\n\n"):
            if SECTION.match(paragraph):
                name, _, rest = paragraph.partition(":\n")
                sections[name] = rest
            elif paragraph.startswith("References:"):
                references = " ".join(paragraph.removeprefix("References:").split())
            else:
                text += f"{markdown(paragraph)}\n\n"
        return cls(text, sections, references, f"{mark}{example.rstrip()}\n" if mark else "")

    @property
    def line(self) -> str:
        """All of the text in one line, for a table."""
        return _cell(self.text)

    def entries(self, section: str) -> dict[str, str]:
        """The names of a section with what is said of each."""
        return {name: _cell(markdown(words)) for name, words in ENTRY.findall(self.sections.get(section, ""))}

    @property
    def outcome(self) -> str:
        """What comes back, and what is raised."""
        returns = markdown(self.sections.get("Returns", ""))
        raises = "".join(f"- `{name}`: {words}\n" for name, words in self.entries("Raises").items())
        parts = [f"**Returns:** {returns}\n\n" if returns else "", f"**Raises:**\n\n{raises}\n" if raises else ""]
        return "".join(parts)


def parameters(function: Callable[..., Any]) -> str:
    """What a function takes, in a table, as its docstring explains it."""
    explained = Docstring.of(function).entries("Args")
    rows = []
    for name, parameter in inspect.signature(function).parameters.items():
        stars: dict[Any, str] = {inspect.Parameter.VAR_KEYWORD: "**", inspect.Parameter.VAR_POSITIONAL: "*"}
        shown = f"{stars.get(parameter.kind, '')}{name}"
        if name == "self":
            continue
        default = "" if parameter.default is inspect.Parameter.empty else f"`{parameter.default!r}`"
        rows.append(f"| `{shown}` | {default} | {explained[shown]} |\n")
    return f"| parameter | by default | what it is |\n|---|---|---|\n{''.join(rows)}\n" if rows else ""


def markdown(paragraph: str) -> str:
    """One paragraph of reStructuredText, as far as our docstrings use it."""
    if paragraph.startswith(".. math::"):
        formula = " ".join(paragraph.removeprefix(".. math::").split())
        return f"$$\n{formula}\n$$"
    text = " ".join(paragraph.split())
    text = re.sub(r":math:`([^`]*)`", r"$\1$", text)
    text = re.sub(r"(?<!\[)`([\w.]+)(\(\))?`", _linked, text)
    return re.sub(r"^(Missing data|When not to trust it):", r"**\1:**", text)


def _cell(text: str) -> str:
    """Text for a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|")


def _linked(match: re.Match[str]) -> str:
    """A public name as a link to where it is explained."""
    name = match[1].removeprefix("accord.")
    if name in MEASURES:
        return f"[{match[0]}](../measures/{name}.md)"
    page = homes().get(name)
    return f"[{match[0]}](../reference/{page})" if page else match[0]


@cache
def homes() -> dict[str, str]:
    """The page and anchor of every public name."""
    found: dict[str, str] = {}
    for page, group in GROUPS.items():
        for name in group.names:
            kind = "class-" if inspect.isclass(getattr(group.module, name)) else ""
            anchor = re.sub(r"[^\w-]", "", public(group.module, name).lower())
            found.setdefault(name, f"{page}.md#{kind}{anchor}")
    return found


# -- the command -------------------------------------------------------------------------------------------------------


def _whole_command() -> Any:
    from typer.main import get_command

    return get_command(cli.app)


def commands() -> str:
    """Every command with its options."""
    whole = _whole_command()
    context = whole.make_context("accord", [], resilient_parsing=True)
    parts = [f"## `accord`\n\n{whole.help}\n\n{_options(whole, context)}"]
    for name, command in sorted(whole.commands.items()):  # not in the order in which modules were loaded
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
        help_text, default = _help_and_default(record[1])
        group = "Arguments" if argument else getattr(parameter, "rich_help_panel", None) or "Options"
        groups.setdefault(group, []).append(f"| `{names}` | {help_text} | {default} |\n")
    return "".join(f"| {group} | | by default |\n|---|---|---|\n{''.join(rows)}\n" for group, rows in groups.items())


def _help_and_default(words: str) -> tuple[str, str]:
    """The help of an option, and its default, which the framework puts behind it."""
    found = re.search(r"\[default: (.*?)\]", words)
    return _cell(re.sub(r"\s*\[(?:default: .*?|required)\]", "", words)), f"`{found[1]}`" if found else ""


def exit_codes() -> str:
    """What the exit codes mean."""
    return "| exit code | |\n|---|---|\n" + "".join(f"| {code} | {words} |\n" for code, words in EXIT_CODES.items())


# -- writing -----------------------------------------------------------------------------------------------------------


def outdated() -> Iterator[str]:
    """Pages that are not what they should be, or should not be there."""
    pages = written()
    for page, text in pages.items():
        if not page.is_file() or page.read_text(encoding="utf-8") != text:
            yield f"{page.relative_to(DOCS.parent)} is not up to date"
    for page in [*(DOCS / "measures").glob("*.md"), *(DOCS / "reference").glob("*.md")]:
        if page not in pages:
            yield f"{page.relative_to(DOCS.parent)} is about nothing that there is"


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
