"""What things are called in other packages and in papers: whoever asks accord for such a name is told accord's."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

PAIR = "It takes two sequences of labels, or a study."
TABLE = "It takes items × annotators, a long table or a study."
LEVEL = "It takes items × annotators, a long table or a study, and level='ordinal' for scales."
READ = "It takes a path."
COUNTS = "It takes a study of spans, and reference= for the annotator who is right."
SPANS = "It takes a study of spans, and match='exact', 'boundary', 'overlap', 'iou' or 'soft'."

# name elsewhere: (what to call, what that takes)
ELSEWHERE: dict[str, tuple[str, str]] = {
    # scikit-learn, statsmodels, nltk, krippendorff, pingouin, irr, irrCAC
    "cohen_kappa_score": ("cohen_kappa", PAIR),
    "cohens_kappa": ("cohen_kappa", PAIR),
    "kappa": ("cohen_kappa", f"{PAIR} For more annotators: accord.fleiss_kappa."),
    "kappa2": ("cohen_kappa", PAIR),
    "weighted_kappa": ("cohen_kappa", f"{PAIR} Say weights='linear' or 'quadratic'."),
    "quadratic_weighted_kappa": ("cohen_kappa", f"{PAIR} Say weights='quadratic'."),
    "multi_kappa": ("conger_kappa", TABLE),
    "fleiss": ("fleiss_kappa", TABLE),
    "fleiss_kappa_score": ("fleiss_kappa", TABLE),
    "kappam_fleiss": ("fleiss_kappa", TABLE),
    "randolph_kappa": ("brennan_prediger_kappa", TABLE),
    "randolphs_kappa": ("brennan_prediger_kappa", TABLE),
    "bennett_s": ("brennan_prediger_kappa", TABLE),
    "bennett": ("brennan_prediger_kappa", TABLE),
    "bp_coeff": ("brennan_prediger_kappa", TABLE),
    "scott": ("scott_pi", PAIR),
    "scotts_pi": ("scott_pi", PAIR),
    "pi": ("scott_pi", f"{PAIR} For more annotators: accord.fleiss_kappa."),
    "multi_pi": ("fleiss_kappa", TABLE),
    "siegel_castellan": ("fleiss_kappa", TABLE),
    "light": ("light_kappa", TABLE),
    "conger": ("conger_kappa", TABLE),
    "gwet": ("gwet_ac", TABLE),
    "ac1": ("gwet_ac", TABLE),
    "ac2": ("gwet_ac", f"{TABLE} Say weights='quadratic' for AC2."),
    "gwet_ac1": ("gwet_ac", TABLE),
    "gwet_ac2": ("gwet_ac", f"{TABLE} Say weights='quadratic' for AC2."),
    "gwets_ac1": ("gwet_ac", TABLE),
    "alpha": ("krippendorff_alpha", LEVEL),
    "krippendorff": ("krippendorff_alpha", LEVEL),
    "kripp_alpha": ("krippendorff_alpha", LEVEL),
    "krippendorffs_alpha": ("krippendorff_alpha", LEVEL),
    "ordinal_alpha": ("krippendorff_alpha", LEVEL),
    "masi_distance": ("krippendorff_alpha", "It takes a study of sets, and weights='masi'."),
    "jaccard_distance": ("krippendorff_alpha", "It takes a study of sets, and weights='jaccard'."),
    "binary_distance": ("krippendorff_alpha", LEVEL),
    "interval_distance": ("krippendorff_alpha", "It takes items × annotators or a study, and level='interval'."),
    "agree": ("percent_agreement", TABLE),
    "accuracy_score": ("percent_agreement", PAIR),
    "observed_agreement": ("percent_agreement", TABLE),
    "raw_agreement": ("percent_agreement", TABLE),
    "avg_Ao": ("percent_agreement", TABLE),
    "AnnotationTask": (
        "Study",
        "It takes a table with the columns annotator, item and label; nltk's triples name them.",
    ),
    "CodingAnnotationStudy": ("Study", "It takes a table with the columns item, annotator and label."),
    "aggregate_raters": ("Study.from_wide", "It takes items × annotators; counts need not be made."),
    "CAC": ("measure", "It takes items × annotators, a long table or a study, and gives every coefficient that fits."),
    "IAA": ("measure", TABLE),
    "iaa": ("measure", TABLE),
    "agreement_score": ("measure", TABLE),
    "irr": ("measure", TABLE),
    "summary": ("measure", TABLE),
    "analyze": ("explain", "It takes a study and says where disagreement comes from."),
    "analyse": ("explain", "It takes a study and says where disagreement comes from."),
    "confusion_matrix": ("findings.confusion", "It takes a study."),
    # seqeval, nervaluate, bratiaa, bratutils
    "f1": ("span_f1", SPANS),
    "f1_score": ("span_f1", SPANS),
    "f1_agreement": ("span_f1", SPANS),
    "iaa_f1": ("span_f1", SPANS),
    "entity_f1": ("span_f1", SPANS),
    "classification_report": (
        "span_counts",
        COUNTS,
    ),
    "Evaluator": ("span_counts", COUNTS),
    "span_diff": ("span_differences", "It takes a study of spans."),
    # pingouin, psych, gtheory
    **dict.fromkeys(
        ("intraclass_corr", "intraclass_correlation", "ICC"),
        ("icc", "It takes a study of scores, and form='A,1', 'C,1', 'A,k' … or Shrout and Fleiss' names."),
    ),
    **dict.fromkeys(
        ("gstudy", "GStudy", "g_study", "variance_component", "vca"),
        (
            "variance_components",
            "It takes a study of scores; planning.decision_study says how many annotators are needed.",
        ),
    ),
    # aggregation
    "majority_vote": ("gold", "It takes a study, and method='majority'."),
    "MajorityVote": ("gold", "It takes a study, and method='majority'."),
    "DawidSkene": ("gold", "It takes a study, and method='dawid-skene'."),
    "dawid_skene": ("gold", "It takes a study, and method='dawid-skene'."),
    "MACE": ("gold", "It takes a study, and method='mace'."),
    "adjudicate": ("gold", "It takes a study."),
    "aggregate": ("gold", "It takes a study."),
    # judges, planning, files
    "alt_test": ("judge.alt_test", "It takes a study and model=, the annotator to be tested."),
    "evaluate": ("judge.evaluate", "It takes a system and a study."),
    "power": ("plan", "It takes a pilot study, or margins and a value, and width= or above=."),
    "sample_size": ("plan", "It takes a pilot study, or margins and a value, and width= or above=."),
    "read_csv": ("read", READ),
    "read_excel": ("read", READ),
    "read_json": ("read", READ),
    "read_parquet": ("read", READ),
    "load": ("read", READ),
    "open": ("read", READ),
    "from_csv": ("read", READ),
    "DataFrame": ("Study", "It takes any dataframe."),
}
# Asked for often, and not there: what to take instead.
NUMBERS = "for numbers there is accord.krippendorff_alpha(study, level='interval')."
NOT_HERE: dict[str, str] = {
    **dict.fromkeys(
        ("pearsonr", "spearmanr", "kendalltau", "kendall_w", "cronbach_alpha"),
        f"Correlations are not among them; {NUMBERS}",
    ),
}


def hint(name: str, public: Iterable[str]) -> str:
    """What somebody who asks for a name may have meant; nothing where that cannot be guessed.

    >>> hint("cohen_kappa_score", [])
    'Did you mean accord.cohen_kappa? It takes two sequences of labels, or a study.'
    >>> hint("fleis_kappa", ["fleiss_kappa", "gold"]), hint("zebra", ["gold"])
    ('Did you mean accord.fleiss_kappa?', '')
    """
    known = {other.lower(): other for other in [*ELSEWHERE, *NOT_HERE]}
    looked_up = name if name in ELSEWHERE or name in NOT_HERE else known.get(name.lower(), name)
    if looked_up in NOT_HERE:
        return NOT_HERE[looked_up]
    if looked_up in ELSEWHERE:
        call, takes = ELSEWHERE[looked_up]
        return f"Did you mean accord.{call}? {takes}"
    near = get_close_matches(name.lower(), list(public), 1, 0.7) or get_close_matches(name.lower(), known, 1, 0.85)
    if not near:
        return ""
    return f"Did you mean accord.{near[0]}?" if near[0] not in known else hint(known[near[0]], public)
