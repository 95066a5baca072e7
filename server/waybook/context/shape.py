"""The list that one call is made from: the path, with finished goals cleared as the policy says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.context.compress import Compressed, clear_goals, closed_on

if TYPE_CHECKING:
    from collections.abc import Sequence

    from waybook.context.goals import GoalTree
    from waybook.context.limits import Policy
    from waybook.context.model import Message
    from waybook.context.sizes import Sizes


def shape(path: Sequence[Message], tree: GoalTree, policy: Policy, sizes: Sizes) -> Compressed:
    """Level 1 by the policy: `none` nothing, `on_complete` every finished goal, `on_overflow` until below the threshold.

    A model that needs its native reasoning history gets the path as it is.
    """
    if policy.native_reasoning or policy.goal_compression == "none":
        return clear_goals(path, (), sizes.message)
    until = policy.limit if policy.goal_compression == "on_overflow" else None
    return clear_goals(path, closed_on(tree), sizes.message, until=until)
