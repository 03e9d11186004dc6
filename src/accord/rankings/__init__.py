"""Options in order: lists of ranks by query and annotator, and what compares them; may import
coefficients and what lies before it."""
