"""One short file per named measure, and `measure`, which picks among them; may import `agreement` and what lies
below it.

An import here is all that makes a measure one: its file registers it, and it is then a public name, a row of every
table and a part of the report. They stand in the order in which tables show them.
"""

from accord.measures.percent import percent_agreement as percent_agreement  # isort: split

from accord.measures.cohen import cohen_kappa as cohen_kappa  # isort: split

from accord.measures.scott import scott_pi as scott_pi  # isort: split

from accord.measures.fleiss import fleiss_kappa as fleiss_kappa  # isort: split

from accord.measures.conger import conger_kappa as conger_kappa  # isort: split

from accord.measures.light import light_kappa as light_kappa  # isort: split

from accord.measures.brennan_prediger import brennan_prediger_kappa as brennan_prediger_kappa  # isort: split

from accord.measures.gwet import gwet_ac as gwet_ac  # isort: split

from accord.measures.krippendorff import krippendorff_alpha as krippendorff_alpha  # isort: split

from accord.measures.icc import icc as icc  # isort: split

from accord.measures.kendall import kendall_w as kendall_w  # isort: split

from accord.measures.ranking_correlations import ranking_tau_b as ranking_tau_b  # isort: split

from accord.measures.ranking_correlations import ranking_spearman as ranking_spearman  # isort: split

from accord.measures.rank_biased_overlap import rank_biased_overlap as rank_biased_overlap  # isort: split

from accord.measures.rosenberg_binkowski import rosenberg_binkowski_kappa as rosenberg_binkowski_kappa  # isort: split

from accord.measures.bhowmick import bhowmick_am as bhowmick_am  # isort: split

from accord.measures.dipietro_hazari import dipietro_hazari_kappa as dipietro_hazari_kappa  # isort: split

from accord.measures.lin import lin_concordance as lin_concordance  # isort: split

from accord.measures.mean_absolute_difference import mean_absolute_difference as mean_absolute_difference  # isort: split

from accord.measures.within_item_sd import within_item_sd as within_item_sd  # isort: split

from accord.measures.mean_pearson import mean_pearson as mean_pearson  # isort: split

from accord.measures.mean_spearman import mean_spearman as mean_spearman  # isort: split

from accord.measures.mean_kendall import mean_kendall as mean_kendall  # isort: split

from accord.measures.preference_agreement import preference_agreement as preference_agreement  # isort: split

from accord.measures.span_f1 import span_f1 as span_f1  # isort: split

from accord.measures.relation_f1 import relation_f1 as relation_f1  # isort: split

from accord.measures.unitizing import unitizing_alpha as unitizing_alpha  # isort: split

from accord.measures.unitizing_1995 import unitizing_alpha_1995 as unitizing_alpha_1995  # isort: split

from accord.measures.gamma import gamma as gamma  # isort: split

from accord.measures.gamma_cat import gamma_cat as gamma_cat  # isort: split

from accord.measures.gamma_cat import gamma_k as gamma_k
