"""Tables whose columns are recognised: their shape, the role of each column, and the study that they make; may import
what `study` may.
"""
