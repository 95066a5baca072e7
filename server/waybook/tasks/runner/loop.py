"""One task at work: ask, run the calls it makes, put in what is due, compress when the history grows too long."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from waybook.context.injection import context_call, skill_call, skills_due, wants_context
from waybook.context.model import Injected, Message, ToolCall
from waybook.context.prompt import system_prompt
from waybook.context.shape import shape
from waybook.context.summary import PROMPTS, due, queue, recent_requests, summary_message, summary_text
from waybook.context.trace import first_request
from waybook.tasks.runner.hands import Hands
from waybook.tasks.runner.options import SIDE_TURNS, Step
from waybook.tasks.runner.tools import SIDE, offered

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from waybook.context.model import Branch, Kind
    from waybook.context.repository import TraceRecord
    from waybook.context.trace import Trace
    from waybook.tasks.runner.desk import Desk
    from waybook.tasks.runner.options import Json, Reply


class Loop:
    """Works on one trace until the model answers without a call. `agent` runs the tool that hands tasks to children."""

    def __init__(self, desk: Desk, record: TraceRecord, agent: Callable[[TraceRecord, Json], Json]) -> None:
        self._desk = desk
        self._record = record
        self.trace: Trace = desk.contexts.load(record.id)
        self._hands = Hands(desk, record, agent)
        self._rounds = 0
        self._compressed_at = 0

    def begin(self, text: str) -> None:
        """Write the system prompt, if this is a new trace, and a request."""
        drafts = [Message(0, 0, "", "user", text)]
        if not self.trace.last:
            options = self._desk.options
            prompt = system_prompt(config=options.system, skills=options.skills)
            drafts.insert(0, Message(0, 0, "", "system", prompt))
        self._add(drafts)

    def run(self) -> str:
        """The model's answer. Raises what ends a run: budget, time, cancel, a window that is too small."""
        while True:
            self._steering()
            self._compress()
            self._skills()
            reply = self._desk.call(self._record, self.trace.path(), offered(self._record.capabilities))
            if not reply.calls:
                self._add([self._said(reply, ())])
                return reply.content
            self._rounds += 1
            calls = self._calls(reply)
            if wants_context(self._rounds, calls, self._desk.options.policy):
                calls = (*calls, context_call(self._desk.new_id("call")))
            self._add([self._said(reply, calls)])
            for call in calls:
                self._result(call)

    # --- messages -----------------------------------------------------------------------------------------------------

    def _add(self, drafts: Sequence[Message], parent: int | None = None) -> tuple[Message, ...]:
        added = self._desk.contexts.append(self.trace, drafts, parent_sequence=parent)
        for message in added:
            self._desk.emit(Step(self.trace.id, self._record.depth, message))
        return added

    def _focus(self) -> str:
        return self._desk.contexts.goals(self.trace.id).tree.focus

    def _said(self, reply: Reply, calls: tuple[ToolCall, ...]) -> Message:
        return Message(
            0, 0, "", "assistant", reply.content, calls=calls, goal_id=self._focus(), reasoning=reply.reasoning
        )

    def _calls(self, reply: Reply) -> tuple[ToolCall, ...]:
        """Calls under ids that are unique in the trace, whatever the endpoint gave."""
        known = {call.id for message in self.trace.messages for call in message.calls}
        found = []
        for call_id, name, arguments in reply.calls:
            own = call_id if call_id and call_id not in known else self._desk.new_id("call")
            known.add(own)
            found.append(ToolCall(own, name, arguments))
        return tuple(found)

    def _result(self, call: ToolCall) -> None:
        goal = self._focus()
        text = self._hands.do(call, self.trace)
        kind: Kind = "context" if call.synthetic else "plain"
        self._add([Message(0, 0, "", "tool", text, call_id=call.id, goal_id=goal, kind=kind)])

    # --- what is due --------------------------------------------------------------------------------------------------

    def _steering(self) -> None:
        if self._desk.inbox is None or self._record.parent_id:
            return
        for admission in self._desk.inbox.drain_steering():
            self._add(
                [
                    Message(
                        0, 0, "", "user", one.content, kind=one.kind, display=one.display, provenance=one.provenance
                    )
                    for one in admission.messages
                ]
            )

    def _skills(self) -> None:
        options = self._desk.options
        tree = self._desk.contexts.goals(self.trace.id).tree
        path = shape(self.trace.path(), tree, options.policy, self._desk.sizes).messages
        for name in skills_due(path, self.trace.skills, options.inject, options.policy.recency):
            call = skill_call(self._desk.new_id("call"), name)
            text = self._hands.do(call, self.trace)
            _, given = self._add(
                [
                    Message(0, 0, "", "assistant", "", calls=(call,), kind="skill"),
                    Message(0, 0, "", "tool", text, call_id=call.id, kind="skill"),
                ]
            )
            self._desk.contexts.note_skill(self.trace, name, Injected(given.id, given.sequence))

    def _compress(self) -> None:
        """Level 2, where level 1 does not suffice: side branches in their order, then the path jumps over the rest."""
        policy = self._desk.options.policy
        tree = self._desk.contexts.goals(self.trace.id).tree
        path = self.trace.path()
        shaped = shape(path, tree, policy, self._desk.sizes)
        if not due(shaped.after, policy) or self.trace.last - self._compressed_at <= len(queue(policy)) + 1:
            return
        summary = ""
        for branch in queue(policy):
            summary = self._side_branch(branch)
        first = first_request(path)
        room = policy.limit - (self._desk.sizes.message(first) if first else 0) - self._desk.sizes.count(summary)
        requests = recent_requests(path, self._desk.sizes.message, max(0, room))
        content = summary_text(summary or "(no summary was written)", tree, requests)
        draft = summary_message(self.trace, content, "", "")
        self._add([draft], parent=draft.parent_sequence)
        self._compressed_at = self.trace.last
        self._desk.budget.compressions += 1

    def _side_branch(self, branch: Branch) -> str:
        """Several turns off the main path; its last words."""
        branch_id = self._desk.new_id("br")
        marks = {"branch_type": branch, "branch_id": branch_id}
        draft = replace(Message(0, 0, "", "user", PROMPTS[branch]), **marks)  # type: ignore[arg-type,index]  # marks of a branch; never ""
        (at,) = self._add([draft], parent=self.trace.head)
        tools = offered(tuple(name for name in self._record.capabilities if name in SIDE))
        for turn in range(SIDE_TURNS):
            last = turn == SIDE_TURNS - 1
            reply = self._desk.call(self._record, self.trace.path(at.sequence), () if last else tools)
            calls = () if last else self._calls(reply)
            (at,) = self._add([replace(self._said(reply, calls), **marks)], parent=at.sequence)  # type: ignore[arg-type]  # marks of a branch
            if not calls:
                return reply.content
            for call in calls:
                text = self._hands.do(call, self.trace, allowed=SIDE)
                result = Message(0, 0, "", "tool", text, call_id=call.id)
                (at,) = self._add([replace(result, **marks)], parent=at.sequence)  # type: ignore[arg-type]  # marks of a branch
        return ""
