"""Add, edit, remove and list pins, and hand them to whoever assembles a model call."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from waybook.base.clock import timestamp
from waybook.base.errors import NotFoundError
from waybook.pins import repository, rules
from waybook.pins.model import Pin, PinRemoved, Pins, PinWritten
from waybook.sessions.threads.repository import thread_of
from waybook.sessions.threads.service import require_open_thread, require_thread, require_version
from waybook.store import erase

if TYPE_CHECKING:
    from waybook.base.actor import Actor
    from waybook.store.store import Connection, Store


class PinService:
    """The pins of every thread. Only an operator writes them."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def required_pins(self, thread_id: str) -> tuple[Pin, ...]:
        """Every pin of a thread in its order, whole: what each model call of the thread carries, or cannot be made.

        Another thread inherits none of them. Raises `NotFoundError` for an unknown thread.
        """
        with self._store.read() as connection:
            require_thread(connection, thread_id)
            return repository.pins_of(connection, thread_id)

    def required_pins_of_run(self, run_id: str) -> tuple[Pin, ...]:
        """The pins of the thread that a run belongs to, first run or successor; none for a run without a thread."""
        with self._store.read() as connection:
            thread_id = thread_of(connection, run_id)
            return repository.pins_of(connection, thread_id) if thread_id else ()

    def list(self, thread_id: str) -> Pins:
        """The pins of a thread in their order, and what they use of the limits. Raises `NotFoundError`."""
        kept = self.required_pins(thread_id)
        return Pins(thread_id, kept, sum(pin.characters for pin in kept))

    def add(self, thread_id: str, text: str, actor: Actor) -> PinWritten:
        """Pin a text as it is, as version 1.

        Raises `UsageError`, `RefusedError` for a secret or a limit, `NotFoundError`, or `ConflictError` for a closed
        thread.
        """
        actor.require_operator("pin a requirement")
        rules.require_text(text)
        with self._store.write() as connection:
            require_open_thread(connection, thread_id)
            pin = add_in(connection, self._store, thread_id, text, actor)
            return _written(connection, pin)

    def edit(self, pin_id: str, expected_version: int, text: str, actor: Actor) -> PinWritten:
        """Write the next version. Raises as `add` does, and `ConflictError` for another version."""
        actor.require_operator("edit a pin")
        rules.require_text(text)
        with self._store.write() as connection:
            pin = _require(connection, pin_id)
            require_version("pin", pin.id, pin.version, expected_version)
            require_open_thread(connection, pin.thread_id)
            others = [item for item in repository.pins_of(connection, pin.thread_id) if item.id != pin.id]
            rules.require_total(others, text)
            edited = replace(
                pin,
                text=text,
                characters=len(text),
                version=pin.version + 1,
                updated_by=actor.name,
                updated_at=timestamp(self._store.clock.now()),
            )
            repository.replace_pin(connection, edited)
            erase.mark(connection, rewrite=True)
            written = _written(connection, edited)
        return replace(written, erasure=self._erasure())

    def remove(self, pin_id: str, expected_version: int, actor: Actor) -> PinRemoved:
        """Delete a pin; its text leaves the file. Raises `NotFoundError`, or `ConflictError` for another version."""
        actor.require_operator("remove a pin")
        with self._store.write() as connection:
            pin = _require(connection, pin_id)
            require_version("pin", pin.id, pin.version, expected_version)
            repository.remove_pin(connection, pin.id)
            erase.mark(connection, rewrite=True)
        return PinRemoved(pin.id, pin.thread_id, pin.version, recoverable=False, erasure=self._erasure())

    def _erasure(self) -> Literal["done", "pending"]:
        return "pending" if self._store.erasure_pending() else "done"


def add_in(
    connection: Connection,
    store: Store,
    thread_id: str,
    text: str,
    actor: Actor,
    origin: tuple[Literal["operator", "proposal", "reply"], str | None] = ("operator", None),
) -> Pin:
    """Add a checked text at the end of a thread's pins, within the caller's transaction. Raises `RefusedError`."""
    rules.require_room(repository.pins_of(connection, thread_id), text)
    now = timestamp(store.clock.now())
    pin = Pin(
        id=store.ids.new("pin"),
        thread_id=thread_id,
        position=repository.next_position(connection, thread_id),
        text=text,
        characters=len(text),
        origin=origin[0],
        proposal_id=origin[1],
        version=1,
        created_by=actor.name,
        updated_by=actor.name,
        created_at=now,
        updated_at=now,
    )
    repository.add_pin(connection, pin)
    return pin


def _require(connection: Connection, pin_id: str) -> Pin:
    pin = repository.find_pin(connection, pin_id)
    if pin is None:
        msg = f"There is no pin {pin_id!r}."
        raise NotFoundError(msg, code="no-pin", hint="`waybook pins list THREAD` shows the pins of a thread.")
    return pin


def _written(connection: Connection, pin: Pin) -> PinWritten:
    kept = repository.pins_of(connection, pin.thread_id)
    return PinWritten(pin, len(kept), sum(item.characters for item in kept))
