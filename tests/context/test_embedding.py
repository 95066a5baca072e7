"""What docs/embedding.md says about one call is so."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

PAGE = Path(__file__).resolve().parents[2] / "docs/embedding.md"


def test_the_first_example_runs() -> None:
    """Word for word."""
    (first, *_) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, Any] = {"count": len}
    exec(compile(first, "docs/embedding.md", "exec"), names)
    made = names["made"]
    assert "Never touch generated files" in made.request
    assert made.total == sum(section.tokens for section in made.sections if section.included)


def test_every_name_is_there() -> None:
    """What is imported, and the methods that are called, exist."""
    text = PAGE.read_text(encoding="utf-8")
    blocks = "\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL))
    for module, imported in re.findall(r"^from (\S+) import (.+)$", blocks, re.MULTILINE):
        for name in imported.split(", "):
            assert hasattr(__import__(module, fromlist=[name]), name), (module, name)
    from waybook.context.service import ContextService
    from waybook.tasks.service import TaskService

    for owner, kind in (("contexts", ContextService), ("tasks", TaskService)):
        for name in re.findall(rf"\b{owner}\.(\w+)\(", text):
            assert hasattr(kind, name), name
