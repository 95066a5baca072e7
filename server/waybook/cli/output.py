"""JSON on standard output, for results and errors alike; imports nothing that could itself fail or take long."""

from __future__ import annotations

import json
import re
from typing import Any

import click

from waybook.base.records import to_json

_HALF = re.compile("[\ud800-\udc7f\udd00-\udfff]")


def print_json(result: Any) -> None:
    r"""The complete result as indented JSON, in UTF-8 whatever the locale.

    Bytes that are no text become U+FFFD; half a surrogate pair, which a session's id may hold, is escaped (`\ud800`).
    """
    text = json.dumps(to_json(result), indent=2, ensure_ascii=False)
    text = _HALF.sub(lambda match: f"\\u{ord(match[0]):x}", text)
    whole = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    click.echo(whole.encode("utf-8"))
