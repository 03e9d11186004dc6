"""One script per question that a user asks; README.md tells how to read the answers."""
