"""The states a run moves between: one table, which the database holds as a trigger too."""

from __future__ import annotations

from waybook.base.errors import ConflictError, UsageError
from waybook.sessions.model import RunState

_CREATED, _RUNNING, _WAITING = RunState.CREATED, RunState.RUNNING, RunState.WAITING_INPUT
_PAUSED, _FAILED, _CANCELLED = RunState.PAUSED, RunState.FAILED, RunState.CANCELLED

MOVES: dict[RunState, tuple[RunState, ...]] = {
    _CREATED: (_RUNNING, _CANCELLED),
    _RUNNING: (_WAITING, _PAUSED, RunState.COMPLETED, _FAILED, _CANCELLED),
    _WAITING: (_RUNNING, _PAUSED, _FAILED, _CANCELLED),
    _PAUSED: (_RUNNING, _FAILED, _CANCELLED),
    RunState.COMPLETED: (),
    _FAILED: (),
    _CANCELLED: (),
}
"""From each state to which others. Only a running run completes: pausing or waiting is never a completion."""


def parse_state(text: str) -> RunState:
    """The state of this name; raises `UsageError`."""
    try:
        return RunState(text)
    except ValueError as error:
        raise UsageError(
            f"There is no run state {text!r}.", code="bad-state", hint=f"The states are: {', '.join(RunState)}."
        ) from error


def require_move(run_id: str, old: RunState, new: RunState) -> None:
    """Raise `ConflictError` (code `no-such-move`) unless a run in state `old` may move to `new`."""
    if new in MOVES[old]:
        return
    allowed = ", ".join(MOVES[old])
    raise ConflictError(
        f"Run {run_id} is {old} and cannot become {new}.",
        code="no-such-move",
        hint=f"From {old} it may become: {allowed}." if allowed else f"A run that is {old} stays so.",
        found=old.value,
    )
