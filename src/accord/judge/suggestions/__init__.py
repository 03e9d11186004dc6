"""Labels suggested beforehand: which suggester is best, and which items to annotate to find out; may import what
`judge` may.
"""

from accord.judge.suggestions.draw_sample import sample_for_annotation
from accord.judge.suggestions.sample import Sample
from accord.judge.suggestions.suggesters import Suggesters, compare_suggesters

__all__ = ["Sample", "Suggesters", "compare_suggesters", "sample_for_annotation"]
