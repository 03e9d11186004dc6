"""What comes of the decisions: the gold with its provenance, in files of any tool, and reports of who decided what;
may import what `workbench` may.
"""
