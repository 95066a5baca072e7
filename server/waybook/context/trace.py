"""A trace: one agent's messages as a tree, of which the path to the head is what the model sees.

Nothing is ever removed. A summary hangs from the first request, so that the path jumps over what it stands for; going
back to a message inside that stretch leaves the summary aside and brings the originals back by itself.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from waybook.base.errors import NotFoundError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from waybook.context.model import Injected, Message


class Trace:
    """The messages of one trace, its head (0: empty), and where skills were last given.

    A growing log for one runner: messages are only added, at the end. `path` and everything that works on it are pure.
    """

    def __init__(
        self,
        trace_id: str,
        messages: Iterable[Message] = (),
        head: int = 0,
        skills: Mapping[str, Injected] | None = None,
    ) -> None:
        self.id = trace_id
        self.head = head
        self.skills: dict[str, Injected] = dict(skills or {})
        self._by_sequence: dict[int, Message] = {}
        for message in messages:
            self._place(message)

    @property
    def messages(self) -> tuple[Message, ...]:
        """Every message there is, in order, side branches and left paths included."""
        return tuple(self._by_sequence.values())

    @property
    def last(self) -> int:
        """The highest sequence; 0 for an empty trace."""
        return next(reversed(self._by_sequence), 0)

    def find(self, sequence: int) -> Message:
        """The message of this sequence. Raises `NotFoundError`."""
        found = self._by_sequence.get(sequence)
        if found is None:
            raise NotFoundError(f"The trace has no message {sequence}.", code="no-message", limit=self.last)
        return found

    def _place(self, message: Message) -> None:
        if message.sequence != self.last + 1:
            raise ValueError(f"message {message.sequence} does not follow {self.last}")
        if message.parent_sequence and message.parent_sequence not in self._by_sequence:
            raise ValueError(f"message {message.sequence} follows {message.parent_sequence}, which is not there")
        self._by_sequence[message.sequence] = message

    def placed(self, message: Message, **fields: Any) -> Message:
        """The message as it would stand after the head (or after `parent_sequence`); nothing is added."""
        parent = fields.pop("parent_sequence", self.head)
        return replace(message, sequence=self.last + 1, parent_sequence=parent, **fields)

    def add(self, placed: Message) -> None:
        """Add a message that `placed` gave; the main path's head moves to it."""
        self._place(placed)
        if not placed.branch_type:
            self.head = placed.sequence

    def append(self, message: Message, **fields: Any) -> Message:
        """`placed` and `add` in one."""
        placed = self.placed(message, **fields)
        self.add(placed)
        return placed

    def path(self, head: int | None = None) -> tuple[Message, ...]:
        """The messages from the root to a head (default: the trace's), oldest first. Side branches are not on it.

        A head inside a side branch gives that branch's own view: the main path up to where it left, then the branch.
        """
        found: list[Message] = []
        at = self.head if head is None else head
        branch = self._by_sequence[at].branch_id if at in self._by_sequence else ""
        while at:
            message = self._by_sequence[at]
            if not message.branch_type or message.branch_id == branch:
                found.append(message)
            at = message.parent_sequence
        found.reverse()
        return tuple(found)

    def rewind(self, sequence: int) -> None:
        """Make an earlier message the head again; what came after it stays in the trace, off the path.

        Raises `NotFoundError`, and `UsageError` for a message of a side branch or one between a call and its results.
        """
        message = self.find(sequence)
        if message.branch_type:
            raise UsageError(
                f"Message {sequence} belongs to a side branch; the main path cannot go back to it.", code="side-branch"
            )
        if waiting(self.path(sequence)):
            raise UsageError(
                f"Message {sequence} stands between tool calls and their results.",
                code="unanswered-calls",
                hint="Go back to the message before the calls, or to the last of their results.",
            )
        self.head = sequence
        self.skills = {name: at for name, at in self.skills.items() if at.sequence <= sequence}


def waiting(path: Sequence[Message]) -> tuple[str, ...]:
    """The ids of the calls on a path that have no result yet, in their order."""
    answered = {message.call_id for message in path if message.role == "tool"}
    return tuple(call.id for message in path for call in message.calls if call.id not in answered)


def paired(path: Sequence[Message]) -> bool:
    """Whether every call has exactly one result behind it, and every result its call before it."""
    open_calls: set[str] = set()
    seen: set[str] = set()
    for message in path:
        if message.role == "tool":
            if message.call_id not in open_calls:
                return False
            open_calls.discard(message.call_id)
        for call in message.calls:
            if call.id in seen:
                return False
            seen.add(call.id)
            open_calls.add(call.id)
    return not open_calls


def first_request(path: Sequence[Message]) -> Message | None:
    """The first message of the person on a path."""
    return next((message for message in path if message.role == "user" and message.kind == "plain"), None)
