"""Any endpoint that speaks the OpenAI protocol, through the official client. The key comes from the environment only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from waybook.base.errors import RefusedError, UnavailableError, UsageError
from waybook.compaction.prompt import INSTRUCTIONS, data
from waybook.compaction.summariser import ANSWER_TOKENS, OutcomeUnknownError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from waybook.base.cancel import Progress
    from waybook.compaction.summariser import Request

OFFICIAL = "https://api.openai.com/v1"
OWN_KEY, OFFICIAL_KEY = "WAYBOOK_COMPACTION_API_KEY", "OPENAI_API_KEY"
"""The second is sent to the official endpoint alone: a key is never shown to a server it was not made for."""
SECONDS = 300.0
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


class OpenAiCompatible:
    """Implements `Summariser`. `endpoint` "" is OpenAI's own; one request, never repeated by itself."""

    name = "openai"

    def __init__(self, endpoint: str, model: str, window: int, environ: Mapping[str, str]) -> None:
        self._endpoint = endpoint or OFFICIAL
        self.model = model
        self.window = window
        official = self._endpoint.rstrip("/") == OFFICIAL
        self._key = environ.get(OWN_KEY, "") or (environ.get(OFFICIAL_KEY, "") if official else "")
        self._needs_key = official

    def check(self) -> None:
        """Raise before anything is sent: no model named, no key, an endpoint that would carry text in the clear."""
        if not self.model:
            raise UsageError(
                "No model is named for summaries.",
                code="no-model",
                hint="Set WAYBOOK_COMPACTION_MODEL or the setting waybook.compaction.model.",
            )
        parts = urlsplit(self._endpoint)
        if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in _LOOPBACK):
            raise RefusedError(
                "An endpoint for summaries is https, or http on this machine: the conversation is sent there.",
                code="bad-endpoint",
                hint="Set WAYBOOK_COMPACTION_ENDPOINT, for example to http://127.0.0.1:11434/v1",
            )
        if parts.username or parts.password:
            raise RefusedError(
                "An endpoint holds no user name and no password.",
                code="bad-endpoint",
                hint=f"Put the key into {OWN_KEY}.",
            )
        if self._needs_key and not self._key:
            raise UnavailableError(
                "There is no key for the endpoint of summaries.",
                code="no-key",
                hint=f"Set {OWN_KEY} or {OFFICIAL_KEY} in the environment.",
            )

    def summarise(self, request: Request, progress: Progress) -> str:
        """The model's answer, as it came. A refusal by the server is an `UnavailableError` with its status."""
        import openai

        progress.step(f"asking {self.model} for a summary")
        client = openai.OpenAI(api_key=self._key or "unused", base_url=self._endpoint, timeout=SECONDS, max_retries=0)
        try:
            with client:
                answer = client.chat.completions.create(
                    model=self.model,
                    messages=[
                        {"role": "system", "content": INSTRUCTIONS},
                        {"role": "user", "content": data(request)},
                    ],
                    max_completion_tokens=ANSWER_TOKENS,
                )
        except openai.APIStatusError as error:
            raise UnavailableError(
                f"The endpoint refused to summarise: HTTP {error.status_code}.",
                code="summariser-failed",
                hint="Check the model's name, the key and the endpoint; nothing was changed.",
                status=error.status_code,
            ) from error
        except openai.APIConnectionError as error:
            raise _unreached(error) from error
        except openai.OpenAIError as error:
            raise OutcomeUnknownError(f"the answer could not be read ({type(error).__name__})") from error
        return _text(answer)


def _unreached(error: Exception) -> Exception:
    """Nobody there: surely nothing was done. Anything later, a time-out included, may have been worked on."""
    cause = error.__cause__
    if cause is not None and type(cause).__name__ in {"ConnectError", "ConnectTimeout", "UnsupportedProtocol"}:
        return UnavailableError(
            "The endpoint for summaries cannot be reached.",
            code="summariser-failed",
            hint="Check WAYBOOK_COMPACTION_ENDPOINT and that the server runs; nothing was changed.",
        )
    return OutcomeUnknownError(f"no answer came ({type(error).__name__})")


def _text(answer: Any) -> str:
    """The first choice's text; empty for an answer without one, or one that was cut off in the middle."""
    choices = getattr(answer, "choices", None) or []
    if not choices or getattr(choices[0], "finish_reason", "") == "length":
        return ""
    return str(getattr(choices[0].message, "content", "") or "")
