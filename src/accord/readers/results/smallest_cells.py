"""What stays in a database that lets out no small cell, and what that may do to a value."""

from __future__ import annotations

from collections.abc import Iterator

from accord.annotations.kinds_of_items import TalliedAnnotations
from accord.coefficients.chance import NoChance
from accord.coefficients.coefficient import Tabular
from accord.coefficients.weights import Identity
from accord.errors import counted
from accord.readers.results.sums import Results


def hidden_notes(results: Results, annotations: TalliedAnnotations) -> Iterator[str]:
    """How many items lie in cells that were not let out, and between which limits agreement on all items lies."""
    smallest, total = results.manifest.smallest_cell, results.totals["n_items"]
    if smallest is None:
        return
    hidden = total - annotations.n_items
    if not hidden:
        yield f"no item lies in a cell of fewer than {smallest}, so nothing stays in the database"
        return
    yield (
        f"{hidden:,} of {counted(total, 'items')} ({hidden / total:.1%}) lie in cells of fewer than {smallest} and "
        f"stay in the database: values are of the other {annotations.n_items:,}. Rare patterns are mostly those of "
        f"disagreement, so that values tend to be too high{_limits(annotations, hidden)}"
    )


def _limits(annotations: TalliedAnnotations, hidden: int) -> str:
    """Observed agreement if the hidden items all disagreed, and if they all agreed."""
    tally = annotations.tally()
    known = tally.n_compared
    if not known:
        return ""
    agreed = float(Tabular(tally, Identity(len(tally.answers)), NoChance()).parts.observed) * known
    low, high = agreed / (known + hidden), (agreed + hidden) / (known + hidden)
    return f"; observed agreement on all items lies between {low:.3f} and {high:.3f}"
