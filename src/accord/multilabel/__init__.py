"""Several labels at once: how secondary labels are used, where sets differ, and which measure says what."""

from accord.multilabel.classes import ItemClasses, item_classes
from accord.multilabel.comparison import set_measures
from accord.multilabel.curve import PCurve, p_curve
from accord.multilabel.mass import annotation_matrix, label_frequencies
from accord.multilabel.ranking import annotators_ranked, items_ranked
from accord.multilabel.secondary import SecondaryUse, secondary_use
from accord.multilabel.sets import disagreement_by_label, label_confusion, label_distribution, observed_distribution

__all__ = [
    "ItemClasses",
    "PCurve",
    "SecondaryUse",
    "annotation_matrix",
    "annotators_ranked",
    "disagreement_by_label",
    "item_classes",
    "items_ranked",
    "label_confusion",
    "label_distribution",
    "label_frequencies",
    "observed_distribution",
    "p_curve",
    "secondary_use",
    "set_measures",
]
