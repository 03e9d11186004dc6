"""Many preferences to one order: strengths of options, and tiers of those that cannot be told apart; may import
what `consensus` may.
"""
