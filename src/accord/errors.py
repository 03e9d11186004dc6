"""Everything accord raises on purpose.

AccordError (a ValueError)
├── InputError            what was given cannot be a study
│   ├── ColumnMissing     a role names a column that the table does not have
│   ├── DuplicateAnswers  an annotator answered an item twice, and nobody said what to do
│   ├── FileError         a file that cannot be read, or not as its format says; names the file and the place
│   └── LabelError        a label of a type, or outside a scale, that cannot be
├── MeasureError          the question does not fit the data; the message names one that does
│   └── WeightsError      weights that are not similarities between the study's answers
├── OptionError           an option with a value it cannot take
│   ├── UnknownKeyword    a keyword that the function does not have (a TypeError too)
│   └── UnknownName       an item, a query … that what was asked does not have (a KeyError too)
├── DecisionError         a decision that cannot be taken: somebody else is deciding the item, or one may only read
└── ExtraMissing          a feature whose optional packages are not installed

A message has one grammar, which tests/surface/test_error_grammar.py holds:

1. It is whole sentences: what was found, with the actual values and the place, then the way out.
2. It begins with a capital letter, a quoted value or a keyword, and ends with a full stop or a question mark, or with
   the call that would work.
3. An option out of range is `OptionError.must`, `.choice` or `.ending`: "NAME must RULE; got VALUE."
4. A keyword with its value and a call are parts (`Keyword`, `Remedy`), never text: so that whoever shows the message
   can spell them in its own way, Python as duplicates='first', the command as --duplicates first.
5. Values are shown as `repr` or `listing` write them. No two blanks in a row, no exclamation mark.
6. What may be somebody's name is a part as well (`MayBeNames`, `PeopleNames`): where people are hidden, such parts go,
   and no sentence is searched.
7. Where it was found is a part (`at_item`, `at_column`, `at_row`), from which the error has its place.

    raise LabelError("The label 'a' stands twice. Keep one, or say ", remedy(duplicates="first"), " to count it once.")

What is no error and names a keyword all the same (a note of a reader, the reason why a value is undefined, a remedy of
a finding) is a `Message`: a str of the same parts. The same is in an error as attributes: `option` (what it is about,
and the value given), `available` (what there is instead), `values` (those of the data that are shown), `place` (file,
line, record, item …) and `remedies` (calls that would work). Each says one of them at least.

A value that is merely *undefined* (one label used, nobody to compare with) is never an error:
it is NaN in the result, and `undefined` says why.
"""

from __future__ import annotations

import io
import math
import pickle
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from types import BuiltinFunctionType, FunctionType
from typing import Any, Self, TypeAlias


class _Nothing(Enum):
    """What stands where a keyword has no value; the same one in every process."""

    NOTHING = "nothing"


_NOTHING = _Nothing.NOTHING
NOBODY_ANSWERED = "Nobody answered anything: every answer is missing."  # why a value is undefined
SURELY_WRITTEN = 2_000  # bits of a number that Python always writes, whatever limit is set for its digits
LONGEST_SHOWN = 100  # characters of a value that an option cannot take
LOOKED_THROUGH = 10_000  # names, among which the nearest is found in a tenth of a second
MOST_LISTED = 8  # values in a sentence
ELLIPSIS = "…"  # what the caller has to find, and what is not told where people are hidden


@dataclass(frozen=True)
class Keyword:
    """A keyword in a message, with the value it has; as the subject of a sentence it has none.

    >>> str(Keyword("level", "ordinal")), str(Keyword("level")), str(Keyword("level", equals=True))
    ("level='ordinal'", 'level', 'level=')
    """

    name: str
    value: Any = field(default=_NOTHING)
    equals: bool = False  # Python writes level= where a keyword is named without a value

    @property
    def given(self) -> bool:
        """Is there a value?"""
        return self.value is not _NOTHING

    def __str__(self) -> str:
        value = as_python(self.value) if self.given else ""
        return f"{self.name}={value}" if self.given or self.equals else self.name


def keyword(name: str) -> Keyword:
    """A keyword that is named without a value: "Give level= or weights=, not both"."""
    return Keyword(name, equals=True)


@dataclass(frozen=True)
class OneOf:
    """Several values of a keyword, each of which would do."""

    values: tuple[Any, ...]

    def joined(self, words: Callable[[Any], str]) -> str:
        """The values in a sentence."""
        *first, last = map(words, self.values)
        return f"{', '.join(first)} or {last}" if first else last


