"""Several labels at once: how secondary labels are used, where sets differ, and which measure says what; may import
`measures` and what lies below it.
"""

from accord.multilabel.agreement_classes import ItemClasses, item_classes
from accord.multilabel.best_annotators_and_items import annotators_ranked, items_ranked
from accord.multilabel.combined_labels import CombinedLabels, combine_labels
from accord.multilabel.kappa_over_p import PCurve, p_curve
from accord.multilabel.label_mass import (
    AgreementMatrix,
    agreement_matrix,
    annotation_matrix,
    label_frequencies,
)
from accord.multilabel.secondary_labels import SecondaryUse, secondary_use
from accord.multilabel.set_differences import (
    disagreement_by_label,
    label_confusion,
    label_distribution,
    observed_distribution,
)
from accord.multilabel.side_by_side import set_measures

__all__ = [
    "AgreementMatrix",
    "CombinedLabels",
    "ItemClasses",
    "PCurve",
    "SecondaryUse",
    "agreement_matrix",
    "annotation_matrix",
    "annotators_ranked",
    "combine_labels",
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


def __dir__() -> list[str]:
    return sorted(__all__)
