"""One module per format, each with `sniff` (is it this, and what was seen?) and `read` (its rows in accord's words).

`registry.py` lists them; others add theirs through the entry point group "accord.readers".
"""
