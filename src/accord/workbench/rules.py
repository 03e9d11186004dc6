"""Rules by which items are accepted without anybody looking: said in words, kept with every item, and taken back."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord.annotations.arrays import IntArray
from accord.consensus.gold import Gold
from accord.errors import OptionError, counted, percent
from accord.options import check_whole, is_number


@dataclass(frozen=True)
class Rule:
    """Accept the leading answer of items that have so many answers, of which such a share are alike."""

    answers: int = 3
    share: float = 1.0
    confidence: float = 0.0  # of the gold's label, where the method tells one

    def __post_init__(self) -> None:
        check_whole("answers", self.answers, 1)
        if not is_number(self.share) or not 0.5 < self.share <= 1:
            raise OptionError.must("share", "lie above 0.5, up to 1 for unanimous answers", self.share)
        if not is_number(self.confidence) or not 0 <= self.confidence <= 1:
            raise OptionError.must("confidence", "lie between 0 and 1", self.confidence)

    @property
    def words(self) -> str:
        """What the rule says.

        >>> Rule().words, Rule(4, 0.75, 0.9).words
        ('unanimous, 3 answers or more', '75% of the answers alike, 4 answers or more, confidence 90% or more')
        """
        alike = "unanimous" if self.share == 1 else f"{percent(self.share)} of the answers alike"
        sure = f", confidence {percent(self.confidence)} or more" if self.confidence else ""
        return f"{alike}, {counted(self.answers, 'answers')} or more{sure}"

    def leading(self, gold: Gold) -> IntArray:
        """(items,): the answer (its position) that the rule accepts, −1 where it accepts none."""
        tally = gold.study.tally()
        assert tally.locate is not None
        most = np.zeros(len(tally), dtype=np.int64)
        np.maximum.at(most, tally.pattern, tally.count.astype(np.int64))
        first = np.full(len(tally), -1, dtype=np.int64)
        top = tally.count == most[tally.pattern]
        first[tally.pattern[top]] = tally.answer[top]
        alike = most >= self.share * tally.answered - 1e-9
        fits = alike & (tally.answered >= self.answers)
        found = np.append(np.where(fits, first, -1), -1)[tally.locate()]
        if self.confidence:
            found = np.where(np.nan_to_num(gold.confidence) >= self.confidence, found, -1)
        return found
