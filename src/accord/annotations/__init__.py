"""Who gave which answer to which item, as integers, and its tally; may import `errors` and NumPy only."""
