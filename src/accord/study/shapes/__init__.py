"""The shapes in which annotations come, one file each: long and wide tables, pairs, counts, yes/no columns; may import
what `study` may.
"""
