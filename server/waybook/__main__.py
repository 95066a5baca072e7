"""`python -m waybook`."""

from __future__ import annotations

from waybook.cli.main import main

if __name__ == "__main__":
    main()
