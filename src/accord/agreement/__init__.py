"""The result and everything it can be asked: breakdowns, groups, comparison, words, charts, inference; may import
`scores` and what lies below it.
"""
