"""Files to studies: formats, each with `sniff` and `read`, and plain tables; may import `measures` and below.

`registry.py` lists the formats; others add theirs through the entry point group "accord.readers".
"""
