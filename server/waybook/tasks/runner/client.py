"""Asking an endpoint that speaks the OpenAI protocol, through the official client. Keys come from the environment only."""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlsplit

from waybook.base.errors import CancelledError, RefusedError, UnavailableError, UsageError
from waybook.tasks.runner.options import Reply

if TYPE_CHECKING:
    from collections.abc import Mapping

    from waybook.base.cancel import Progress

OFFICIAL = "https://api.openai.com/v1"
OWN_KEY, OFFICIAL_KEY = "WAYBOOK_RUN_API_KEY", "OPENAI_API_KEY"
"""The second is sent to the official endpoint alone: a key is never shown to a server it was not made for."""
RETRIES = 2
"""A failed transport is tried so often again, by the client, with the very same body."""
_POLL = 0.05
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


class Asker(Protocol):
    """Sends one request and gives the answer."""

    def ask(self, request: str, seconds: float, progress: Progress) -> Reply:
        """Answers a request's JSON within so many seconds. Raises `UnavailableError`, `CancelledError`."""
        ...


class OpenAiAsker:
    """Implements `Asker`. Raises `UsageError` or `RefusedError` for an endpoint that must not be used."""

    def __init__(self, endpoint: str, environ: Mapping[str, str]) -> None:
        self._endpoint = _checked(endpoint or OFFICIAL)
        self._client: Any = None
        official = self._endpoint.rstrip("/") == OFFICIAL
        self._key = environ.get(OWN_KEY, "") or (environ.get(OFFICIAL_KEY, "") if official else "")
        if official and not self._key:
            raise UnavailableError(
                "There is no key for the endpoint.",
                code="no-key",
                hint=f"Set {OWN_KEY} or {OFFICIAL_KEY} in the environment.",
            )

    def _open(self) -> Any:
        if self._client is None:
            import openai

            self._client = openai.OpenAI(api_key=self._key or "unused", base_url=self._endpoint, max_retries=RETRIES)
        return self._client

    def close(self) -> None:
        """Let go of the connection."""
        if self._client is not None:
            self._client.close()
            self._client = None

    def ask(self, request: str, seconds: float, progress: Progress) -> Reply:
        """One logical call. A cancel closes the connection at once."""
        client = self._open()
        found: list[Any] = []

        def call() -> None:
            try:
                found.append(client.chat.completions.create(**json.loads(request), timeout=seconds))
            except Exception as error:  # noqa: BLE001 - handed to the thread that waits, which sorts it
                found.append(error)

        worker = threading.Thread(target=call, name="waybook-ask", daemon=True)
        worker.start()
        try:
            waited = 0.0
            while worker.is_alive() and waited < seconds:
                if progress.cancelled:
                    raise CancelledError("Cancelled while a model was asked; its answer is not waited for.")
                worker.join(_POLL)
                waited += _POLL
        finally:
            if not found:
                self.close()  # cancelled or too late: nobody waits for what may still come
        if not found:
            raise UnavailableError(f"The model did not answer within {seconds:,.0f} seconds.", code="timeout")
        if isinstance(found[0], Exception):
            raise _failure(found[0]) from found[0]
        return _reply(found[0])


def _checked(endpoint: str) -> str:
    parts = urlsplit(endpoint)
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in _LOOPBACK):
        raise RefusedError(
            "An endpoint is https, or http on this machine: whole conversations are sent there.",
            code="bad-endpoint",
            hint="For example https://models.example.org/v1 or http://127.0.0.1:11434/v1",
        )
    if parts.username or parts.password:
        raise RefusedError(
            "An endpoint holds no user name and no password.", code="bad-endpoint", hint=f"Put the key into {OWN_KEY}."
        )
    if not parts.hostname:
        raise UsageError("The endpoint names no host.", code="bad-endpoint")
    return endpoint


def _failure(error: Exception) -> Exception:
    import openai

    if isinstance(error, openai.APIStatusError):
        return UnavailableError(
            f"The endpoint refused: HTTP {error.status_code}.",
            code="endpoint-refused",
            hint="Check the model's name, the key and the endpoint.",
            status=error.status_code,
        )
    if isinstance(error, openai.APITimeoutError):
        return UnavailableError("The model did not answer in time.", code="timeout")
    if isinstance(error, openai.OpenAIError):
        return UnavailableError(
            f"The endpoint cannot be reached or understood ({type(error).__name__}).",
            code="endpoint-failed",
            hint="Check the endpoint and that its server runs.",
        )
    return error


def _reply(answer: Any) -> Reply:
    choices = getattr(answer, "choices", None) or []
    if not choices:
        raise UnavailableError("The endpoint answered without a choice.", code="endpoint-failed")
    message = choices[0].message
    extra = getattr(message, "model_extra", None) or {}
    calls = tuple(
        (str(call.id or ""), str(call.function.name), str(call.function.arguments or "{}"))
        for call in message.tool_calls or ()
        if getattr(call, "function", None) is not None
    )
    return Reply(str(message.content or ""), calls, str(extra.get("reasoning_content") or ""))
