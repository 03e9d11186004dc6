"""WebAnno TSV 3: tokens down, the features of layers across; offsets in UTF-16 units."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from accord.errors import FileError, MayBeNames, Part, quoted
from accord.readers.source import decoded
from accord.study.tables.offsets import CodePoints
from accord.study.tables.rows import Rows

TOKEN = re.compile(r"(\d+)-(\d+)((?:\.\d+)*)")
STACKED = re.compile(r"(?<!\\)\|")
NUMBER = re.compile(r"(.*?)(?<!\\)\[(\d+)\]")
ESCAPED = re.compile(r"\\(.)")
ADDRESS = re.compile(r"(\d+-\d+(?:\.\d+)*)(?:\[(\d+)(?:_(\d+))?\])?")  # a token, and which of its marks is meant
LINK = re.compile(r"(.*?)->(\d+)-(\d{1,15})")  # a relation, the chain and the place in it
NOTHING = "(no value)"


@dataclass
class Layer:
    """One layer and the columns of its features."""

    kind: str  # T_SP span, T_CH chain, T_RL relation
    name: str
    features: list[str]

    @property
    def short(self) -> str:
        """The name without its package."""
        return self.name.rsplit(".", 1)[-1]


@dataclass
class Mark:
    """A span while it is put together from its tokens."""

    start: int
    end: int
    label: str
    tokens: list[str] = field(default_factory=list)
    relation: str = ""  # of a mark in a chain: what leads to the next


@dataclass
class Target:
    """What a relation points at: a token, or the mark with a number."""

    token: str
    number: str | None = None


def read_tsv(data: bytes, where: str, rows: Rows, cells: dict[str, Any]) -> None:
    """Add the marks of one document by one annotator."""
    _Document(where, decoded(data, where, rows.options.encoding), rows, cells).read()


class _Document:
    def __init__(self, where: str, text: str, rows: Rows, cells: dict[str, Any]) -> None:
        self.where, self.rows, self.cells = where, rows, cells
        self.lines = [line.removesuffix("\r") for line in text.split("\n")]
        self.layers: list[Layer] = []
        self.sentences: list[str] = []
        self.places: dict[str, tuple[int, int]] = {}  # token: its offsets
        self.words: list[tuple[int, int, str]] = []
        self.marks: dict[tuple[str, str], Mark] = {}
        self.numbered: dict[str, Mark] = {}  # marks that have a number, which others point at
        self.relations: list[tuple[int, str, str, Target, Target]] = []
        self.chains: dict[tuple[str, str], dict[int, Mark]] = {}  # a layer's chain: its marks in order

    def error(self, number: int, *what: Part) -> FileError:
        return FileError(self.where, *what, line=number)

    def read(self) -> None:
        """Header, then sentences."""
        if not self.lines or not self.lines[0].startswith("#FORMAT=WebAnno TSV 3"):
            raise self.error(1, "It should begin with '#FORMAT=WebAnno TSV 3.'.")
        for number, line in enumerate(self.lines[1:], start=2):
            if line.startswith(("#T_SP=", "#T_CH=", "#T_RL=")):
                kind, _, rest = line[1:].partition("=")
                layer, *features = rest.split("|")
                self.layers.append(Layer(kind, layer, features))
            elif line.startswith("#Text="):
                self.sentences.append(ESCAPED.sub(_unescaped, line[len("#Text=") :]))
            elif line.strip() and not line.startswith("#"):
                self._token(line, number)
        self._finish()

    def _token(self, line: str, number: int) -> None:
        columns = line.split("\t")
        found = TOKEN.fullmatch(columns[0])
        place = re.fullmatch(r"(\d{1,15})-(\d{1,15})", columns[1]) if len(columns) > 2 else None
        if found is None or place is None:
            raise self.error(number, "It is no token line: ", quoted(line[:60]), ".")
        start, end = int(place.group(1)), int(place.group(2))
        if end < start:
            raise self.error(number, f"The token ends at {end}, before it begins at {start}.")
        self.places[columns[0]] = (start, end)
        if not found.group(3):
            self.words.append((start, end, columns[2]))
        column = 3
        for layer in self.layers:
            width = max(len(layer.features), 1)
            values, column = columns[column : column + width], column + width
            if len(values) < width and layer.kind != "T_RL":
                raise self.error(number, f"The line has {len(columns)} columns, and the header names more.")
            if layer.kind == "T_RL":
                self._relation_cell(layer, values, columns[0], number)
            elif layer.kind == "T_CH":
                self._chain_cells(layer, values, (start, end), number)
            else:
                self._span_cells(layer, values, columns[0], (start, end), number)

    def _span_cells(self, layer: Layer, values: list[str], token: str, place: tuple[int, int], number: int) -> None:
        """The features of a layer of spans; a slot takes two columns, the roles and what fills them."""
        features = iter(zip(layer.features or [""], values, strict=True))
        for feature, cell in features:
            if feature.startswith("ROLE_"):
                filled = next(features, ("", "_"))[1]
                self._slots(layer, feature, cell, filled, token, number)
            else:
                self._cell(layer, feature, cell, token, place, number)

    def _cell(self, layer: Layer, feature: str, cell: str, token: str, place: tuple[int, int], number: int) -> None:
        if cell in ("_", ""):
            return
        task = f"{layer.short}.{feature}" if feature else layer.short
        for position, value in enumerate(STACKED.split(cell)):
            label, mark = _numbered(value)
            key = (task, f"#{mark}" if mark else f"{token}/{position}")
            held = self.marks.get(key)
            if held is None:
                held = self.marks[key] = Mark(*place, label, [token])
            elif held.label != label:
                raise self.error(
                    number,
                    "The mark [",
                    MayBeNames(str(mark)),
                    "] is ",
                    quoted(held.label),
                    " in one token and ",
                    quoted(label),
                    " in another.",
                )
            else:
                held.end = max(held.end, place[1])
            if mark:
                self.numbered.setdefault(mark, held)

    def _slots(self, layer: Layer, feature: str, roles: str, targets: str, token: str, number: int) -> None:
        """What fills the slots of a mark, each by its role: relations from the mark."""
        if roles in ("_", "") or targets in ("_", ""):
            return
        task = f"{layer.short}.{feature.removeprefix('ROLE_').split(':')[-1].split('_')[0]}"
        for value, filled in zip(STACKED.split(roles), STACKED.split(targets), strict=False):
            roles, mark = _numbered(value)
            owner = Target(token, mark or None)
            for role, target in zip(roles.split(";"), filled.split(";"), strict=False):
                if target in ("_", "*", ""):
                    continue
                self.relations.append((number, task, role or NOTHING, owner, self._target(target, number)))

    def _chain_cells(self, layer: Layer, values: list[str], place: tuple[int, int], number: int) -> None:
        """A mark in a chain: of which type it is, in which chain, at which place, and what leads to the next."""
        cells = dict(zip(layer.features, values, strict=False))
        relations, types = cells.get("referenceRelation", "_"), cells.get("referenceType", "_")
        if relations in ("_", ""):
            return
        kinds = STACKED.split(types)
        for position, cell in enumerate(STACKED.split(relations)):
            found = LINK.fullmatch(cell)
            if found is None:
                raise self.error(
                    number, "A link of a chain looks like 'coref->1-2', and here it is ", quoted(cell[:40]), "."
                )
            label = _numbered(kinds[position])[0] if position < len(kinds) else NOTHING
            chain = self.chains.setdefault((layer.short, found.group(2)), {})
            held = chain.setdefault(int(found.group(3)), Mark(*place, label, relation=_plain(found.group(1))))
            held.end = max(held.end, place[1])

    def _target(self, cell: str, number: int, *, second: bool = False) -> Target:
        """The token and, where several marks stand on it, the number of the one that is meant."""
        found = ADDRESS.fullmatch(cell)
        if found is None:
            raise self.error(
                number, "It should name a token, as in '1-3' or '1-3[2]', and it is ", quoted(cell[:40]), "."
            )
        mark = found.group(3) if second else found.group(2)
        return Target(found.group(1), mark if mark not in (None, "0") else None)

    def _relation_cell(self, layer: Layer, values: list[str], token: str, number: int) -> None:
        """The governor stands in the line of the dependent, in the last column."""
        cells = list(zip(layer.features, values, strict=False))
        base = next((value for feature, value in cells if feature.startswith("BT_")), "_")
        if base in ("_", ""):
            return
        labels = next((STACKED.split(value) for feature, value in cells if not feature.startswith("BT_")), [])
        for position, governor in enumerate(STACKED.split(base)):
            label = _numbered(labels[position])[0] if position < len(labels) else NOTHING
            child = Target(token, self._target(governor, number, second=True).number)
            self.relations.append((number, layer.short, label, self._target(governor, number), child))

    def _spot(self, target: Target, number: int) -> tuple[int, int]:
        """Where a target lies, in UTF-16 units."""
        held = self.numbered.get(target.number or "")
        if held is not None:
            return held.start, held.end
        if target.token not in self.places:
            raise self.error(number, "A relation names the token ", quoted(target.token), ", which is not there.")
        return self.places[target.token]

    def _finish(self) -> None:
        text = self._text()
        convert = _Conversion(text, self.words, self.where)
        tokens = [(convert(start), convert(end)) for start, end, _ in self.words]
        self.rows.document(self.cells["item"], text, tokens)
        for (task, _), mark in self.marks.items():
            start, end = convert(mark.start), convert(mark.end)
            self.rows.add(
                "spans",
                label=mark.label,
                task=task,
                start=start,
                end=end,
                covered=text[start:end] if text else None,
                **self.cells,
            )
        for number, task, label, head, child in self.relations:
            self._relate(convert, self._spot(head, number), self._spot(child, number), label, task)
        for (name, _), chain in self.chains.items():
            marks = [chain[place] for place in sorted(chain)]
            for mark in marks:
                start, end = convert(mark.start), convert(mark.end)
                cells = {**self.cells, "covered": text[start:end] if text else None}
                self.rows.add("spans", label=mark.label, task=f"{name}.referenceType", start=start, end=end, **cells)
            for one, other in pairwise(marks):
                ends = (one.start, one.end), (other.start, other.end)
                self._relate(convert, *ends, one.relation, f"{name}.referenceRelation")
        if not self.marks and self.layers:
            for layer in self.layers:
                for feature in layer.features[:1] if layer.kind == "T_SP" else []:
                    task = f"{layer.short}.{feature}" if feature else layer.short
                    self.rows.add("spans", task=task, **self.cells)

    def _relate(
        self, convert: _Conversion, head: tuple[int, int], child: tuple[int, int], label: str, task: str
    ) -> None:
        ends = [(convert(start), convert(end)) for start, end in (head, child)]
        self.rows.relation(ends[0], ends[1], label=label or NOTHING, task=task, **self.cells)

    def _text(self) -> str:
        """The document, put together in UTF-16 units from its tokens, where they say they are; gaps are blanks."""
        units: list[str] = []
        for start, end, word in self.words:
            if start > len(units) + 1_000_000:
                raise FileError(self.where, f"A token begins at {start:,}, far beyond the text before it.")
            units.extend(" " * (start - len(units)))
            coded = word.encode("utf-16-le", "surrogatepass")
            units[start:end] = [
                coded[at : at + 2].decode("utf-16-le", "surrogatepass") for at in range(0, len(coded), 2)
            ]
        joined = "".join(units).encode("utf-16-le", "surrogatepass")
        return joined.decode("utf-16-le", "replace")


class _Conversion:
    """UTF-16 offsets as code points, and a check that the tokens lie where they say."""

    def __init__(self, text: str, words: list[tuple[int, int, str]], where: str) -> None:
        self.where, self.code_points = where, CodePoints(text)
        for start, end, word in words:
            begin, stop = self(start), self(end)
            if text[begin:stop] != word:
                raise FileError(
                    where,
                    "The token ",
                    quoted(word),
                    f" should be at {start} to {end} (UTF-16), and there is ",
                    quoted(text[begin:stop]),
                    ".",
                )

    def __call__(self, offset: int) -> int:
        found = self.code_points.of(offset)
        if found is None:
            raise FileError(self.where, f"The offset {offset} lies outside the text or inside a character.")
        return found


def _numbered(cell: str) -> tuple[str, str]:
    """A label and the number behind it; an asterisk is a mark without a value."""
    match = NUMBER.fullmatch(cell)
    label, mark = (match.group(1), match.group(2)) if match else (cell, "")
    return _plain(label), mark


def _plain(label: str) -> str:
    return NOTHING if label in ("*", "") else ESCAPED.sub(_unescaped, label)


def _unescaped(found: re.Match[str]) -> str:
    return {"n": "\n", "t": "\t", "r": "\r"}.get(found.group(1), found.group(1))
