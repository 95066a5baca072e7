"""Scopes that are discovered when somebody first asks for one."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from waybook.instructions.model import Discovery


class LateScopes(Mapping[str, "Discovery"]):
    """What `load` answers, loaded once. For one thread."""

    def __init__(self, load: Callable[[], Mapping[str, Discovery]]) -> None:
        self._load = load

    @cached_property
    def _answers(self) -> Mapping[str, Discovery]:
        return self._load()

    def __getitem__(self, scope: str) -> Discovery:
        return self._answers[scope]

    def __iter__(self) -> Iterator[str]:
        return iter(self._answers)

    def __len__(self) -> int:
        return len(self._answers)
