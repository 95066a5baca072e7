"""Short sentences about a source's reach. They stay out of every fingerprint."""

from __future__ import annotations


def why_effective(scope: str, target: str, depth: int) -> str:
    """Why a source of this scope applies to the target, in one sentence."""
    if not scope:
        return f"in the workspace root, which holds {'everything' if target == '.' else target}"
    if scope == target:
        return f"in {scope} itself, the directory asked about ({_levels(depth)} below the root)"
    return f"in {scope}, an ancestor directory of {target} ({_levels(depth)} below the root)"


def _levels(depth: int) -> str:
    return "one level" if depth == 1 else f"{depth} levels"
