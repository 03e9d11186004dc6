"""Scores: numbers that annotators gave to items, their variance components and intraclass correlations; may import
`coefficients` and what lies below it.
"""
