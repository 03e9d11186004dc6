"""Options in order: who ranked which options of which query, and what compares the lists; may import `coefficients`
and what lies below it.
"""
