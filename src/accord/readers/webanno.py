"""WebAnno TSV 3: tokens down, the features of layers across; offsets in UTF-16 units."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from accord.errors import FileError
from accord.readers.offsets import to_code_points
from accord.readers.rows import Asked, Rows
from accord.readers.source import Source

TOKEN = re.compile(r"(\d+)-(\d+)((?:\.\d+)*)")
STACKED = re.compile(r"(?<!\\)\|")
NUMBER = re.compile(r"(.*?)(?<!\\)\[(\d+)\]")
ESCAPED = re.compile(r"\\(.)")


@dataclass
class Layer:
    """One layer and the columns of its features."""

    kind: str  # T_SP span, T_CH chain, T_RL relation
    name: str
    features: list[str]


@dataclass
class Mark:
    """A span while it is put together from its tokens."""

    start: int
    end: int
    label: str
    tokens: list[str] = field(default_factory=list)


def read_tsv(source: Source, name: str, asked: Asked, rows: Rows, cells: dict[str, Any]) -> None:
    """Add the marks of one document by one annotator."""
    _Document(source.where(name), source.text(name, asked.encoding), rows, cells).read()


class _Document:
    def __init__(self, where: str, text: str, rows: Rows, cells: dict[str, Any]) -> None:
        self.where, self.lines, self.rows, self.cells = where, text.splitlines(), rows, cells
        self.layers: list[Layer] = []
        self.sentences: list[str] = []
        self.places: dict[str, tuple[int, int]] = {}  # token: its offsets
        self.words: list[tuple[int, int, str]] = []
        self.marks: dict[tuple[str, str], Mark] = {}
        self.relations: list[tuple[int, str, str, str, str]] = []

    def wrong(self, number: int, what: str) -> FileError:
        return FileError(self.where, f"line {number}", what)

    def read(self) -> None:
        """Header, then sentences."""
        if not self.lines or not self.lines[0].startswith("#FORMAT=WebAnno TSV 3"):
            raise self.wrong(1, "It should begin with '#FORMAT=WebAnno TSV 3.'.")
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
        place = re.fullmatch(r"(\d+)-(\d+)", columns[1]) if len(columns) > 2 else None
        if found is None or place is None:
            raise self.wrong(number, f"It is no token line: {line[:60]!r}.")
        start, end = int(place.group(1)), int(place.group(2))
        if end < start:
            raise self.wrong(number, f"The token ends at {end}, before it begins at {start}.")
        self.places[columns[0]] = (start, end)
        if not found.group(3):
            self.words.append((start, end, columns[2]))
        column = 3
        for layer in self.layers:
            if layer.kind == "T_RL":
                values, column = columns[column : column + len(layer.features)], column + len(layer.features)
                self._relation_cell(layer, values, columns[0], number)
                continue
            for feature in layer.features or [""]:
                if column >= len(columns):
                    raise self.wrong(number, f"The line has {len(columns)} columns, and the header names more.")
                self._cell(layer, feature, columns[column], columns[0], (start, end), number)
                column += 1
            if not layer.features:
                continue

    def _cell(self, layer: Layer, feature: str, cell: str, token: str, place: tuple[int, int], number: int) -> None:
        if cell in ("_", ""):
            return
        if layer.kind == "T_CH":
            self.rows.left_out.add("links of chains, which are not read", 1)
            return
        if feature.startswith(("ROLE_", "BT_")):
            self.rows.left_out.add("links between spans, which are not read", 1)
            return
        task = f"{layer.name.rsplit('.', 1)[-1]}.{feature}" if feature else layer.name.rsplit(".", 1)[-1]
        for position, value in enumerate(STACKED.split(cell)):
            told = NUMBER.fullmatch(value)
            label, mark = (told.group(1), told.group(2)) if told else (value, "")
            if label == "*":
                label = "(no value)"
            key = (task, f"#{mark}" if mark else f"{token}/{position}")
            label = ESCAPED.sub(_unescaped, label)
            held = self.marks.get(key)
            if held is None:
                self.marks[key] = Mark(*place, label, [token])
            elif held.label != label:
                raise self.wrong(number, f"The mark [{mark}] is {held.label!r} in one token and {label!r} in another.")
            else:
                held.end = max(held.end, place[1])

    def _relation_cell(self, layer: Layer, values: list[str], token: str, number: int) -> None:
        base = next(
            (value for feature, value in zip(layer.features, values, strict=False) if feature.startswith("BT_")), "_"
        )
        labels = [
            value for feature, value in zip(layer.features, values, strict=False) if not feature.startswith("BT_")
        ]
        if base in ("_", ""):
            return
        for position, governor in enumerate(STACKED.split(base)):
            label = (
                STACKED.split(labels[0])[position]
                if labels and position < len(STACKED.split(labels[0]))
                else "(no value)"
            )
            told = NUMBER.fullmatch(label)
            name = ESCAPED.sub(_unescaped, told.group(1) if told else label)
            self.relations.append((number, layer.name.rsplit(".", 1)[-1], name, token, re.sub(r"\[.*\]", "", governor)))

    def _finish(self) -> None:
        text = self._text()
        convert = _Conversion(text, self.words, self.where)
        for (task, _), mark in self.marks.items():
            start, end = convert(mark.start), convert(mark.end)
            self.rows.add(
                "spans",
                label=mark.label,
                task=task,
                start=start,
                end=end,
                text=text[start:end] if text else None,
                **self.cells,
            )
        for number, task, label, token, governor in self.relations:
            if governor not in self.places:
                raise self.wrong(number, f"A relation names the token {governor!r}, which is not there.")
            head, child = self.places[governor], self.places[token]
            self.rows.add(
                "relations", label=label or "(no value)", task=task, start=convert(head[0]), end=convert(head[1]),
                to_start=convert(child[0]), to_end=convert(child[1]), **self.cells,
            )  # fmt: skip
        if not self.marks and self.layers:
            for layer in self.layers:
                for feature in layer.features[:1] if layer.kind == "T_SP" else []:
                    self.rows.add("spans", task=f"{layer.name.rsplit('.', 1)[-1]}.{feature}", **self.cells)

    def _text(self) -> str:
        """The document, put together in UTF-16 units from its tokens, where they say they are; gaps are blanks."""
        units: list[str] = []
        for start, end, word in self.words:
            if start > len(units) + 1_000_000:
                raise FileError(self.where, "", f"A token begins at {start:,}, far beyond the text before it.")
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
        self.text, self.where = text, where
        self.known: dict[int, int] = {}
        for start, end, word in words:
            begin, stop = self(start), self(end)
            if text[begin:stop] != word:
                raise FileError(
                    where,
                    "",
                    f"The token {word!r} should be at {start} to {end} (UTF-16), and there is {text[begin:stop]!r}.",
                )

    def __call__(self, offset: int) -> int:
        if offset not in self.known:
            found = to_code_points(self.text, offset)
            if found is None:
                raise FileError(self.where, "", f"The offset {offset} lies outside the text or inside a character.")
            self.known[offset] = found
        return self.known[offset]


def _unescaped(found: re.Match[str]) -> str:
    return {"n": "\n", "t": "\t", "r": "\r"}.get(found.group(1), found.group(1))
