"""Where the manual pages are: beside the installed package, or in the checkout it is run from."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from waybook.base.uris import path_to_uri

_PACKAGE = Path(__file__).resolve().parents[1]
_PLACES = (_PACKAGE / "manual", _PACKAGE.parents[1] / "docs")


@lru_cache(maxsize=16)
def page_uri(name: str) -> str | None:
    """The URI of a page such as `checks.md`; None in an installation without pages. Nothing is fetched, ever."""
    return next((path_to_uri(str(place / name)) for place in _PLACES if (place / name).is_file()), None)
