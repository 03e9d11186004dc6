"""Options in order: lists of ranks by query and annotator, and what compares them; imports coefficients and below."""
