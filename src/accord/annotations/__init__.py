"""Who gave which answer to which item, as integers, and its tally; may import `errors` alone, and of
other packages NumPy and SciPy alone.
"""
