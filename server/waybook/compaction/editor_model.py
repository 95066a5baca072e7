"""The editor's own model, asked through a callable that the language server hands in (`waybook/summarise`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from waybook.base.errors import UnavailableError
from waybook.compaction.prompt import INSTRUCTIONS, data
from waybook.compaction.summariser import ANSWER_TOKENS

if TYPE_CHECKING:
    from waybook.base.cancel import Progress
    from waybook.compaction.summariser import Request

Ask = Callable[[Mapping[str, Any]], Mapping[str, Any]]
"""Sends {instructions, data, maxTokens} and gives {text, model?}.

Raises `WaybookError` when it surely failed, `OutcomeUnknownError` when nobody can tell.
"""


class EditorModel:
    """Implements `Summariser`. `ask` is None where no editor is there or it offers no model."""

    name = "editor"

    def __init__(self, ask: Ask | None, window: int) -> None:
        self._ask = ask
        self.window = window
        self.model = ""

    def check(self) -> None:
        """Raise `UnavailableError` where no editor can be asked."""
        self._asking()

    def _asking(self) -> Ask:
        if self._ask is None:
            raise UnavailableError(
                "No editor with a model is connected.",
                code="no-editor-model",
                hint="Ask from the editor, or pass --summariser extractive.",
            )
        return self._ask

    def summarise(self, request: Request, progress: Progress) -> str:
        """The model's answer, as it came."""
        ask = self._asking()
        progress.step("asking the editor's model for a summary")
        answer = ask({"instructions": INSTRUCTIONS, "data": data(request), "maxTokens": ANSWER_TOKENS})
        model, text = answer.get("model"), answer.get("text")
        self.model = model[:256] if isinstance(model, str) else ""
        return text if isinstance(text, str) else ""
