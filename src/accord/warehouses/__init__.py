"""Annotations in databases: the queries to run there, and tables that stay there; may import `study` and what
lies below it.
"""
