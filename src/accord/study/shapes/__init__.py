"""The shapes in which annotations come: long and wide tables, pairs, counts, yes/no columns. One file a shape."""
