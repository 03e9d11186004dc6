"""Marked stretches of texts and recordings: what everybody marked where, matched, aligned and cut into segments; may
import `coefficients` and what lies below it.
"""
