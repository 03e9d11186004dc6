"""Labels suggested beforehand: which suggester is best, and which items to annotate to find out; may import
`agreement` and what lies below it.
"""

from accord.suggestions.draw_sample import sample_for_annotation
from accord.suggestions.sample import Sample
from accord.suggestions.suggesters import Suggesters, compare_suggesters

__all__ = ["Sample", "Suggesters", "compare_suggesters", "sample_for_annotation"]


def __dir__() -> list[str]:
    return sorted(__all__)
