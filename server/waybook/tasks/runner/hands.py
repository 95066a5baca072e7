"""Running the calls that a model makes. Whatever goes wrong becomes the call's result; only what ends a run is raised."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from waybook.base.errors import CancelledError, NotFoundError, RefusedError, UnavailableError, UsageError, WaybookError
from waybook.base.records import to_json
from waybook.context.goals import view
from waybook.context.injection import Situation, run_hooks, situation_text
from waybook.tasks.references import listed, reference_from, used
from waybook.tasks.runner.options import MAX_RESULT

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from waybook.context.model import ToolCall
    from waybook.context.repository import TraceRecord
    from waybook.context.trace import Trace
    from waybook.tasks.runner.desk import Desk
    from waybook.tasks.runner.options import Json

_ENDS_A_RUN = frozenset({"budget-exhausted", "timeout", "window-exceeded", "context-too-large"})


class Hands:
    """The tools of one trace. `agent` hands tasks to children."""

    def __init__(self, desk: Desk, record: TraceRecord, agent: Callable[[TraceRecord, Json], Json]) -> None:
        self._desk = desk
        self._record = record
        self._agent = agent
        self._tools: dict[str, Callable[[Json, Trace], str]] = {
            "goal": self._goal,
            "skill": self._skill,
            "get_current_context": self._current_context,
            "history_search": self._history_search,
            "history_read": self._history_read,
            "read_context_ref": self._read_context_ref,
            "context_pin_propose": self._context_pin_propose,
            "agent": self._hand_down,
        }

    def do(self, call: ToolCall, trace: Trace, allowed: Collection[str] | None = None) -> str:
        """A call's result as text. `allowed`: of the trace's tools only these."""
        try:
            if call.name not in self._record.capabilities or (allowed is not None and call.name not in allowed):
                raise NotFoundError(f"There is no tool {call.name!r} here.", code="no-tool")
            given = json.loads(call.arguments or "{}")
            if not isinstance(given, dict):
                raise UsageError("Arguments are a JSON object.", code="bad-arguments")
            text = self._tools[call.name](given, trace)
        except (CancelledError, UnavailableError, RefusedError) as error:
            if isinstance(error, CancelledError) or error.code in _ENDS_A_RUN:
                raise
            return _failed(error)
        except WaybookError as error:
            return _failed(error)
        except ValueError:
            return _failed(UsageError("Arguments are a JSON object.", code="bad-arguments"))
        if len(text) > MAX_RESULT:
            return _failed(RefusedError(f"The result has {len(text):,} characters.", code="result-too-large"))
        return str(text)

    def _goal(self, given: Json, trace: Trace) -> str:
        done = False
        for title in _listed(given.get("add")):
            self._change("add", trace, text=title, under=str(given.get("under") or ""))
            done = True
        for action in ("done", "abandon", "focus"):
            if given.get(action):
                text = str(given.get("summary") or "") if action != "focus" else ""
                self._change(action, trace, goal_id=str(given[action]), text=text)
                done = True
        if not done:
            raise UsageError("Say what to do with which goal.", code="bad-arguments", hint="add, focus, done, abandon")
        return f"## Goals\n\n{view(self._desk.contexts.goals(trace.id).tree)}"

    def _change(self, action: str, trace: Trace, **fields: str) -> None:
        self._desk.contexts.change_goals(trace.id, action, self._desk.actor, sequence=trace.head, **fields)

    def _skill(self, given: Json, _trace: Trace) -> str:
        name = str(given.get("name") or "")
        for skill in self._desk.options.skills:
            if skill.name == name:
                return f"# Skill {skill.name}\n\n{skill.text}"
        raise NotFoundError(
            f"There is no skill {name!r}.",
            code="no-skill",
            hint=", ".join(skill.name for skill in self._desk.options.skills) or "There are none.",
        )

    def _current_context(self, _given: Json, trace: Trace) -> str:
        held = self._desk.tasks.held(trace.id)
        waiting = () if self._desk.inbox is None or self._record.parent_id else self._desk.inbox.waiting
        brief = held.brief
        return situation_text(
            Situation(
                now=self._desk.now(),
                tree=self._desk.contexts.goals(trace.id).tree,
                notices=tuple(record.content[:120] for record in waiting),
                anchor=held.anchor.text if held.anchor else "",
                brief=f"version {brief.version}, {len(brief.brief.text):,} characters" if brief else "",
                references=listed(held.references),
                used=used(held.references),
                added=run_hooks(self._desk.hooks),
            )
        )

    def _history_search(self, given: Json, _trace: Trace) -> str:
        found = self._desk.search(self._run(), str(given.get("query") or ""), str(given.get("cursor") or ""))
        return _text(found)

    def _history_read(self, given: Json, _trace: Trace) -> str:
        handle, sha = str(given.get("handle") or ""), str(given.get("content_sha256") or "")
        return _text(self._desk.read(self._run(), handle, int(given.get("offset") or 0), sha))

    def _run(self) -> str:
        if not self._record.run_id:
            raise NotFoundError("This task belongs to no run; there is nothing to recall.", code="no-run")
        return self._record.run_id

    def _read_context_ref(self, given: Json, trace: Trace) -> str:
        return self._desk.tasks.read_reference(trace.id, reference_from(given))

    def _context_pin_propose(self, given: Json, _trace: Trace) -> str:
        return _text(self._desk.propose(self._run(), str(given.get("text") or "")))

    def _hand_down(self, given: Json, _trace: Trace) -> str:
        return _text(self._agent(self._record, given))


def _listed(value: Any) -> list[str]:
    return [str(item) for item in value] if isinstance(value, list) else [str(value)] if value else []


def _text(value: Any) -> str:
    return json.dumps(to_json(value), ensure_ascii=False)


def _failed(error: WaybookError) -> str:
    return json.dumps({"error": {"code": error.code, "message": error.message, "hint": error.hint}}, ensure_ascii=False)
