"""One short file for each named coefficient: mostly docstring, the body a row of the table."""
