"""Files to studies: formats, each with `sniff` and `read`, and plain tables; may import `warehouses` and what lies
below it.

`format_registry.py` lists the formats; others add theirs through the entry point group "accord.readers".
"""