def one_of(*values: Any) -> OneOf:
    """Any of these values."""
    return OneOf(values)


@dataclass(frozen=True)
class Remedy:
    """A way out: a call that would work, as data. Without a function it is the call that was made, with these keywords.

    A value `...` is one that the caller has to find.
    """

    options: Mapping[str, Any]
    function: str = ""
    data: str = ""  # what stands before the keywords: another thing to give, where the call is the one that was made
    python: str = ""  # where Python has another way: study.tasks['tone']
    command: str | None = None  # what the command says instead, where no option of it does the same
    title: str = ""  # what the function is called by whoever does not write Python: a measure has a title

    def __str__(self) -> str:
        if self.python:
            return self.python
        keywords = ", ".join(f"{name}={as_python(value)}" for name, value in self.options.items())
        return f"{self.function}({', '.join(filter(None, (self.data, keywords)))})" if self.function else keywords

    def each(self) -> list[Remedy]:
        """One for each of the values that would do."""
        for name, value in self.options.items():
            if isinstance(value, OneOf):
                singles = [replace(self, options={**self.options, name: one}) for one in value.values]
                return [one for single in singles for one in single.each()]
        return [self]


def remedy(function: str = "", data: str = "", /, **options: Any) -> Remedy:
    """The way out, in a message.

    >>> str(remedy(duplicates=one_of("first", "last"))), str(remedy("accord.read", "'x.csv'", item="id", label=...))
    ("duplicates='first' or 'last'", "accord.read('x.csv', item='id', label=…)")
    """
    return Remedy(options, function, data)


def one_task(name: object) -> Remedy:
    """The way out where one variable of several has to be chosen."""
    return Remedy({"only": name}, python=f"study.tasks[{as_python(name)}]")


def collected() -> Remedy:
    """The way out where a frame that stays in its engine has to be in memory."""
    return Remedy({}, "Study", "frame.collect(), …")


def some_annotators() -> Remedy:
    """The way out where annotators are too many, or some of them should be left out."""
    return Remedy({"annotators": [...]}, python="study.of_annotators([…])")


@dataclass(frozen=True)
class Wording:
    """What is said otherwise to whoever does not write Python, and is no way out as data."""

    python: str
    command: str | None = None  # None where no command meets it

    def __str__(self) -> str:
        return self.python


def in_python(words: str, command: str | None = None) -> Wording:
    """What only Python can do, and what the command says in its place; what no command meets has no such words.

    A call that is the way out of an error is a `remedy`, so that it is data.

    >>> str(in_python("by_group() has one row each", "every variable has a row of its own"))
    'by_group() has one row each'
    """
    return Wording(words, command)


Spelled: TypeAlias = Keyword | Remedy | Wording  # what is no text before it is known who reads it
Part: TypeAlias = str | Spelled
Spell: TypeAlias = Callable[[Spelled], str]
_READER: ContextVar[Spell] = ContextVar("how the reader of messages spells keywords", default=str)


@contextmanager
def spelled_by(spell: Spell) -> Iterator[None]:
    """Whatever is said here is read by somebody who does not write Python: `spell` makes text of keywords and calls."""
    before = _READER.set(spell)
    try:
        yield
    finally:
        _READER.reset(before)


class Message(str):
    """Sentences that name keywords or calls, and remember them as parts; else a str like any other.

    Its text is Python, or what a reader of another language needs where `spelled_by` says that there is one. Make it
    where it is needed, not when a module is loaded: by then nobody knows who will read it.

    >>> note = Message("Cells were read as one label each; if they hold several, say ", remedy(separator="|"), ".")
    >>> note
    "Cells were read as one label each; if they hold several, say separator='|'."
    >>> with spelled_by(lambda part: "--separator '|'"):
    ...     print(Message(*note.parts))
    Cells were read as one label each; if they hold several, say --separator '|'.
    """

    parts: tuple[Part, ...]

    def __new__(cls, *parts: Part) -> Self:
        """Join parts to a text; the parts of a message among them become its own."""
        flat: list[Part] = []
        for part in parts:
            flat.extend(part.parts if isinstance(part, Message) else (part,))
        made = super().__new__(cls, _spelled(flat, _READER.get()))
        made.parts = tuple(flat)
        return made

    def text(self, spell: Spell = str) -> str:
        """The same sentences for another reader.

        Args:
            spell: What makes text of a keyword or a way out; `str` gives Python.

        Returns:
            The text.
        """
        return _spelled(self.parts, spell)

    def unnamed(self, called: Mapping[str, str]) -> Message:
        """The same sentences where people are hidden, by their parts: accord's own words and counts stay as they are.

        Args:
            called: By what code each is called; whoever has none is not told.

        Returns:
            The message.
        """
        return Message(*(_part_unnamed(part, called) for part in self.parts))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self.parts


