"""Which options were compared: which can be put on one scale, and which have won or lost everything.

Strengths exist where no set of options won (or lost) all it was compared in: where, along wins and ties, everyone can
be reached from everyone (Ford 1957; Zermelo 1929).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class ComparisonGraph:
    """Options as nodes, with an edge where one won over the other or tied, and what that allows."""

    group: IntArray  # (K,) options that were compared, directly or through others, are of one group
    main: BoolArray  # (K,) the largest set of options between which strengths exist
    above: BoolArray  # (K,) options with a win over those, directly or through others, and never one back
    below: BoolArray  # (K,) options that only lost to those, in the same sense

    @classmethod
    def of(cls, wins: FloatArray, ties: FloatArray) -> ComparisonGraph:
        """From (K, K) how often the row's option won over the column's, and how often the two tied."""
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import breadth_first_order, connected_components

        size = len(wins)
        beats = csr_array(((wins + ties) > 0).astype(np.int8))
        _, group = connected_components(beats, directed=True, connection="weak")
        _, component = connected_components(beats, directed=True, connection="strong")
        sizes = np.bincount(component)
        largest = component[np.argmax(sizes[component])]  # of equals that of the first option
        main = component == largest
        member = int(np.argmax(main))
        reached, reaching = np.zeros(size, dtype=np.bool_), np.zeros(size, dtype=np.bool_)
        reached[breadth_first_order(beats, member, return_predecessors=False)] = True
        reaching[breadth_first_order(csr_array(beats.T), member, return_predecessors=False)] = True
        return cls(group, main, reaching & ~main, reached & ~main)

    @property
    def connected(self) -> bool:
        """Were all options compared, directly or through others?"""
        return len(np.unique(self.group)) <= 1
