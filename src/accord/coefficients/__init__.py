"""The one formula: weights, chance models, levels of measurement, sums over units; may import `study` and what lies
below it.
"""