Words: TypeAlias = str | Callable[[], str]  # or what makes them


class WordsByName(Mapping[str, str]):
    """Words of which few are ever read: they are made then, for whoever reads messages where they were put here.

    >>> WordsByName({"a": "said", "b": lambda: "made"})
    {'a': 'said', 'b': 'made'}
    """

    def __init__(self, words: Mapping[str, Words]) -> None:
        self._words = dict(words)
        self._reader = _READER.get()

    def __getitem__(self, name: str) -> str:
        found = self._words[name]
        if not isinstance(found, str):
            with spelled_by(self._reader):
                found = self._words[name] = found()
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._words)

    def __len__(self) -> int:
        return len(self._words)

    def __repr__(self) -> str:
        return repr(dict(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return WordsByName, (dict(self),)


class MayBeNames(str):
    """What in a message may be somebody's name: a file, a sheet, a column, a value; as a part, or as a keyword's value.

    `unnamed` stands there where people are hidden.

    >>> note = Message("2 files", MayBeNames(": ana.csv, ben.csv", ""), " were read, 5 rows of ", MayBeNames("'ana'"))
    >>> print(note, "|", note.unnamed({}))
    2 files: ana.csv, ben.csv were read, 5 rows of 'ana' | 2 files were read, 5 rows of …
    """

    unnamed: str

    def __new__(cls, text: str, unnamed: str = ELLIPSIS) -> Self:
        """What may be names, and what is said instead of them."""
        made = super().__new__(cls, text)
        made.unnamed = unnamed
        return made

    def hidden(self, _called: Mapping[str, str]) -> str:
        """What is said where people are hidden who are called so."""
        return self.unnamed

    def without(self, _unknown: Callable[[object], bool]) -> str:
        """What is said to somebody who may know nothing but what he typed."""
        return self.unnamed


class Quoted(MayBeNames):
    """Values of the data in an error, quoted: where people are hidden, whoever typed one of them is told it, no more.

    >>> one, many = quoted("Ann"), all_quoted(["x", "Ann", 3])
    >>> print(one, many, "|", one.without(lambda value: value != "Ann"), many.without(lambda value: value == "Ann"))
    'Ann' 'x', 'Ann', 3 | 'Ann' 'x', 3, …
    """

    values: tuple[object, ...]
    most: int

    def __new__(cls, values: Iterable[object], most: int, text: str = "") -> Self:
        """The values, how many of them are told, and their text where it is another."""
        held = tuple(values)
        made = super().__new__(cls, text or listing(held, most))
        made.values, made.most = held, most
        return made

    def without(self, unknown: Callable[[object], bool]) -> str:
        """The values that are known; a text of its own as a whole."""
        there = [value for value in self.values if not unknown(value)]
        if len(there) == len(self.values):
            return str(self)
        return _cut([*map(as_typed, there[: self.most]), ELLIPSIS], self.most + 1)

    def __getnewargs__(self) -> tuple[Any, ...]:
        return self.values, self.most, str(self)


def quoted(value: object) -> Quoted:
    """A value of the data, in an error."""
    return Quoted([value], 1)


def all_quoted(values: Iterable[object], most: int = MOST_LISTED) -> Quoted:
    """Values of the data, in an error; of many only some."""
    return Quoted(values, most)


class QuotedItem(Quoted):
    """The item in which it was found: the error knows it as its place."""

    @property
    def place(self) -> Place:
        """Where it was found."""
        return Place(item=self.values[0])


class QuotedColumn(Quoted):
    """The column in which it was found: the error knows it as its place."""

    @property
    def place(self) -> Place:
        """Where it was found."""
        return Place(part=Message("column ", quoted(self.values[0])))


class RowNumber(str):
    """The row in which it was found: the error knows it as its place."""

    @property
    def place(self) -> Place:
        """Where it was found."""
        return Place(part=str(self))


def at_item(name: object) -> QuotedItem:
    """The item in which something was found, in an error: quoted, and its place.

    >>> twice = InputError("Item ", at_item("d1"), " has two texts in ", at_row(7), ".")
    >>> print(twice, twice.place.item, "|", twice.place.part)
    Item 'd1' has two texts in row 7. d1 | row 7
    """
    return QuotedItem([name], 1)


def at_column(name: object) -> QuotedColumn:
    """The column in which something was found, in an error: quoted, and its place."""
    return QuotedColumn([name], 1)


def at_row(number: int) -> RowNumber:
    """The row of a table in which something was found, in an error: its number, and its place."""
    return RowNumber(f"row {number}")


class OwnWords(str):
    """Words of accord that an error lists in quotes: no names, and told where people are hidden.

    >>> print(OwnWords(["nominal", "ordinal"]))
    'nominal', 'ordinal'
    """

    words: tuple[str, ...]
    most: int

    def __new__(cls, words: Iterable[str], most: int = MOST_LISTED) -> Self:
        """The words, and how many of them are told."""
        held = tuple(words)
        made = super().__new__(cls, listing(held, most))
        made.words, made.most = held, most
        return made

    def __getnewargs__(self) -> tuple[Any, ...]:
        return self.words, self.most


class PeopleNames(MayBeNames):
    """People who are listed in a message: hidden, each is called by a code.

    The codes stand in their own order, since that of the names would tell who is who; whoever has none is ….

    >>> people = PeopleNames(["Xanthippe", "Quentin", "5"])
    >>> print(people, "|", people.hidden({"Xanthippe": "A10", "Quentin": "A2"}))
    'Xanthippe', 'Quentin', '5' | 'A2', 'A10', …
    """

    names: tuple[str, ...]
    most: int
    quoted: bool

    def __new__(cls, names: Iterable[object], most: int = MOST_LISTED, *, quoted: bool = True) -> Self:
        """The names, how many of them are told, and whether they are quoted."""
        held = tuple(names)
        made = super().__new__(cls, _cut([repr(name) if quoted else str(name) for name in held], most))
        made.names, made.most, made.quoted = tuple(map(str, held)), most, quoted
        return made

    def hidden(self, called: Mapping[str, str]) -> str:
        """The codes of those who have one."""
        code_of = {_composed(name): code for name, code in called.items()}
        codes = {code_of.get(_composed(name), ELLIPSIS) for name in self.names}
        known = sorted(codes - {ELLIPSIS}, key=lambda code: (len(code), code))
        shown = [repr(code) if self.quoted else code for code in known] + [ELLIPSIS] * (ELLIPSIS in codes)
        return _cut(shown, self.most)

    def __getnewargs_ex__(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        return (self.names, self.most), {"quoted": self.quoted}


def _composed(name: str) -> str:
    """A name whose letters are written in one way, with their marks or beside them."""
    from unicodedata import normalize

    return normalize("NFC", name)


def _part_unnamed(part: Part, called: Mapping[str, str]) -> Part:
    """A part of a message where people are hidden; values of keywords and calls too."""
    if isinstance(part, MayBeNames):
        return part.hidden(called)
    if isinstance(part, Keyword):
        return replace(part, value=_value_unnamed(part.value))
    if isinstance(part, Remedy):
        data = part.data.unnamed if isinstance(part.data, MayBeNames) else part.data
        return replace(part, options={name: _value_unnamed(one) for name, one in part.options.items()}, data=data)
    return part


def _value_unnamed(value: Any) -> Any:
    """The value of a keyword where people are hidden: what may name them is for the caller to find."""
    if isinstance(value, MayBeNames):
        return ... if value.unnamed == ELLIPSIS else value.unnamed
    held = value.values if isinstance(value, OneOf) else value if isinstance(value, list | tuple) else ()
    return ... if any(isinstance(one, MayBeNames) for one in held) else value


def _spelled(parts: Iterable[Part], spell: Spell) -> str:
    return "".join([part if isinstance(part, str) else spell(part) for part in parts])


def between(parts: Iterable[Part], word: str) -> list[Part]:
    """Parts of a message with a word between every two: one call or another."""
    return [piece for part in parts for piece in (word, part)][1:]


def as_python(value: Any) -> str:
    """A value as it is written in a call; what the caller has to find is …

    >>> as_python("a"), as_python(["a", ...]), as_python(...)
    ("'a'", "['a', …]", '…')
    """
    if value is ...:
        return ELLIPSIS
    if isinstance(value, OneOf):
        return value.joined(as_python)
    if isinstance(value, list) and ... in value:
        return f"[{', '.join(map(as_python, value))}]"
    return as_typed(value)


def as_typed(value: object, write: Callable[[object], str] = repr) -> str:
    """A value as Python writes it; a number that it refuses to write, and what cannot show itself, by what they are.

    >>> as_typed("a"), as_typed([10**5000])
    ("'a'", '<list>')
    >>> as_typed(10**5000)
    '<a whole number of about 5,001 digits>'
    """
    try:
        return write(value)
    except Exception:  # noqa: BLE001 - whatever somebody's own class does where it should say what it is
        if isinstance(value, int):
            return f"<a whole number of about {int(value.bit_length() * math.log10(2)) + 1:,} digits>"
        return f"<{type(value).__name__}>"


@dataclass(frozen=True)
class Place:
    """Where it was found: in which file and where in it, or of which item and annotator."""

    file: str = ""
    line: int | None = None
    record: int | None = None
    part: str = ""  # what else says where: "cell B2", "row 3"
    item: Any = None
    annotator: Any = None

    def __str__(self) -> str:
        record = f"record {self.record}" if self.record is not None else ""
        line = f"line {self.line}" if self.line is not None else ""
        return ", ".join(filter(None, (self.file, record, line, self.part)))


def _place_of(parts: Iterable[Part]) -> Place | None:
    """The place that the parts of a message name together: an item, and where in its table; None where none does."""
    named = [part.place for part in parts if isinstance(part, QuotedItem | QuotedColumn | RowNumber)]
    item = next((one.item for one in named if one.item is not None), None)
    within = between((one.part for one in named if one.part), ", ")
    return Place(item=item, part=Message(*within) if within else "") if named else None


class AccordError(ValueError):
    """Base of every error that accord raises on purpose.

    >>> import accord
    >>> try:
    ...     accord.cohen_kappa(["yes", "no"], ["yes"])
    ... except accord.AccordError as problem:
    ...     print(type(problem).__name__)
    ...     print(problem)
    InputError
    Two annotators' answers must be two sequences of one length; got 2 and 1. Fill gaps with None, or give a table:
    Study(frame, item=…, annotator=…, label=…).
    """

    def __init__(
        self,
        *message: Part,
        option: Keyword | None = None,
        available: Iterable[object] = (),
        place: Place | None = None,
        remedies: Sequence[Remedy] = (),
    ) -> None:
        self.message = Message(*message)
        parts = self.message.parts
        self.option = option or next((part for part in parts if isinstance(part, Keyword)), None)
        self.available = tuple(available)
        self._place_in_words = place is None
        self.place = place
        self._take_from_words()
        ways = [*(part for part in parts if isinstance(part, Remedy)), *remedies]
        self.remedies = tuple(one for way in ways for one in way.each())
        self.function = ""  # the call that its keywords belong to, where it is not the one that the user made
        super().__init__(self._where + self.message)  # which is spelled for its reader already

    def _take_from_words(self) -> None:
        """The values that the message names, and where they were found."""
        parts = self.message.parts
        self.values = tuple(value for part in parts if isinstance(part, Quoted) for value in part.values[: part.most])
        found = _place_of(parts)
        if self.place is None:
            self.place = found
        elif found is not None and self.place.item is None:
            self.place = replace(self.place, item=found.item)

    @property
    def _where(self) -> str:
        if self.place is None or not self.place.file:
            return ""
        return f"{replace(self.place, part='') if self._place_in_words else self.place}: "

    def text(self, spell: Spell = str) -> str:
        """The message, with keywords and ways out spelled as Python, or as the reader of it needs them.

        Args:
            spell: What makes text of a keyword or a way out; `str` gives Python.

        Returns:
            The message.
        """
        return self._where + self.message.text(spell)

    def add(self, *more: Part) -> Self:
        """Say more: a way out that whoever raised the error could not know.

        Args:
            *more: What follows the message.

        Returns:
            The same error.
        """
        self.message = Message(self.message, *more)
        self.remedies += tuple(one for part in more if isinstance(part, Remedy) for one in part.each())
        self._take_from_words()
        self.args = (self.text(_READER.get()),)
        return self

    def found_in(self, file: str) -> Self:
        """Say in which file it is, where whoever raised the error could not know.

        Args:
            file: What the file is called.

        Returns:
            The same error.
        """
        self.place = replace(self.place or Place(), file=file)
        self.args = (self.text(_READER.get()),)
        return self

    def to_dict(self) -> dict[str, Any]:
        """For JSON: what happened in words, and what it is about as data."""
        place = {} if self.place is None else {one.name: getattr(self.place, one.name) for one in fields(Place)}
        return {
            "error": type(self).__name__,
            "message": str(self),
            "option": self.option and {"name": self.option.name, "value": json_value(self.option.value)},
            "available": json_value(self.available),
            "values": json_value(self.values),
            "place": {name: json_value(value) for name, value in place.items() if value not in ("", None)},
            "remedies": [
                {"function": way.function, "data": way.data, "options": json_value(way.options)}
                for way in self.remedies
            ],
        }

    def __reduce__(self) -> tuple[Any, ...]:
        held = io.BytesIO()
        _Movable(held).dump(self.__dict__)
        return _arrived, (type(self), self.args, held.getvalue())


class _Typed(str):
    """What a value was written as, where the value itself did not come along."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


class _Movable(pickle.Pickler):
    """Takes to another process what can go there, and of the rest what it was written as.

    Somebody may give an open file or a lambda where a number belongs; an error that could not be pickled would hang a
    pool of processes for ever.
    """

    def reducer_override(self, value: Any) -> Any:
        """The value itself, or what it was written as: where it cannot go, or says no more than where it lies."""
        if type(value).__module__.partition(".")[0] == "accord":
            return NotImplemented
        written = as_typed(value)
        if _can_be_pickled(value) and (" at 0x" not in written or _goes_by_its_name(value)):
            return NotImplemented
        return _Typed, (written,)


def _goes_by_its_name(value: Any) -> bool:
    """Is it pickled as a name: a class, a function, or what a compiled class (pandas' `Timestamp`) is made again by?"""
    return isinstance(value, type | FunctionType | BuiltinFunctionType) or isinstance(value.__reduce_ex__(4), str)


def _can_be_pickled(value: object) -> bool:
    try:
        pickle.dumps(value)
    except Exception:  # noqa: BLE001 - of whatever class, it says so in its own way
        return False
    return True


def _arrived(kind: type[AccordError], words: tuple[str, ...], held: bytes) -> AccordError:
    """An error that comes from another process."""
    error = kind.__new__(kind, *words)
    error.__dict__.update(pickle.loads(held))  # noqa: S301 - as safe as the pickle around it
    return error


def json_value(value: Any) -> Any:
    """A value as JSON can hold it: NaN and infinity are null, arrays and tuples lists, what JSON does not know text.

    >>> json_value([math.nan, 3, (1.5, None), {"x": math.inf}])
    [None, 3, [1.5, None], {'x': None}]
    """
    if value is None or value is _NOTHING:
        return None
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        return value if value.bit_length() < SURELY_WRITTEN else as_typed(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, list | tuple | range):
        return [json_value(part) for part in value]
    if isinstance(value, Mapping):
        return {str(name): json_value(part) for name, part in value.items()}
    if hasattr(type(value), "tolist"):  # an array or a number of NumPy, which need not be loaded for an error
        held = value.tolist()
        return str(held) if type(held) is type(value) else json_value(held)  # a long double is its own
    return "…" if value is ... else as_typed(value, str)


class InputError(AccordError):
    """What was given cannot be read as a study."""


@contextmanager
def naming(file: str) -> Iterator[None]:
    """What is wrong with answers that came from a file is said with its name, also where a study of them finds it."""
    try:
        yield
    except InputError as problem:
        if file and (problem.place is None or not problem.place.file):
            problem.found_in(file)
        raise


class ColumnMissing(InputError):
    """A role names a column that the table does not have."""

    def __init__(self, role: str, wanted: object, have: Sequence[str]) -> None:
        near = nearest(as_typed(wanted, str), [str(name) for name in have], 0.5)
        several = role in ("annotators", "columns")  # options that take a list
        if near:
            value = [near[0]] if several else {near[0]: ...} if role == "where" else near[0]
            meant = Remedy({role: value}, python=repr(near[0]) if several or role == "where" else "")
            hint: tuple[Part, ...] = (" Did you mean ", meant, "?")
        else:
            hint = (" Say which one it is: ", remedy(**{role: [...] if several else ...}))
        purpose = {
            "by": "to make groups by",
            "where": "to choose rows by",
            "annotators": "to read answers from",
            "columns": "to read yes or no from",
        }
        what = purpose.get(role, f"to read the {role} from")
        super().__init__(
            "No column ",
            quoted(wanted),
            f" {what}; the table has ",
            all_quoted(have),
            ".",
            *hint,
            option=Keyword(role, wanted),
            available=have,
        )


def no_such_value(column: str, wanted: Iterable[str], have: Iterable[object]) -> InputError:
    """The error for rows that are chosen by a value which no row has."""
    there = [value for value in have if value is not None]
    return InputError(
        "No row has ",
        all_quoted(wanted),
        " in the column ",
        quoted(column),
        "; it holds ",
        all_quoted(there),
        ".",
        option=Keyword("where", column),
        available=there,
    )


def no_such_annotator(option: str, unknown: Sequence[object], there: Sequence[str]) -> InputError:
    """The error for annotators whom the study does not have, with the nearest one that it has."""
    near = nearest(as_typed(unknown[0], str), there, 0.5)
    return InputError(
        "There is no annotator ",
        all_quoted(unknown),
        "; there are ",
        all_quoted(there),
        ".",
        *did_you_mean(near),
        option=Keyword(option, unknown[0]),
        available=there,
        remedies=[Remedy({option: name}) for name in near],
    )


def two_things(item: object, one: object, other: object, *sentence: Part) -> InputError:
    """The error for what says two things of an item.

    >>> print(two_things("d1", "x", "y", "The reference says two things of"))
    The reference says two things of item 'd1': 'x' and 'y'. Keep one.
    """
    return InputError(*sentence, " item ", at_item(item), ": ", quoted(one), " and ", quoted(other), ". Keep one.")


class DuplicateAnswers(InputError):
    """The same annotator answered the same item more than once."""


class FileError(InputError):
    """A file that cannot be read, or that is not as its format says."""

    def __init__(
        self,
        file: object,
        *message: Part,
        line: int | None = None,
        record: int | None = None,
        part: str = "",
        available: Iterable[object] = (),
    ) -> None:
        name = getattr(file, "name", None) or str(file)
        super().__init__(*message, available=available, place=Place(name, line, record, part))


class LabelError(InputError):
    """A label that cannot be one, or that the declared scale does not hold."""


def off_the_scale(labels: Sequence[object], *sentence: Part) -> LabelError:
    """The error for a label that somebody says, and the scale does not hold.

    >>> print(off_the_scale(["x", "y"], "The reference says ", quoted("z")))
    The reference says 'z', which the scale 'x', 'y' does not hold. Declare it: labels=[…].
    """
    way = remedy(labels=[...])
    return LabelError(
        *sentence, ", which the scale ", all_quoted(labels), " does not hold. Declare it: ", way, ".", available=labels
    )


class MeasureError(AccordError):
    """A measure that cannot take this kind of answer or this number of annotators."""


def nobody_named(what: str, shape: Part) -> MeasureError:
    """The error for a question about people, of a study that does not say who answered."""
    return MeasureError(
        f"{what}, and a ",
        shape,
        " does not say who answered. Give one row per annotation, with its annotator.",
        option=Keyword("annotator"),
    )


class WeightsError(MeasureError):
    """Weights that are not similarities between the study's answers."""


class OptionError(AccordError):
    """An option with a value it cannot take."""

    @classmethod
    def must(cls, name: str, rule: Part, got: object, *more: Part) -> Self:
        """The error for a value that an option cannot take.

        >>> str(OptionError.must("confidence", "lie between 0 and 1, for example 0.95", 95))
        'confidence must lie between 0 and 1, for example 0.95; got 95.'
        """
        return cls(Keyword(name), " must ", rule, "; got ", _got(got), ".", *more, option=Keyword(name, got))

    @classmethod
    def ending(cls, file: str, endings: Iterable[str]) -> Self:
        """The error for a path whose ending tells no form that can be written.

        >>> str(OptionError.ending("report.htm", [".html", ".md"]))
        "path must end in .html or .md; got 'report.htm'. Did you mean '.html'?"
        """
        known = tuple(endings)
        near = nearest(f".{file.rpartition('.')[2]}", known, 0.6)
        error = cls.must("path", f"end in {OneOf(known).joined(str)}", file, *did_you_mean(near, of_data=False))
        error.available = known
        return error

    @classmethod
    def choice(cls, name: str, got: object, allowed: Iterable[object], *, of_data: bool = False) -> Self:
        """The error for a word that is not among the allowed ones: accord's own, or those that the data hold.

        Of very many, only the first are looked through.
        """
        names = list(allowed)
        texts = {str(one): one for one in names[:LOOKED_THROUGH]}
        word = as_typed(got, str)
        close = nearest(word, texts, 0.6 if isinstance(got, str) else 1.0)  # 12 is no slip of the pen for 13
        near = [texts[text] for text in close or [text for text in texts if _part_of(word, text)][:1]]
        listed = all_quoted(names, CHOICES) if of_data else OwnWords(map(str, names), CHOICES)
        return cls(
            Keyword(name),
            " must be one of ",
            listed,
            "; got ",
            _got(got),
            ".",
            *did_you_mean(near, of_data=of_data),
            option=Keyword(name, got),
            available=names[:LOOKED_THROUGH],
            remedies=[Remedy({name: one}) for one in near],
        )


class UnknownKeyword(OptionError, TypeError):
    """A keyword that a function does not have, which Python calls a TypeError."""


class UnknownName(OptionError, KeyError):
    """A name that something is asked for and does not have, which Python calls a KeyError.

    >>> str(UnknownName.choice("item", "r1", ["r01", "r02"]))
    "item must be one of 'r01', 'r02'; got 'r1'. Did you mean 'r01'?"
    """

    __str__ = AccordError.__str__  # a KeyError shows its message in quotes


def _shown(value: object) -> str:
    """A value in one line, cut where it is long: an array has a line for each of its rows."""
    line = " ".join(map(str.strip, as_typed(value).split("\n")))
    return line if len(line) <= LONGEST_SHOWN else f"{line[:LONGEST_SHOWN]}…"


def _got(value: object) -> Part:
    """The same in a message."""
    return Quoted([value], 1, _shown(value))


def did_you_mean(near: Sequence[object], *, of_data: bool = True) -> list[Part]:
    """The question whether the nearest word was meant, of the data or of accord's own; none where none is near."""
    return [" Did you mean ", quoted(near[0]) if of_data else OwnWords(map(str, near[:1])), "?"] if near else []


def nearest(word: str, names: Iterable[str], likeness: float) -> list[str]:
    """The name that is most like a word, if any is."""
    from difflib import get_close_matches  # for errors alone

    return get_close_matches(word, list(names), 1, likeness)


def _part_of(word: str, name: str) -> bool:
    """Is it a whole word of a name: alpha of krippendorff_alpha?"""
    return word.lower() in name.lower().replace("-", "_").split("_")


class DecisionError(AccordError):
    """A decision at the workbench that cannot be taken now, or not by whoever asks."""


class ExtraMissing(AccordError):
    """A feature whose optional packages are not installed; `package` is what to install."""

    def __init__(self, feature: str, extra: str | None = None, *, package: str | None = None) -> None:
        self.package = package or f"accord[{extra}]"
        what = package or f'"accord[{extra}]"'
        super().__init__(f"{feature} needs packages that are not installed: pip install {what}")


_PLURAL = re.compile(r"^((?!from |with )[\w-]*[^s\W] )?(\w+)s\b")


def _singular(found: re.Match[str]) -> str:
    word = found[2]
    return f"{found[1] or ''}{word[:-2] + 'y' if word.endswith('ie') and len(word) > 3 else word}"


def counted(number: int, what: str) -> str:
    """A number of things, in the singular for one; the first word is what is counted, or the second after an adjective.

    >>> counted(1, "rows without an item"), counted(1200, "rows without an item")
    ('1 row without an item', '1,200 rows without an item')
    >>> counted(1, "refused answers"), counted(1, "from untrusted annotators")
    ('1 refused answer', '1 from untrusted annotators')
    >>> counted(1, "queries"), counted(1, "ties")
    ('1 query', '1 tie')
    """
    return f"{number:,} {_PLURAL.sub(_singular, what) if number == 1 else what}"


def with_article(name: str) -> str:
    """What something is, in a sentence.

    >>> with_article("int"), with_article("float")
    ('an int', 'a float')
    """
    return f"{'an' if name[0] in 'AEIOaeio' else 'a'} {name}"


def percent(share: float) -> str:
    """A share in per cent, with the decimals it has.

    >>> percent(0.95), percent(0.999)
    ('95%', '99.9%')
    """
    return f"{100 * share:.6g}%"


CHOICES = 9  # words of which all are told to whoever says another


def listing(values: Iterable[object], most: int = MOST_LISTED) -> str:
    """Values for a message: quoted, and cut where there are many.

    >>> listing(["a", "b"]), listing(range(20), most=3)
    ("'a', 'b'", '0, 1, 2 … (20 in all)')
    """
    return _cut([as_typed(value) for value in values], most)


def _cut(shown: Sequence[str], most: int) -> str:
    """What is listed, with commas; of many the first."""
    if len(shown) <= most:
        return ", ".join(shown) or "nothing"
    return ", ".join(shown[:most]) + f" … ({len(shown)} in all)"
