"""A gold in the form that annotation tools import, one module per tool, each with `contents(sheet)`; may import what
`workbench` may.
"""
