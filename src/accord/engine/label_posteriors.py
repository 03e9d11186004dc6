"""One row per item in an engine: what its answers say for each label, how sure that is, and which label it makes.

Evidence is joined to the answers, added up by item, turned into shares by expressions, and joined back where sums by
annotator are wanted. Nothing is kept between two iterations but the small table that is handed to the engine anew, so
plans do not grow.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from accord.annotations.answers import Label
from accord.annotations.arrays import LOG_ZERO, FloatArray, IntArray
from accord.annotations.majority_rule import EQUAL_DIGITS, MORE_LIKELY_WRONG, leads
from accord.engine.lookup import Lookup
from accord.engine.scan import Scan

MOST_LABELS = 100  # a column each
COMPANY = nw.col("first_") != nw.col("last_")  # was an item answered by two?
Frame = nw.LazyFrame[Any]


@dataclass(frozen=True, eq=False)
class LogLikelihoods:
    """What an answer says for each label: a table of log-likelihoods by annotator, answer and label, or (None) votes.

    `offset` is added once per item: the log shares of the labels. `taught` is what an answer says less per unit of
    a label's posterior, its own item left out of what was learned.
    """

    table: FloatArray | None = None  # (annotators, K, C)
    offset: FloatArray | None = None  # (C,)
    taught: FloatArray | None = None  # (annotators, K, C)


@dataclass(frozen=True, eq=False)
class LabelPosteriors:
    """The answers of a study in an engine, asked for sums by item and by annotator."""

    scan: Scan
    item: str
    annotator: str
    label: str
    people: Sequence[Any]  # annotators as the engine calls them
    codes: Mapping[Any, int]  # which answer each raw label is; −1 is missing
    labels: Sequence[Label]  # the scale
    known: Mapping[Any, int] | None = None  # item ─▶ position of its known label
    repeats: bool = False  # did somebody answer an item more than once?

    @property
    def number(self) -> int:
        """The number of labels."""
        return len(self.labels)

    @cached_property
    def raw_codes(self) -> dict[Any, int]:
        """Which answer each raw label is, missing ones left out."""
        return {raw: code for raw, code in self.codes.items() if code >= 0}

    @cached_property
    def rows(self) -> Frame:
        """Item, annotator and label of each answer; blank labels are missing."""
        frame = self.scan.frame.select(self.item, self.annotator, self.label)
        missing = [raw for raw, code in self.codes.items() if code < 0 and raw is not None]
        return frame.filter(~nw.col(self.label).is_in(missing)) if missing else frame

    @cached_property
    def _ends(self) -> Frame:
        """One row per item: the first and the last of its annotators, by name."""
        who = nw.col(self.annotator)
        return self.rows.group_by(self.item).agg(who.min().alias("first_"), who.max().alias("last_"))

    @cached_property
    def _known(self) -> Frame | None:
        if not self.known:
            return None
        return self.small_table({self.item: list(self.known), "known_": list(self.known.values())})

    def small_table(self, columns: Mapping[str, Sequence[Any]]) -> Frame:
        """A small table in the engine, its keys in the types of the large one."""
        schema = self.scan.frame.collect_schema()
        frame = self.scan.uploaded(columns).frame
        keys = [name for name in columns if name in schema.names()]
        return frame.with_columns(*(nw.col(name).cast(schema[name]) for name in keys)) if keys else frame

    @contextmanager
    def kept(self) -> Iterator[LabelPosteriors]:
        """With the answers held by the engine for as long as they are read again and again (Spark)."""
        with self.scan.dialect.kept(self.rows) as rows:
            yield self if rows is self.rows else replace(self, scan=self.scan.of_frame(rows))

    # -- one row per item --------------------------------------------------------------------------------------------

    def _scored(self, log_likelihoods: LogLikelihoods) -> Frame:
        """The answers, each with what it says for every label."""
        scores = _names("score", self.number)
        if log_likelihoods.table is None:
            each = [[raw for raw, code in self.raw_codes.items() if code == place] for place in range(self.number)]
            votes = {
                name: Lookup(self.label, dict.fromkeys(raws, 1)).expression().cast(nw.Float64)
                for name, raws in zip(scores, each, strict=True)
            }
            return self.rows.with_columns(**votes)
        tables = {name: log_likelihoods.table[:, :, place] for place, name in enumerate(scores)}
        if log_likelihoods.taught is not None:
            less = _names("less", self.number)
            tables |= {name: log_likelihoods.taught[:, :, place] for place, name in enumerate(less)}
        columns = self._cells(tables)
        return self.rows.join(columns, on=[self.annotator, self.label], how="inner")

    def _cells(self, tables: Mapping[str, FloatArray]) -> Frame:
        """Tables of annotators × answers as columns, a row for each annotator and raw label."""
        who = np.repeat(np.arange(len(self.people)), len(self.raw_codes))
        answer = np.tile(np.array(list(self.raw_codes.values()), dtype=np.int64), len(self.people))
        raws = list(self.raw_codes)
        columns: dict[str, Any] = {
            self.annotator: [self.people[place] for place in who.tolist()],
            self.label: raws * len(self.people),
        }
        columns |= {name: table[who, answer].tolist() for name, table in tables.items()}
        return self.small_table(columns)

    def _summed(self, scored: Frame, offset: FloatArray | None, more: Sequence[str] = ()) -> Frame:
        """One row per item: what its answers say together, the offset added, and their number as `answers_`."""
        scores = _names("score", self.number)
        sums = (
            scored.group_by(self.item)
            .agg(*(nw.col(name).sum() for name in (*scores, *more)), nw.len().alias("answers_"))
            .with_columns(nw.col("answers_").cast(nw.Float64))
        )
        if offset is not None:
            sums = sums.with_columns(*(nw.col(name) + float(add) for name, add in zip(scores, offset, strict=True)))
        if self._known is not None:
            sums = sums.join(self._known, on=self.item, how="left")
        return sums

    def soft(self, log_likelihoods: LogLikelihoods) -> Frame:
        """One row per item: its soft labels `share0_` …, its log-likelihood `log_` (votes: 0), `answers_`."""
        scores, shares = _names("score", self.number), _names("share", self.number)
        less = [] if log_likelihoods.taught is None else _names("less", self.number)
        sums = self._summed(self._scored(log_likelihoods), log_likelihoods.offset, less)
        if log_likelihoods.table is None:
            labelled = sums.with_columns(
                *(self._pinned(nw.col(score) / nw.col("answers_"), place, 0.0, 1.0).alias(share)
                  for place, (score, share) in enumerate(zip(scores, shares, strict=True))),
                nw.lit(0.0).alias("log_"),
            )  # fmt: skip
            return labelled.drop(*scores)
        sums = sums.with_columns(
            *(self._pinned(nw.col(score), place, -np.inf, None).alias(score) for place, score in enumerate(scores))
        )
        sums = self._exponentiated(sums, scores, shares)
        if less:  # once more, without what the item itself taught: its part is the label's posterior
            again = [nw.col(score) + nw.col(share) * nw.col(name)
                     for score, share, name in zip(scores, shares, less, strict=True)]  # fmt: skip
            sums = sums.with_columns(*(value.alias(score) for value, score in zip(again, scores, strict=True)))
            sums = self._exponentiated(sums.drop("log_"), scores, shares)
        return sums.drop(*scores, *less)

    def _exponentiated(self, sums: Frame, scores: Sequence[str], shares: Sequence[str]) -> Frame:
        """Log weights to shares, beside the log of what they were divided by."""
        sums = sums.with_columns(nw.max_horizontal(*scores).alias("top_"))
        sums = sums.with_columns(
            *((nw.col(score) - nw.col("top_")).exp().alias(share) for score, share in zip(scores, shares, strict=True))
        )
        sums = sums.with_columns(nw.sum_horizontal(*shares).alias("weight_"))
        sums = sums.with_columns(
            *((nw.col(share) / nw.col("weight_")).alias(share) for share in shares),
            (nw.col("weight_").log() + nw.col("top_")).alias("log_"),
        )
        return sums.drop("top_", "weight_")

    def _pinned(self, value: nw.Expr, place: int, other: float, same: float | None) -> nw.Expr:
        """Only the known label of an item stays possible."""
        if self._known is None:
            return value
        known = nw.col("known_")
        kept = value if same is None else nw.lit(same)
        return nw.when(known.is_null()).then(value).otherwise(
            nw.when(known == place).then(kept).otherwise(nw.lit(other))
        )  # fmt: skip

    # -- sums ---------------------------------------------------------------------------------------------------------

    def mass(self, log_likelihoods: LogLikelihoods) -> tuple[FloatArray, FloatArray, float]:
        """Expected answers (annotators, K, C), expected items (C,) and the log-likelihood, in one query.

        Sums over items are taken over answers, each of which carries its part of its item.
        """
        shares, parts = _names("share", self.number), _names("part", self.number)
        soft = self.soft(log_likelihoods).with_columns(
            *((nw.col(share) / nw.col("answers_")).alias(part) for share, part in zip(shares, parts, strict=True)),
            (nw.col("log_") / nw.col("answers_")).alias("log_"),
        )
        found = self._by_cell(self.rows.join(soft, on=self.item, how="inner"), [*shares, *parts, "log_"])
        table = np.stack([found[name] for name in shares], axis=-1)
        labels = np.array([found[name].sum() for name in parts])
        return table, labels, float(found["log_"].sum())

    def judged(self, log_likelihoods: LogLikelihoods, confusion: FloatArray) -> FloatArray:
        """(annotators, K, C): expected answers by label, given what the others say and these confusion tables."""
        others, chances = _names("other", self.number), _names("chance", self.number)
        rows = self._without_own(log_likelihoods)
        tables = {name: confusion[:, place, :] for place, name in enumerate(chances)}
        rows = rows.join(self._cells(tables), on=[self.annotator, self.label], how="inner")
        rows = rows.with_columns(
            *((nw.col(other) * nw.col(chance)).alias(other) for other, chance in zip(others, chances, strict=True))
        ).with_columns(nw.sum_horizontal(*others).alias("weight_"))
        rows = rows.filter(nw.col("weight_") > 0)
        rows = rows.with_columns(*((nw.col(other) / nw.col("weight_")).alias(other) for other in others))
        found = self._by_cell(rows, others)
        return np.stack([found[name] for name in others], axis=-1)

    def _without_own(self, log_likelihoods: LogLikelihoods) -> Frame:
        """The answers to items that others answered, each with the item's soft labels `other0_` … without its own."""
        others, totals = (_names(word, self.number) for word in ("other", "total"))
        assert log_likelihoods.table is not None
        assert log_likelihoods.offset is not None
        bounded = LogLikelihoods(
            np.maximum(log_likelihoods.table, LOG_ZERO), np.maximum(log_likelihoods.offset, LOG_ZERO)
        )
        rows = self._with_totals(bounded).with_columns(nw.max_horizontal(*totals).alias("top_"))
        rows = rows.with_columns(
            *((nw.col(total) - nw.col("top_")).exp().alias(other) for total, other in zip(totals, others, strict=True))
        ).with_columns(nw.sum_horizontal(*others).alias("weight_"))
        rows = rows.with_columns(
            *(self._pinned(nw.col(other) / nw.col("weight_"), place, 0.0, 1.0).alias(other)
              for place, other in enumerate(others))
        )  # fmt: skip
        return rows.select(self.item, self.annotator, self.label, *others)

    def _with_totals(self, log_likelihoods: LogLikelihoods) -> Frame:
        """The answers to items that others answered (or that are known), beside what is said of the item without them:
        `total0_` …
        """
        scores, totals = _names("score", self.number), _names("total", self.number)
        rows = scored = self._scored(log_likelihoods)
        sums = self._summed(scored, log_likelihoods.offset).rename(dict(zip(scores, totals, strict=True)))
        if self.repeats:  # all that somebody said of an item is their own
            own = scored.group_by(self.item, self.annotator).agg(*(nw.col(score).sum() for score in scores))
            rows = self.rows.join(own, on=[self.item, self.annotator], how="inner")
        rows = rows.join(sums, on=self.item, how="inner").join(self._ends, on=self.item, how="inner")
        rows = rows.filter(COMPANY if self._known is None else COMPANY | ~nw.col("known_").is_null())
        return rows.with_columns(
            *((nw.col(total) - nw.col(score)).alias(total) for total, score in zip(totals, scores, strict=True))
        )

    def _by_cell(self, rows: Frame, names: Sequence[str]) -> dict[str, FloatArray]:
        """(annotators, K) for each column: its sum over the rows of an annotator and an answer."""
        sums = rows.group_by(self.annotator, self.label).agg(*(nw.col(name).sum() for name in names))
        found = self.scan.of_frame(sums).arrive(self.annotator, self.label, *names)
        who = {name: place for place, name in enumerate(self.people)}
        person = np.array([who[name] for name in found[self.annotator]], dtype=np.int64)
        answer = np.array([self.codes[raw] for raw in found[self.label]], dtype=np.int64)
        tables = {name: np.zeros((len(self.people), self.number)) for name in names}
        for name, table in tables.items():
            np.add.at(table, (person, answer), np.array(found[name], dtype=np.float64))
        return tables

    @cached_property
    def overlapping(self) -> bool:
        """Does any item have answers from two annotators?"""
        overlapping_items = self._ends.filter(COMPANY).select(self.item).head(1)
        return bool(self.scan.of_frame(overlapping_items).arrive(self.item)[self.item])

    # -- labels -----------------------------------------------------------------------------------------------------

    def decided(self, log_likelihoods: LogLikelihoods, method: str, *, first: bool = False) -> Frame:
        """One row per item: item, label (null where tied), confidence, votes, answers, source, reason.

        `first`: of tied labels the first one of the scale.
        """
        by_votes = log_likelihoods.table is None
        if by_votes and self.number > MOST_LABELS:
            return self._decided_by_counts(method, first=first)
        shares = _names("share", self.number)
        soft = self.soft(log_likelihoods).with_columns(nw.max_horizontal(*shares).alias("sure_"))
        tied = [leads(nw.col(share), nw.col("sure_")) for share in shares]
        counted: Any = nw.lit(0, dtype=nw.Int64)
        for is_tied in tied:
            counted = counted + nw.when(is_tied).then(nw.lit(1, dtype=nw.Int64)).otherwise(nw.lit(0, dtype=nw.Int64))
        chosen: Any = nw.lit(self.labels[-1])
        code: Any = nw.lit(self.number - 1, dtype=nw.Int64)
        for place in range(self.number - 2, -1, -1):
            chosen = nw.when(tied[place]).then(nw.lit(self.labels[place])).otherwise(chosen)
            code = nw.when(tied[place]).then(nw.lit(place, dtype=nw.Int64)).otherwise(code)
        tied_names = [
            nw.when(is_tied).then(nw.lit(repr(label))) for is_tied, label in zip(tied, self.labels, strict=True)
        ]
        names = nw.concat_str(*tied_names, separator=", ", ignore_nulls=True)
        soft = soft.with_columns(counted.alias("tied_"), chosen.alias("chosen_"), code.alias("code_"))
        soft = self._with_votes(soft, by_votes=by_votes)
        return self._for_readers(soft, method, nw.concat_str(names, nw.lit(" are tied")), first=first)

    def _decided_by_counts(self, method: str, *, first: bool) -> Frame:
        """Votes on more labels than there may be columns: counted by item and label, the most frequent kept."""
        code = Lookup(self.label, self.raw_codes).expression().alias("code_")
        counted = self.rows.with_columns(code).group_by(self.item, "code_").agg(nw.len().alias("n_"))
        counted = counted.with_columns(nw.col("n_").cast(nw.Float64))
        tops = counted.group_by(self.item).agg(nw.col("n_").max().alias("top_"), nw.col("n_").sum().alias("answers_"))
        best = counted.join(tops, on=self.item, how="inner").filter(leads(nw.col("n_"), nw.col("top_")))
        best = best.with_columns((nw.col("top_") / nw.col("answers_")).alias("sure_"))
        each = best.group_by(self.item).agg(
            nw.len().alias("tied_"), nw.col("code_").min(), nw.col("sure_").max(), nw.col("answers_").max()
        )
        each = each.with_columns(nw.col("tied_").cast(nw.Int64))
        if self._known is not None:
            known = ~nw.col("known_").is_null()
            each = each.join(self._known, on=self.item, how="left").with_columns(
                nw.when(known).then(nw.col("known_")).otherwise(nw.col("code_")).alias("code_"),
                nw.when(known).then(nw.lit(1, dtype=nw.Int64)).otherwise(nw.col("tied_")).alias("tied_"),
                nw.when(known).then(nw.lit(1.0)).otherwise(nw.col("sure_")).alias("sure_"),
            )
        names = self.small_table({"code_": list(range(self.number)), "chosen_": list(self.labels)})
        each = self._with_votes(each.join(names, on="code_", how="inner"), by_votes=True)
        reason = nw.concat_str(nw.col("tied_").cast(nw.String), nw.lit(" labels are tied"))
        return self._for_readers(each, method, reason, first=first)

    def _with_votes(self, frame: Frame, *, by_votes: bool) -> Frame:
        """Beside each item's chosen label `code_` the share of its answers that give it: `votes_`."""
        if by_votes and self._known is None:  # as sure as it has votes
            return frame.with_columns(nw.col("sure_").alias("votes_"))
        code = Lookup(self.label, self.raw_codes).expression().cast(nw.Int64).alias("code_")
        given = self.rows.with_columns(code).group_by(self.item, "code_").agg(nw.len().alias("for_"))
        frame = frame.with_columns(nw.col("code_").cast(nw.Int64))
        frame = frame.join(given, on=[self.item, "code_"], how="left")
        votes = nw.when(nw.col("for_").is_null()).then(nw.lit(0.0)).otherwise(nw.col("for_").cast(nw.Float64))
        return frame.with_columns((votes / nw.col("answers_")).alias("votes_"))

    def _for_readers(self, frame: Frame, method: str, reason: nw.Expr, *, first: bool) -> Frame:
        """The columns that a person reads."""
        undecided = (nw.col("tied_") < 1) if first else (nw.col("tied_") != 1)
        source: Any = nw.lit(method)
        if self._known is not None:
            source = nw.when(nw.col("known_").is_null()).then(nw.lit(method)).otherwise(nw.lit("known"))
        return frame.select(
            nw.col(self.item).alias("item"),
            nw.when(~undecided).then(nw.col("chosen_")).alias("label"),
            nw.col("sure_").alias("confidence"),
            nw.when(~undecided).then(nw.col("votes_")).alias("votes"),
            nw.col("answers_").cast(nw.Int64).alias("answers"),
            nw.when(undecided).then(nw.lit("undecided")).otherwise(source).alias("source"),
            nw.when(undecided).then(reason).otherwise(nw.lit("")).alias("reason"),
        )

    def least_sure(self, decided: Frame, number: int, *, votes: bool) -> list[Any]:
        """The items whose label is most likely wrong, first the worst; of few votes a share is worth less."""
        column = nw.col("confidence")
        if votes:
            column = (column * nw.col("answers") + 1) / (nw.col("answers") + float(max(self.number, 2)))
        column = column.round(EQUAL_DIGITS)  # sums in another order differ in the last digits
        open_ = decided.filter(nw.col("source") != "known").with_columns(column.alias("sure_"))
        return list(self.scan.of_frame(open_.sort("sure_", "item").head(number)).arrive("item")["item"])

    def annotations_of(self, items: Sequence[Any]) -> Any:
        """The answers to some items, here, as a table in memory."""
        wanted = self.small_table({self.item: list(items)})
        rows = self.rows.join(wanted, on=self.item, how="inner")
        return self.scan.of_frame(rows).collected([self.item, self.annotator, self.label])


