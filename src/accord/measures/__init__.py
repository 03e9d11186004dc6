"""One short file per named measure, and `measure`, which picks among them; may import `agreement` and those
below it.
"""
