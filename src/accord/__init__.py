"""accord: agreement between annotators, with the right coefficient and its uncertainty."""

from accord.comparing import compare
from accord.errors import AccordError
from accord.measures.bhowmick import bhowmick_am
from accord.measures.brennan_prediger import brennan_prediger_kappa
from accord.measures.cohen import cohen_kappa
from accord.measures.conger import conger_kappa
from accord.measures.dipietro_hazari import dipietro_hazari_kappa
from accord.measures.fleiss import fleiss_kappa
from accord.measures.gwet import gwet_ac
from accord.measures.krippendorff import krippendorff_alpha
from accord.measures.light import light_kappa
from accord.measures.percent import percent_agreement
from accord.measures.rosenberg_binkowski import rosenberg_binkowski_kappa
from accord.measures.scott import scott_pi
from accord.measuring import measure, pairwise
from accord.reading import read
from accord.result import Agreement, Comparison, Interval, Measurements, Test
from accord.study import Study
from accord.table import Table

__version__ = "0.1.0"

__all__ = [
    "AccordError",
    "Agreement",
    "Comparison",
    "Interval",
    "Measurements",
    "Study",
    "Table",
    "Test",
    "bhowmick_am",
    "brennan_prediger_kappa",
    "cohen_kappa",
    "compare",
    "conger_kappa",
    "dipietro_hazari_kappa",
    "fleiss_kappa",
    "gwet_ac",
    "krippendorff_alpha",
    "light_kappa",
    "measure",
    "pairwise",
    "percent_agreement",
    "read",
    "rosenberg_binkowski_kappa",
    "scott_pi",
]
