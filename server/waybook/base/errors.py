"""Every failure a user can cause, as one tree.

    WaybookError              what happened, where, which limit, what to do next
    |- UsageError             an argument or option that cannot be meant
    |- RefusedError           fail closed: the input is not trusted or breaks a limit
    |  `- DiscoveryError      instruction discovery for one target was refused as a whole
    |- NotFoundError          a named record, file or program is not there
    |- ConflictError          an expected version or fingerprint is no longer the current one
    |- StoreError             the database cannot be used as it is
    |- UnavailableError       an optional part is missing or switched off
    `- CancelledError         the caller asked to stop

Anything else that escapes is a bug. Faces map these classes to their protocol's codes in one table each.
"""

from __future__ import annotations

from typing import Any


class WaybookError(Exception):
    """An expected failure: one sentence for people, and the same facts for programs.

    `code` names the cause in kebab case and is stable; `path` is the file or directory concerned (workspace-relative
    where one is known, else absolute); `limit` is the bound that was met, in the unit the message names; `hint` says
    what to do next; `details` holds further facts (`line`, `byte_offset`, `found`, ...), JSON values only.
    """

    default_code = "failed"

    def __init__(
        self,
        message: str,
        *,
        code: str | None = None,
        path: str | None = None,
        limit: int | None = None,
        hint: str | None = None,
        **details: Any,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code or self.default_code
        self.path = path
        self.limit = limit
        self.hint = hint
        self.details = details

    def to_json(self) -> dict[str, Any]:
        """The error as every face reports it; `details` only where there are any."""
        body: dict[str, Any] = {
            "code": self.code,
            "message": self.message,
            "path": self.path,
            "limit": self.limit,
            "hint": self.hint,
        }
        if self.details:
            body["details"] = self.details
        return body


class UsageError(WaybookError):
    """An argument, option or parameter that cannot be meant."""

    default_code = "usage"


class RefusedError(WaybookError):
    """The input is not trusted or breaks a limit; nothing was done."""

    default_code = "refused"


class DiscoveryError(RefusedError):
    """Instruction discovery for one target was refused as a whole; there is no partial list."""

    default_code = "discovery-failed"


class NotFoundError(WaybookError):
    """A named record, file or program is not there."""

    default_code = "not-found"


class ConflictError(WaybookError):
    """An expected version or fingerprint is not the current one; nothing was written."""

    default_code = "conflict"


class StoreError(WaybookError):
    """The database cannot be opened, migrated or written as it is."""

    default_code = "store"


class UnavailableError(WaybookError):
    """An optional part (a data file, a program, a client feature) is missing or switched off."""

    default_code = "unavailable"


class CancelledError(WaybookError):
    """The caller asked to stop; nothing further was done."""

    default_code = "cancelled"
