"""What messages cost, counted once each; and what is known of a whole path while its beginning stays the same."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from waybook.base.canonical import sha256_hex
from waybook.context.limits import MESSAGE_TOKENS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from waybook.context.budget import Part
    from waybook.context.model import Message

_BYTES_PER_TOKEN = 4
_KEPT = 100_000
"""Messages and parts whose counts are kept: a bound, so that a program that runs for weeks does not grow."""


def by_bytes(text: str) -> int:
    """An estimate where no vocabulary can be had: one token for four UTF-8 bytes, rounded up."""
    return -(-len(text.encode("utf-8", "surrogatepass")) // _BYTES_PER_TOKEN)


def rendered(message: Message) -> dict[str, Any]:
    """A message as the chat-completions protocol has it. Reasoning, display and marks stay behind."""
    body: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.calls:
        body["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.calls
        ]
    if message.role == "tool":
        body["tool_call_id"] = message.call_id
    return body


@dataclass(frozen=True, slots=True)
class Measured:
    """A path as it is sent: protocol messages, tokens of each, and a digest of all of it."""

    bodies: tuple[dict[str, Any], ...]
    tokens: tuple[int, ...]
    total: int
    sha256: str


class Sizes:
    """Counts with `count` (a text's tokens). A message is counted once as long as this object lives.

    Keeps the last path that was measured: of the next one, only what follows the common beginning is looked at again.
    """

    def __init__(self, count: Callable[[str], int] = by_bytes) -> None:
        self.count = count
        self._parts: dict[Part, tuple[str, int]] = {}
        self._known: dict[Message, tuple[int, dict[str, Any], str]] = {}
        self._path: list[Message] = []
        self._bodies: list[dict[str, Any]] = []
        self._tokens: list[int] = []
        self._chain: list[str] = []

    def part(self, part: Part, line: Callable[[Part], str]) -> tuple[str, int]:
        """A part as the line it is sent as, and the tokens of that line."""
        found = self._parts.get(part)
        if found is None:
            if len(self._parts) >= _KEPT:
                self._parts.clear()
            text = line(part)
            found = self._parts[part] = (text, self.count(text) + 1)
        return found

    def message(self, message: Message) -> int:
        """The tokens of one message, calls and overhead included."""
        return self._look(message)[0]

    def _look(self, message: Message) -> tuple[int, dict[str, Any], str]:
        found = self._known.get(message)
        if found is None:
            body = rendered(message)
            calls = "".join(f"\n{call.name}\n{call.arguments}" for call in message.calls)
            tokens = self.count(message.content + calls) + MESSAGE_TOKENS
            if len(self._known) >= _KEPT:
                self._known.clear()
            digest = sha256_hex(json.dumps(body, ensure_ascii=False, separators=(",", ":")))
            found = self._known[message] = (tokens, body, digest)
        return found

    def path(self, path: Sequence[Message]) -> Measured:
        """A whole path; quick where it continues the one before."""
        same = 0
        for old, new in zip(self._path, path, strict=False):
            if old is not new and old != new:
                break
            same += 1
        for kept in (self._path, self._bodies, self._tokens, self._chain):
            del kept[same:]
        chain = self._chain[-1] if self._chain else ""
        for message in path[same:]:
            tokens, body, digest = self._look(message)
            chain = sha256_hex(chain + digest)
            self._path.append(message)
            self._bodies.append(body)
            self._tokens.append(tokens)
            self._chain.append(chain)
        return Measured(tuple(self._bodies), tuple(self._tokens), sum(self._tokens), chain)
