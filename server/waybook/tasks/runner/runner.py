"""The tree of tasks at work: a root from a person's goal, children through briefs, validation, reviews, revisions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from waybook.base.errors import NotFoundError, UsageError
from waybook.context.assemble import Offer
from waybook.context.model import Message
from waybook.tasks.model import Result
from waybook.tasks.runner.loop import Loop
from waybook.tasks.runner.options import Outcome, Validation
from waybook.tasks.runner.tools import CHILD, ROOT
from waybook.tasks.runner.words import VALIDATOR, revised_text, task_text, verdict_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from waybook.context.repository import TraceRecord
    from waybook.context.trace import Trace
    from waybook.tasks.model import Packet
    from waybook.tasks.runner.desk import Desk
    from waybook.tasks.runner.options import Json

_DECISIONS = ("accept", "revise", "reject")


class Runner:
    """Runs one tree of tasks with one budget."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._results: dict[str, tuple[str, Validation]] = {}

    def start(self, anchor: Mapping[str, Any]) -> Outcome:
        """A new root task, worked on to its answer. Raises what ends a run; everything until then is kept."""
        desk = self._desk
        root = desk.tasks.open_root(
            anchor, desk.actor, run_id=desk.aim.run_id, thread_id=desk.aim.thread_id, capabilities=ROOT
        )
        return self._work(root.trace, task_text(root.anchor, None))

    def go_on(self, trace_id: str, text: str, *, rewind: int = 0) -> Outcome:
        """Go on with a root task, after going back to an earlier message if one is named."""
        record = self._desk.contexts.record(trace_id)
        if record.parent_id:
            raise UsageError("Only a root task is gone on with by a person.", code="not-a-root")
        if rewind:
            self._desk.tasks.rewind(self._desk.contexts.load(trace_id), rewind, self._desk.actor)
        return self._work(record, text)

    def _work(self, record: TraceRecord, text: str) -> Outcome:
        loop = Loop(self._desk, record, self.agent)
        loop.begin(text)
        answer = loop.run()
        validation = self._validate(record, loop.trace, answer, candidate=answer)
        budget = self._desk.budget
        return Outcome(record.id, record.run_id, answer, validation, budget.calls, budget.compressions, budget.tasks)

    # --- the tool that hands tasks to children ------------------------------------------------------------------------

    def agent(self, record: TraceRecord, given: Json) -> Json:
        """Start a child, review one's result, or go on with a revised brief. Raises `WaybookError` for all else."""
        if given.get("decision"):
            return self._review(record, given)
        if not given.get("brief"):
            raise UsageError("Give a brief, or a decision on a task.", code="bad-arguments")
        if given.get("task"):
            child = self._own(record, str(given["task"]))
            revised = self._desk.tasks.revise(child.id, given["brief"], self._desk.actor)
            return self._child(child, revised_text(revised.brief.version, revised.brief.brief))
        made = self._desk.tasks.delegate(record.id, given["brief"], self._desk.actor, capabilities=CHILD)
        self._desk.budget.tasks += 1
        held = self._desk.tasks.held(made.trace.id)
        if held.anchor is None:
            raise RuntimeError("a child without an anchor")
        return self._child(made.trace, task_text(held.anchor, made.brief.brief))

    def _own(self, record: TraceRecord, task_id: str) -> TraceRecord:
        child = self._desk.contexts.record(task_id)
        if child.parent_id != record.id:
            raise NotFoundError("This task has no such child.", code="no-task")
        return child

    def _child(self, child: TraceRecord, text: str) -> Json:
        loop = Loop(self._desk, child, self.agent)
        loop.begin(text)
        report = loop.run()
        validation = self._validate(child, loop.trace, report)
        self._results[child.id] = (report, validation)
        return {
            "task": child.id,
            "report": report,
            "validation": {"verdict": validation.verdict, "reason": validation.reason},
        }

    def _review(self, record: TraceRecord, given: Json) -> Json:
        child = self._own(record, str(given.get("task") or ""))
        if given["decision"] not in _DECISIONS:
            raise UsageError("A decision is accept, revise or reject.", code="bad-arguments")
        report, validation = self._results.get(child.id) or self._earlier(child)
        following = given.get("next_brief")
        approved = self._desk.tasks.settle_brief(record.id, following) if following else None
        result = Result(
            report=report,
            validation={"verdict": validation.verdict, "reason": validation.reason},
            review={"decision": given["decision"], "reason": str(given.get("reason") or "")},
            verdict=validation.verdict,  # type: ignore[arg-type]  # one of three, as `verdict_of` has it
            next_brief=approved,
        )
        kept = self._desk.tasks.review(child.id, result, self._desk.actor)
        ref = kept.reference
        return {
            "task": child.id,
            "reference": {"ref_id": ref.ref_id, "version": ref.version} if ref else None,
            "warning": kept.warning,
        }

    def _earlier(self, child: TraceRecord) -> tuple[str, Validation]:
        """The result of a child that another process worked on: its last words; its validation is not known here."""
        path = self._desk.contexts.load(child.id).path()
        if not path or path[-1].role != "assistant" or path[-1].calls:
            raise NotFoundError("This task has no result to review.", code="no-result")
        return path[-1].content, Validation("unknown", "It was validated in an earlier run, if at all.")

    # --- validation ---------------------------------------------------------------------------------------------------

    def _validate(self, record: TraceRecord, trace: Trace, report: str, *, candidate: str = "") -> Validation:
        """Judged by a model that sees the packet alone; not judged at all where the packet would have to be cut."""
        if not self._desk.options.validate:
            return Validation("unknown", "No validation was asked for.")
        held = self._desk.tasks.held(trace.id)
        if held.anchor is None:
            return Validation("unknown", "The root has no anchor.")
        criteria = held.brief.brief.completion_criteria if held.brief else held.anchor.completion_criteria
        packet = self._desk.tasks.packet(trace, report, plan={"criteria": list(criteria)}, candidate=candidate or None)
        if packet.verdict:
            return Validation(packet.verdict, packet.reason)
        return self._judged(record, packet)

    def _judged(self, record: TraceRecord, packet: Packet) -> Validation:
        path = (Message(1, 0, "validator", "system", VALIDATOR), Message(2, 1, "packet", "user", packet.text))
        seconds = self._desk.budget.take()
        self._desk.progress.step("validating", self._desk.budget.calls)
        reply = self._desk.send(record, Offer(path), seconds)
        return verdict_of(reply.content)
