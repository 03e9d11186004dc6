"""Preferences between two options: the reduced form, the strengths behind them, and whether they go in circles; may
import `study` and what lies below it.
"""
