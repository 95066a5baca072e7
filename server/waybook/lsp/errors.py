"""Our errors as the protocol's: one table. `data` is the whole error as every face reports it, with its `code`."""

from __future__ import annotations

from lsprotocol import types

from waybook.base.errors import (
    CancelledError,
    ConflictError,
    NotFoundError,
    RefusedError,
    StoreError,
    UnavailableError,
    UsageError,
    WaybookError,
)

_CODES: tuple[tuple[type[WaybookError], int], ...] = (
    (UsageError, types.ErrorCodes.InvalidParams.value),
    (CancelledError, types.LSPErrorCodes.RequestCancelled.value),
    (RefusedError, types.LSPErrorCodes.RequestFailed.value),
    (NotFoundError, types.LSPErrorCodes.RequestFailed.value),
    (ConflictError, types.LSPErrorCodes.RequestFailed.value),
    (StoreError, types.LSPErrorCodes.RequestFailed.value),
    (UnavailableError, types.LSPErrorCodes.RequestFailed.value),
)


def response_error(error: WaybookError) -> types.ResponseError:
    """An expected failure, for the person and for the program."""
    code = next((code for kind, code in _CODES if isinstance(error, kind)), types.LSPErrorCodes.RequestFailed.value)
    return types.ResponseError(code, error.message, error.to_json())


def internal_error(error: BaseException) -> types.ResponseError:
    """A defect of ours: its name only, the log has the rest."""
    name = type(error).__name__
    message = f"Waybook met an unexpected {name}; the log has the details."
    return types.ResponseError(types.ErrorCodes.InternalError.value, message, {"code": "internal", "message": message})
