"""Wikipedia's worked examples, which most readers meet first: fourteen annotators for Fleiss, two for Cohen.

The second and third of Cohen's tables agree on sixty items in a hundred; their kappas are .13 and .26,
because the margins differ.
"""

from __future__ import annotations

from tests.tables import Figure, printed_in


@printed_in("wikipedia")
def test_accord_computes_what_wikipedia_shows(figure: Figure) -> None:
    assert figure.computed() == figure.printed()
