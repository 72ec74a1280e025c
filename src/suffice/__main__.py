"""`python -m suffice` is the command line."""

from suffice.cli import main

main()
