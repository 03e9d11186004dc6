"""Where the answers are preferences: the order of the options, which is what preferences are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord.errors import MeasureError

if TYPE_CHECKING:
    from accord.consensus.preferences.strengths import BradleyTerry
    from accord.study.study import Study


def order_of(study: Study) -> BradleyTerry | None:
    """Strengths and tiers of the options; None where the answers are no preferences, or of as many options as texts."""
    if not study.compares:
        return None
    from accord.consensus.preferences.bradley_terry import bradley_terry

    try:
        return bradley_terry(study)
    except MeasureError:  # which `accord explain` tells
        return None
