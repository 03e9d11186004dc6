"""A hash of the annotations, so that a reader can tell whether two reports are about the same data."""

from __future__ import annotations

import hashlib

import numpy as np

from accord.study.study import Study

LETTERS = 16


def fingerprint(study: Study) -> str:
    """Who said what of which item, as a short hash; the order of the rows does not matter.

    >>> one, other = Study.from_pairs(list("aab"), list("abb")), Study.from_pairs(list("aab"), list("aab"))
    >>> len(fingerprint(one)), fingerprint(one) == fingerprint(other)
    (16, False)
    """
    digest = hashlib.sha256()
    for name, part in (study.tasks or {"": study}).items():
        item, annotator, answer, count = part._annotations.rows
        order = np.lexsort((answer, annotator, item))
        digest.update(
            repr((name, part.labels, part.annotators, part.kind, part.answers.members)).encode("utf-8", "replace")
        )
        digest.update("\n".join(map(repr, part.items)).encode("utf-8", "replace"))
        for column in (item, annotator, answer, count):
            digest.update(np.ascontiguousarray(column[order], dtype=np.int64).tobytes())
    return digest.hexdigest()[:LETTERS]
