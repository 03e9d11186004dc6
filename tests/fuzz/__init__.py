"""Attacks that stay: campaigns of random tries, each of which must end in a result or in an error of accord."""
