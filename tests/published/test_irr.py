"""R's irr (Gamer and others) ships two data sets whose figures many packages test against.

`diagnoses` deals Fleiss's patients out to six named annotators, so that Fleiss, Conger and Light all apply.
`anxiety` has a label between others that two of its annotators never chose. irr drops it before it spaces the
weights (.1459); on the declared scale it keeps its place (.1262). Weights need a declared scale: both are
here by name.
"""

from __future__ import annotations

from tests.tables import Figure, printed_in


@printed_in("irr")
def test_accord_computes_what_irr_prints(figure: Figure) -> None:
    assert figure.computed() == figure.printed()
