"""A gold in the form that annotation tools import: one module a tool, each with `contents(sheet)`."""
