"""Which summariser is meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.base.errors import UsageError
from waybook.compaction.editor_model import EditorModel
from waybook.compaction.extractive import Extractive
from waybook.compaction.openai_compatible import OpenAiCompatible

if TYPE_CHECKING:
    from collections.abc import Mapping

    from waybook.compaction.editor_model import Ask
    from waybook.compaction.summariser import Summariser
    from waybook.settings import Settings

NAMES = ("extractive", "openai", "editor")


def choose(name: str, settings: Settings, environ: Mapping[str, str], ask: Ask | None) -> Summariser:
    """The summariser of a name, or of the settings for "". Raises `UsageError` for an unknown name."""
    name = name or settings.compaction_summariser
    if name == "extractive":
        return Extractive()
    if name == "openai":
        return OpenAiCompatible(
            settings.compaction_endpoint, settings.compaction_model, settings.compaction_window, environ
        )
    if name == "editor":
        return EditorModel(ask, settings.compaction_window)
    raise UsageError(
        f"There is no summariser {name!r}.", code="unknown-summariser", hint=f"There are: {', '.join(NAMES)}."
    )
