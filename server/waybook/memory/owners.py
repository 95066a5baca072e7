"""Whose memories are meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.base.errors import NotFoundError
from waybook.memory.model import USER_SCOPE_ID, Scope
from waybook.memory.rules import known_scope

if TYPE_CHECKING:
    from collections.abc import Callable

    from waybook.memory.repository import Owner
    from waybook.sessions.service import RunService


def visible(scope: str, runs: RunService, root: Callable[[], str]) -> tuple[Owner, ...]:
    """The owners that a scope (empty: both) means in the workspace whose root is asked for only where it matters.

    A workspace that nobody has registered has no memories; it is not registered for being looked at.
    """
    if scope:
        known_scope(scope)
    owners: list[Owner] = [(Scope.USER, USER_SCOPE_ID)] if scope in {"", Scope.USER} else []
    if scope != Scope.USER:
        try:
            owners.append((Scope.PROJECT, runs.workspace(root()).id))
        except NotFoundError as error:
            if error.code != "no-workspace":
                raise
    return tuple(owners)
