"""Preferences between two options: the reduced form, the strengths behind them, and whether they go in circles; may
import `coefficients` and what lies below it.
"""
