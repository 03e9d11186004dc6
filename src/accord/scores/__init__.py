"""Scores: numbers that annotators gave to items, their variance components and intraclass correlations.

May import the rooms below it: `coefficients`, `study`, `engine`, `options`, `annotations`, `errors`.
"""
