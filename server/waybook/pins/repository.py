"""The SQL of pins, of proposals and of the answers to them. Proposals and answers are never changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import Select, func, select

from waybook.pins.model import Answer, Choice, Pin, Proposal
from waybook.store.tables import pin_answers, pin_proposals, pins, threads

if TYPE_CHECKING:
    from sqlalchemy import Connection


def _pin(row: Any) -> Pin:
    values = dict(row._mapping)  # noqa: SLF001 - the documented name of a row's mapping
    return Pin(characters=len(values["text"]), **values)


def pins_of(connection: Connection, thread_id: str) -> tuple[Pin, ...]:
    """The pins of a thread in their order."""
    query = select(pins).where(pins.c.thread_id == thread_id).order_by(pins.c.position)
    return tuple(_pin(row) for row in connection.execute(query))


def find_pin(connection: Connection, pin_id: str) -> Pin | None:
    """The pin of this id."""
    row = connection.execute(select(pins).where(pins.c.id == pin_id)).one_or_none()
    return None if row is None else _pin(row)


def next_position(connection: Connection, thread_id: str) -> int:
    """The position after the last pin of a thread, from 1."""
    query = select(func.coalesce(func.max(pins.c.position), 0) + 1).where(pins.c.thread_id == thread_id)
    return int(connection.execute(query).scalar_one())


def add_pin(connection: Connection, pin: Pin) -> None:
    """Add a new pin."""
    connection.execute(pins.insert().values(**{column.name: getattr(pin, column.name) for column in pins.columns}))


def replace_pin(connection: Connection, pin: Pin) -> None:
    """Write a pin's next version over the one before."""
    connection.execute(
        pins.update()
        .where(pins.c.id == pin.id)
        .values(text=pin.text, version=pin.version, updated_by=pin.updated_by, updated_at=pin.updated_at)
    )


def remove_pin(connection: Connection, pin_id: str) -> None:
    """Delete a pin."""
    connection.execute(pins.delete().where(pins.c.id == pin_id))


def _proposals() -> Select[Any]:
    return (
        select(
            pin_proposals,
            threads.c.state,
            pin_answers.c.choice,
            pin_answers.c.reply,
            pin_answers.c.pin_id,
            pin_answers.c.answered_by,
            pin_answers.c.created_at.label("answered_at"),
        )
        .join(threads, threads.c.id == pin_proposals.c.thread_id)
        .outerjoin(pin_answers, pin_answers.c.proposal_id == pin_proposals.c.id)
    )


def _proposal(row: Any) -> Proposal:
    answer = None
    if row.choice is not None:
        answer = Answer(Choice(row.choice), row.reply, row.pin_id, row.answered_by, row.answered_at)
    return Proposal(
        id=row.id,
        thread_id=row.thread_id,
        run_id=row.run_id or "",
        text=row.text,
        characters=len(row.text),
        status="answered" if answer else "open" if row.state == "open" else "expired",
        answer=answer,
        proposed_by=row.proposed_by,
        proposed_at=row.created_at,
    )


def proposals_of(connection: Connection, thread_id: str, *, closed: bool, limit: int) -> tuple[Proposal, ...]:
    """The newest proposals of a thread; those that wait for an answer unless `closed`."""
    query = (
        _proposals()
        .where(pin_proposals.c.thread_id == thread_id)
        .order_by(pin_proposals.c.created_at.desc(), pin_proposals.c.id.desc())
        .limit(limit)
    )
    if not closed:
        query = query.where(pin_answers.c.proposal_id.is_(None), threads.c.state == "open")
    return tuple(_proposal(row) for row in connection.execute(query))


def find_proposal(connection: Connection, proposal_id: str) -> Proposal | None:
    """The proposal of this id."""
    row = connection.execute(_proposals().where(pin_proposals.c.id == proposal_id)).one_or_none()
    return None if row is None else _proposal(row)


def same_proposal(connection: Connection, thread_id: str, run_id: str, text: str) -> Proposal | None:
    """What was proposed with exactly this text in this run of the thread ("": in no run)."""
    run = pin_proposals.c.run_id == run_id if run_id else pin_proposals.c.run_id.is_(None)
    query = _proposals().where(pin_proposals.c.thread_id == thread_id, run, pin_proposals.c.text == text)
    row = connection.execute(query).one_or_none()
    return None if row is None else _proposal(row)


def open_proposals(connection: Connection, thread_id: str) -> int:
    """How many proposals of a thread wait for an answer."""
    query = (
        select(func.count())
        .select_from(pin_proposals)
        .outerjoin(pin_answers, pin_answers.c.proposal_id == pin_proposals.c.id)
        .where(pin_proposals.c.thread_id == thread_id, pin_answers.c.proposal_id.is_(None))
    )
    return int(connection.execute(query).scalar_one())


def add_proposal(connection: Connection, proposal: Proposal) -> None:
    """Append a proposal."""
    connection.execute(
        pin_proposals.insert().values(
            id=proposal.id,
            thread_id=proposal.thread_id,
            run_id=proposal.run_id or None,
            text=proposal.text,
            proposed_by=proposal.proposed_by,
            created_at=proposal.proposed_at,
        )
    )


def add_answer(connection: Connection, proposal_id: str, answer: Answer) -> None:
    """Append the answer to a proposal."""
    connection.execute(
        pin_answers.insert().values(
            proposal_id=proposal_id,
            choice=answer.choice.value,
            reply=answer.reply,
            pin_id=answer.pin_id,
            answered_by=answer.answered_by,
            created_at=answer.answered_at,
        )
    )
