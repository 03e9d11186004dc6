"""Formats of annotation tools: a module each, with `sniff` (is it this?) and `read` (its rows in accord's words); may
import what `readers` may.
"""
