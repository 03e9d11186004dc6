"""Systems and models against people; may import `suggestions` and what lies below it."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from accord.judge.alt_test_result import AltTest, AltTests
    from accord.judge.alternative_test import alt_test, alt_tests
    from accord.judge.anchoring import Anchoring, anchoring_effect
    from accord.judge.calibration import Calibration, calibrate
    from accord.judge.correct_by_sample import Shares, corrected_agreement, corrected_shares
    from accord.judge.corrected_result import Corrected
    from accord.judge.costs import Allocation, allocate, cheapest_labels
    from accord.judge.evaluate_systems import evaluate
    from accord.judge.evaluation_result import Evaluation, Judged
    from accord.judge.judge_biases import LabelBias, PositionBias, label_bias, position_bias
    from accord.judge.likeness_to_people import Likeness, human_likeness
    from accord.judge.panels import Panel, panel
    from accord.judge.prediction_powered import Powered, prediction_powered_mean, rogan_gladen
    from accord.judge.preference_biases import SelfPreference, VerbosityBias, self_preference, verbosity_bias
    from accord.judge.repeated_runs import self_consistency
    from accord.judge.self_consistency_result import SelfConsistency
    from accord.judge.suggesters_side_by_side import side_by_side
    from accord.judge.verdicts import Verdict, verdict

__all__ = [
    "Allocation",
    "AltTest",
    "AltTests",
    "Anchoring",
    "Calibration",
    "Corrected",
    "Evaluation",
    "Judged",
    "LabelBias",
    "Likeness",
    "Panel",
    "PositionBias",
    "Powered",
    "SelfConsistency",
    "SelfPreference",
    "Shares",
    "VerbosityBias",
    "Verdict",
    "allocate",
    "alt_test",
    "alt_tests",
    "anchoring_effect",
    "calibrate",
    "cheapest_labels",
    "corrected_agreement",
    "corrected_shares",
    "evaluate",
    "human_likeness",
    "label_bias",
    "panel",
    "position_bias",
    "prediction_powered_mean",
    "rogan_gladen",
    "self_consistency",
    "self_preference",
    "side_by_side",
    "verbosity_bias",
    "verdict",
]

_HOMES = {
    "Allocation": "costs",
    "AltTest": "alt_test_result",
    "AltTests": "alt_test_result",
    "Anchoring": "anchoring",
    "Calibration": "calibration",
    "Corrected": "corrected_result",
    "Evaluation": "evaluation_result",
    "Judged": "evaluation_result",
    "LabelBias": "judge_biases",
    "Likeness": "likeness_to_people",
    "Panel": "panels",
    "PositionBias": "judge_biases",
    "Powered": "prediction_powered",
    "SelfConsistency": "self_consistency_result",
    "SelfPreference": "preference_biases",
    "Shares": "correct_by_sample",
    "VerbosityBias": "preference_biases",
    "Verdict": "verdicts",
    "allocate": "costs",
    "alt_test": "alternative_test",
    "alt_tests": "alternative_test",
    "anchoring_effect": "anchoring",
    "calibrate": "calibration",
    "cheapest_labels": "costs",
    "corrected_agreement": "correct_by_sample",
    "corrected_shares": "correct_by_sample",
    "evaluate": "evaluate_systems",
    "human_likeness": "likeness_to_people",
    "label_bias": "judge_biases",
    "panel": "panels",
    "position_bias": "judge_biases",
    "prediction_powered_mean": "prediction_powered",
    "rogan_gladen": "prediction_powered",
    "self_consistency": "repeated_runs",
    "self_preference": "preference_biases",
    "side_by_side": "suggesters_side_by_side",
    "verbosity_bias": "preference_biases",
    "verdict": "verdicts",
}

if not TYPE_CHECKING:  # a name is loaded from its module when it is first used, as in `accord` itself

    def __getattr__(name: str) -> object:
        from importlib import import_module

        if name not in _HOMES:
            raise AttributeError(f"module 'accord.judge' has no attribute {name!r}")
        found = getattr(import_module(f"accord.judge.{_HOMES[name]}"), name)
        globals()[name] = found
        return found

    def __dir__() -> list[str]:
        return sorted(__all__)
