"""How sure a value is: intervals, tests, comparisons; may import what `agreement` may."""