@dataclass(frozen=True)
class LabelCounts:
    """How many items got each label, and how sure that is on average."""

    items: IntArray  # (C,)
    undecided: int
    mean_confidence: float
    doubtful: int  # items whose label is more likely wrong than right


def counted(scan: Scan, decided: Frame, labels: Sequence[Label]) -> LabelCounts:
    """Of a table with a row per item, in the engine of a scan."""
    wrong = nw.when(nw.col("confidence") < MORE_LIKELY_WRONG).then(nw.lit(1)).otherwise(nw.lit(0))
    sums = (
        decided.with_columns(wrong.alias("wrong_"))
        .group_by("label")
        .agg(
            nw.len().alias("items_"),
            nw.col("confidence").sum().alias("trust_"),
            nw.col("wrong_").sum().alias("doubtful_"),
        )
    )
    found = scan.of_frame(sums).arrive("label", "items_", "trust_", "doubtful_")
    place = {label: at for at, label in enumerate(labels)}
    items = np.zeros(len(labels), dtype=np.int64)
    undecided = 0
    for label, number in zip(found["label"], found["items_"], strict=True):
        if label is None:
            undecided += int(number)
        else:
            items[place[label]] += int(number)
    total = int(items.sum()) + undecided
    doubtful = sum(
        int(number or 0) for label, number in zip(found["label"], found["doubtful_"], strict=True) if label is not None
    )
    return LabelCounts(items, undecided, float(sum(found["trust_"])) / total if total else float("nan"), doubtful)


def without_values(frame: Frame, name: str) -> Frame:
    """With nothing in a column of numbers."""
    return frame.with_columns(nw.lit(None, dtype=nw.Float64).alias(name))


def _names(word: str, number: int) -> list[str]:
    return [f"{word}{place}_" for place in range(number)]
