"""Gold of spans: which units a document holds, from what several people marked in it; may import what
`consensus` may.
"""
