"""How sure a value is: intervals, tests, comparisons."""
