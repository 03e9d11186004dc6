"""What a paper prints of a study: the table, the methods paragraph, the sources, the figure; may import what
`reporting` may.
"""
