"""`python -m accord.cli` is `accord`."""

from accord.cli import main

main()
