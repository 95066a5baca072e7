"""Who asks: an operator (a person at an editor or terminal) or an agent."""

from __future__ import annotations

import getpass
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from waybook.base.errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Mapping

_RESERVED = frozenset(
    {
        "agent", "assistant", "llm", "model", "repository", "repo", "tool",
        "supervisor", "run_supervisor", "automatic", "auto", "system",
    },
)  # fmt: skip
MAX_IDENTITY_BYTES = 256


@dataclass(frozen=True, slots=True)
class Actor:
    """The authenticated caller of a command. A face makes it; no text from a file or model ever does."""

    kind: Literal["operator", "agent"]
    name: str

    def require_operator(self, action: str) -> None:
        """Raise `RefusedError` unless a person is asking; `action` completes "Only an operator may ..."."""
        if self.kind != "operator":
            msg = f"Only an operator may {action}; the caller is {self.kind} {self.name!r}."
            raise RefusedError(msg, code="operator-required", hint="Run this from the editor or the command line.")
        check_identity(self.name)


def check_identity(name: str) -> None:
    """Refuse an operator name that is a machine's (in any case), too long, or holds spaces or control characters."""
    hint = "Use a person's short name, such as a login name."
    if name.casefold() in _RESERVED:
        msg = f"The name {name!r} stands for a program, not for a person."
        raise RefusedError(msg, code="operator-required", hint=hint)
    if not name or len(name.encode("utf-8", "surrogatepass")) > MAX_IDENTITY_BYTES:
        msg = f"An operator's name has 1 to {MAX_IDENTITY_BYTES} bytes."
        raise RefusedError(msg, code="bad-identity", limit=MAX_IDENTITY_BYTES, hint=hint)
    if any(char.isspace() or not char.isprintable() for char in name):
        msg = f"The operator's name {name!r} holds a space or a control character."
        raise RefusedError(msg, code="bad-identity", hint=hint)


def operator(environ: Mapping[str, str]) -> Actor:
    """The person at this terminal or editor: `WAYBOOK_OPERATOR`, else the login name."""
    name = environ.get("WAYBOOK_OPERATOR", "")
    if not name:
        try:
            name = getpass.getuser()
        except (KeyError, OSError):  # no account for this user id, as in bare containers
            name = f"uid-{os.getuid()}" if hasattr(os, "getuid") else "operator"
    return Actor("operator", name.strip().replace(" ", "-"))
