"""Runs the examples of a page and compares what they print with what the page shows.

    python docs/run_examples.py              compare every page
    python docs/run_examples.py --write      put what was printed into the pages

What runs, page by page and in order, in an empty folder that holds the examples:

- a block of `python`. Its prints are compared with the block of `text` right below it, if there is one; an error is
  shown there by its last line, as Python shows it. The comment behind an expression is its value, or what it prints:
  `kappa.value  # 0.4`. Other comments stand on lines of their own. Lines that begin with `>>>` are run as a doctest.
- a block of `console`: each line `$ accord …` is run, the lines below it are what it prints. `$ echo $?` is the exit
  code.
- a block of `toml` whose first line is a comment with a path is written to that file.

A line that is nothing but … stands for any lines.
"""

from __future__ import annotations

import ast
import contextlib
import doctest
import io
import os
import re
import shlex
import shutil
import sys
import tempfile
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
FENCE = re.compile(r"^```([\w-]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ANYTHING = "…"


@dataclass(frozen=True)
class Block:
    """A fenced block of a page: its language, its text, and where the text stands."""

    language: str
    text: str
    begin: int
    end: int
    line: int


@dataclass(frozen=True)
class Shown:
    """What a page shows and what came out, at a place of the page."""

    begin: int
    end: int
    line: int
    expected: str
    actual: str
    inline: bool = False  # a comment behind code, not lines of their own

    @property
    def right(self) -> bool:
        """Do the two agree?"""
        return alike(self.expected, self.actual)


@dataclass
class Runner:
    """One page, run from top to bottom."""

    names: dict[str, Any] = field(default_factory=lambda: {"__name__": "__main__"})
    code: int = 0  # of the last command

    def page(self, text: str) -> Iterator[Shown]:
        """Everything that the page shows and that can be compared."""
        found = list(blocks(text))
        for place, block in enumerate(found):
            following = found[place + 1] if place + 1 < len(found) else None
            if block.language == "python":
                below = following if following and _right_below(text, block, following) else None
                yield from self.python(block, below)
            elif block.language == "console":
                yield from self.console(block)
            elif block.language == "toml" and block.text.startswith("# "):
                Path(block.text.splitlines()[0].removeprefix("# ")).write_text(block.text, encoding="utf-8")

    def python(self, block: Block, below: Block | None) -> Iterator[Shown]:
        """The statements of a block, one by one."""
        if ">>> " in block.text:
            yield from self._doctest(block)
            return
        printed = []
        comments, statements = _comments(block.text), ast.parse(block.text).body
        for statement in statements:
            out = io.StringIO()
            try:
                with contextlib.redirect_stdout(out):
                    value = self._statement(statement, block)
            except Exception as problem:
                if below is None or statement is not statements[-1]:
                    raise
                print(last_line(problem), file=out)
                value = None
            comment = comments.get(statement.end_lineno or 0)
            if not isinstance(statement, ast.Expr) or comment is None:
                printed.append(out.getvalue())
            else:
                begin, text = comment
                actual = out.getvalue().strip() or repr(value)
                place = block.begin + begin
                yield Shown(place, place + len(text), block.line + statement.lineno, text, actual, inline=True)
        if below is not None:
            yield Shown(below.begin, below.end, below.line, below.text, "".join(printed))

    def _statement(self, statement: ast.stmt, block: Block) -> Any:
        """One statement; an expression has a value."""
        where = f"<page, line {block.line + statement.lineno}>"
        if isinstance(statement, ast.Expr):
            return eval(compile(ast.Expression(statement.value), where, "eval"), self.names)  # noqa: S307 - our own pages
        exec(compile(ast.Module([statement], []), where, "exec"), self.names)  # noqa: S102 - our own pages
        return None

    def _doctest(self, block: Block) -> Iterator[Shown]:
        test = doctest.DocTestParser().get_doctest(block.text, self.names, "page", None, block.line)
        told: list[str] = []
        flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
        doctest.DocTestRunner(optionflags=flags, verbose=False).run(test, out=told.append, clear_globs=False)
        self.names.update(test.globs)
        if told:
            yield Shown(block.begin, block.end, block.line, block.text, "".join(told))

    def console(self, block: Block) -> Iterator[Shown]:
        """Each command of a block, with what it prints."""
        for match in re.finditer(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block.text, re.MULTILINE):
            command, shown = match[1], match[2]
            if command == "echo $?":
                actual = f"{self.code}\n"
            elif command.startswith("accord "):
                self.code, actual = run_command(shlex.split(command)[1:])
            else:
                continue
            begin = block.begin + match.start(2)
            shown = shown.rstrip() + "\n" if shown.strip() else ""  # without empty lines before the next command
            yield Shown(begin, begin + len(shown), block.line + 1, shown, actual)


def blocks(text: str) -> Iterator[Block]:
    """The fenced blocks of a page."""
    for match in FENCE.finditer(text):
        yield Block(match[1], match[2], match.start(2), match.end(2), text.count("\n", 0, match.start(2)))


def run_command(arguments: list[str]) -> tuple[int, str]:
    """The command as in a pipe: its exit code, and what it prints on both streams."""
    from accord.cli import main

    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="utf-8", newline="\n", write_through=True)
    before = sys.argv
    sys.argv = ["accord", *arguments]
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            main()
        code = 0
    except SystemExit as end:
        code = int(end.code or 0)
    finally:
        sys.argv = before
    return code, raw.getvalue().decode("utf-8")


