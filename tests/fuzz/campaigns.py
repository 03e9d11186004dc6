"""Every campaign by its name."""

from __future__ import annotations

from tests.fuzz import (
    calls,
    commands,
    damage,
    decisions,
    faults,
    forms,
    frames,
    hidden_names,
    limits,
    names_in_sql,
    odd_options,
    questions,
    structure,
    sums,
)
from tests.fuzz.campaign import Campaign

CAMPAIGNS: dict[str, Campaign] = {
    module.CAMPAIGN.name: module.CAMPAIGN
    for module in (
        damage,
        structure,
        forms,
        frames,
        limits,
        sums,
        names_in_sql,
        calls,
        questions,
        odd_options,
        commands,
        hidden_names,
        decisions,
        faults,
    )
}
