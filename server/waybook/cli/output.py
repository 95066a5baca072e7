"""JSON on standard output, for results and errors alike; imports nothing that could itself fail or take long."""

from __future__ import annotations

import json
from typing import Any

import click

from waybook.base.records import to_json


def print_json(result: Any) -> None:
    """The complete result as indented JSON, in UTF-8 whatever the locale; bytes that are no text become U+FFFD."""
    text = json.dumps(to_json(result), indent=2, ensure_ascii=False)
    whole = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    click.echo(whole.encode("utf-8"))