def last_line(problem: Exception) -> str:
    """An error as the last line of its traceback."""
    kind = type(problem)
    name = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
    return f"{name}: {problem}"


def alike(expected: str, actual: str) -> bool:
    """Line by line the same, but for space at the end of a line; … alone on a line stands for any lines."""
    pattern = []
    for line in expected.rstrip().splitlines():
        pattern.append(r"(?:.*\n)*?" if line.strip() == ANYTHING else re.escape(line.rstrip()) + "\n")
    told = "".join(line.rstrip() + "\n" for line in actual.rstrip().splitlines())
    return re.fullmatch("".join(pattern), told) is not None


def _right_below(text: str, block: Block, following: Block) -> bool:
    between = text[block.end : following.begin]
    return following.language == "text" and not between.replace("```text", "").replace("```", "").strip()


def _comments(source: str) -> dict[int, tuple[int, str]]:
    """The comment at the end of each line of code: where its text begins, and the text."""
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found = {}
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        row, column = token.start
        if token.type == tokenize.COMMENT and token.line[:column].strip():
            text = token.string.removeprefix("#").lstrip()
            found[row] = (starts[row - 1] + column + len(token.string) - len(text), text)
    return found


@contextlib.contextmanager
def beside_examples() -> Iterator[Path]:
    """An empty folder with a copy of the examples, to write into."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as name:
        shutil.copytree(ROOT / "examples", Path(name) / "examples", ignore=shutil.ignore_patterns("__pycache__"))
        os.chdir(name)
        try:
            yield Path(name)
        finally:
            os.chdir(before)


def shown_by(page: Path) -> list[Shown]:
    """Run a page."""
    with beside_examples():
        return list(Runner().page(page.read_text(encoding="utf-8")))


def wrong_on(page: Path) -> list[str]:
    """What a page shows and should not, ready to be read."""
    return [
        f"{page.name}, line {shown.line}: the page shows\n{shown.expected.rstrip()}\nand it is\n{shown.actual.rstrip()}"
        for shown in shown_by(page)
        if not shown.right
    ]


def renew(page: Path) -> bool:
    """Put what was printed into the page; True if anything changed."""
    text = page.read_text(encoding="utf-8")
    parts, done = [], 0
    for shown in sorted(shown_by(page), key=lambda shown: shown.begin):
        if shown.right or ANYTHING in shown.expected.split("\n"):
            continue
        lines = "\n".join(line.rstrip() for line in shown.actual.rstrip().splitlines())
        parts += [text[done : shown.begin], lines if shown.inline else lines + "\n"]
        done = shown.end
    new = "".join([*parts, text[done:]])
    page.write_text(new, encoding="utf-8")
    return new != text


def pages() -> list[Path]:
    """The README and the pages of the documentation; of a page that is made from another, the other."""
    found = sorted((ROOT / "docs").glob("*.md"))
    made = {page.with_name(page.name.replace(".in.md", ".md")) for page in found if page.name.endswith(".in.md")}
    return [ROOT / "README.md", *(page for page in found if page not in made)]


def main(arguments: list[str]) -> int:
    """Compare or renew."""
    chosen = [Path(name).resolve() for name in arguments if not name.startswith("-")] or pages()
    if "--write" in arguments:
        changed = [page.name for page in chosen if renew(page)]
        print("renewed:", ", ".join(changed) or "nothing")
    problems = [problem for page in chosen for problem in wrong_on(page)]
    for problem in problems:
        print(problem + "\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
