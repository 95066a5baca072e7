"""Messages on their way to an agent: frozen whole when they are handed in, placed or dropped as one.

`send` and `steer` freeze content, source and contexts together. A sent message is shown to prompt-submit listeners when
it is claimed, and their answer is final; a steering message is not. `inject` is for the framework and takes no contexts.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any, Literal

from waybook.base.errors import UsageError
from waybook.context.limits import MAX_CONTEXTS, MAX_JSON_DEPTH
from waybook.references.envelope import REQUEST

if TYPE_CHECKING:
    from collections.abc import Iterable

Placement = Literal["separate", "prompt-prefix"]
Way = Literal["send", "steer", "inject"]


def freeze(value: Any) -> str:
    """JSON data as its one text: nothing can change it, and `thaw` gives back an equal value.

    Raises `UsageError` for anything JSON would lose or change: NaN, keys that are no text, tuples, other types, text
    that is not Unicode, deep nesting.
    """
    _require_json(value, MAX_JSON_DEPTH)
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def thaw(text: str) -> Any:
    """A fresh copy of what was frozen."""
    return json.loads(text)


def _require_json(value: Any, depth: int) -> None:
    if depth == 0:
        raise UsageError(f"JSON is nested deeper than {MAX_JSON_DEPTH}.", code="bad-json", limit=MAX_JSON_DEPTH)
    if type(value) is dict and all(type(key) is str for key in value):
        for key, item in value.items():
            _require_scalar(key)
            _require_json(item, depth - 1)
    elif type(value) is list:
        for item in value:
            _require_json(item, depth - 1)
    else:
        _require_scalar(value)


def _require_scalar(value: Any) -> None:
    if type(value) is float and not isfinite(value):
        raise UsageError("NaN and Infinity are no JSON.", code="bad-json")
    if type(value) is str and any("\ud800" <= char <= "\udfff" for char in value):
        raise UsageError("The text holds what is not Unicode.", code="bad-text")
    if value is not None and type(value) not in {bool, int, float, str}:
        raise UsageError(f"{type(value).__name__} is no JSON value.", code="bad-json")


@dataclass(frozen=True, slots=True)
class Context:
    """Text that comes with a message. `provenance`: frozen JSON, never shown to a model."""

    content: str
    placement: Placement = "separate"
    provenance: str = "null"


@dataclass(frozen=True, slots=True)
class InboxRecord:
    """One message as it was handed in; immutable all through. `source` and `metadata` are frozen JSON."""

    id: str
    way: Way
    content: str
    source: str
    contexts: tuple[Context, ...] = ()
    metadata: str = "null"


@dataclass(frozen=True, slots=True)
class Verdict:
    """A listener's answer: blocked with a reason, or allowed with this content and these contexts."""

    allow: bool
    content: str = ""
    contexts: tuple[Context, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Prompt:
    """What listeners see: the content, and the contexts that come with it unless one of them decides otherwise."""

    content: str
    contexts: tuple[Context, ...]
    source: str


Listener = Callable[[Prompt, Callable[[Prompt], Verdict]], Verdict]
"""Given the prompt and the rest of the chain; what it returns is what counts."""


@dataclass(frozen=True, slots=True)
class Placed:
    """One message to write: what the model reads, what people see (where that differs), and where it came from."""

    content: str
    kind: Literal["plain", "context", "steering"]
    display: str = ""
    provenance: str = ""


@dataclass(frozen=True, slots=True)
class Admission:
    """What became of a claimed message: the messages to write, in order; none when it was blocked."""

    record: InboxRecord
    allowed: bool
    messages: tuple[Placed, ...]
    reason: str = ""


def place(content: str, contexts: tuple[Context, ...], kind: Literal["plain", "steering"]) -> tuple[Placed, ...]:
    """The messages that a prompt and its contexts become.

    Separate contexts are messages of their own, before the prompt. Prefix contexts and the prompt are one message:
    the snapshots, `## My request:`, the prompt; people see the prompt alone.
    """
    apart = tuple(
        Placed(one.content, "context", provenance=one.provenance) for one in contexts if one.placement == "separate"
    )
    prefix = [one for one in contexts if one.placement == "prompt-prefix"]
    if not prefix:
        return (*apart, Placed(content, kind))
    whole = "\n\n".join([*(one.content for one in prefix), REQUEST, content])
    provenance = f"[{','.join(one.provenance for one in prefix)}]"
    return (*apart, Placed(whole, kind, display=content, provenance=provenance))


class Inbox:
    """The messages that wait for one agent. `new_id` makes ids."""

    def __init__(self, new_id: Callable[[], str], listeners: Iterable[Listener] = ()) -> None:
        self._new_id = new_id
        self._listeners = tuple(listeners)
        self._sent: deque[InboxRecord] = deque()
        self._steering: deque[InboxRecord] = deque()

    @property
    def waiting(self) -> tuple[InboxRecord, ...]:
        """Everything that waits, whole: steering first, then sent messages, each in order."""
        return (*self._steering, *self._sent)

    def send(self, content: str, source: Any = None, contexts: Iterable[Context] = ()) -> InboxRecord:
        """Queue a prompt. Raises `UsageError` for what cannot be frozen."""
        record = self._freeze("send", content, source, tuple(contexts), None)
        self._sent.append(record)
        return record

    def steer(self, content: str, source: Any = None, contexts: Iterable[Context] = ()) -> InboxRecord:
        """Queue a message that reaches the agent in the middle of its work."""
        record = self._freeze("steer", content, source, tuple(contexts), None)
        self._steering.append(record)
        return record

    def inject(self, content: str, source: Any = None, metadata: Any = None) -> InboxRecord:
        """Queue a message of the framework; contexts belong to people's messages and cannot be given."""
        record = self._freeze("inject", content, source, (), metadata)
        self._sent.append(record)
        return record

    def _freeze(self, way: Way, content: str, source: Any, contexts: tuple[Context, ...], metadata: Any) -> InboxRecord:
        _require_json(content, 1)
        if len(contexts) > MAX_CONTEXTS:
            raise UsageError(
                f"A message carries at most {MAX_CONTEXTS} contexts.", code="too-many-contexts", limit=MAX_CONTEXTS
            )
        for one in contexts:
            _require_json(one.content, 1)
        return InboxRecord(self._new_id(), way, content, freeze(source), contexts, freeze(metadata))

    def claim(self) -> Admission | None:
        """Take the next sent message through the listeners; None when none waits.

        Blocked, it is gone with its contexts, and nothing is to be written.
        """
        if not self._sent:
            return None
        record = self._sent.popleft()
        if record.way == "inject":
            return Admission(record, True, place(record.content, (), "plain"))  # noqa: FBT003 - `allowed`
        verdict = self._ask(Prompt(record.content, record.contexts, record.source), 0)
        if not verdict.allow:
            return Admission(record, False, (), verdict.reason)  # noqa: FBT003 - `allowed`
        return Admission(record, True, place(verdict.content, verdict.contexts, "plain"))  # noqa: FBT003 - `allowed`

    def _ask(self, prompt: Prompt, at: int) -> Verdict:
        if at == len(self._listeners):
            return Verdict(allow=True, content=prompt.content, contexts=prompt.contexts)
        return self._listeners[at](prompt, lambda onward: self._ask(onward, at + 1))

    def drain_steering(self) -> tuple[Admission, ...]:
        """Take every steering message; listeners are not asked, placement is the same."""
        taken = tuple(self._steering)
        self._steering.clear()
        return tuple(
            Admission(record, True, place(record.content, record.contexts, "steering"))  # noqa: FBT003 - `allowed`
            for record in taken
        )

    def requeue_late_steering(self) -> None:
        """Steering that came after the work had ended waits as a prompt: the same record, contexts and all."""
        self._sent.extendleft(reversed(self._steering))
        self._steering.clear()

    def cancel(self, record_id: str) -> bool:
        """Drop one waiting message together with its contexts; False when it does not wait (any more)."""
        for waiting in (self._steering, self._sent):
            for record in waiting:
                if record.id == record_id:
                    waiting.remove(record)
                    return True
        return False

    def dispose(self) -> tuple[InboxRecord, ...]:
        """Drop everything that waits, contexts and all; answers what was dropped."""
        dropped = self.waiting
        self._steering.clear()
        self._sent.clear()
        return dropped
