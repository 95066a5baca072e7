"""`python -m waybook`."""

from __future__ import annotations

from waybook.cli.entry import main

if __name__ == "__main__":
    main()
