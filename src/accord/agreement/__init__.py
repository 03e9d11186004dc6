"""The result and everything it can be asked: breakdowns, groups, comparison, words, charts, inference; may import
`coefficients`, the rooms of the other families and what lies below them.
"""
