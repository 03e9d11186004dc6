"""The one formula: weights, chance models, levels of measurement, sums over units, and limits by standard errors; may
import `study` and what lies below it.
"""
