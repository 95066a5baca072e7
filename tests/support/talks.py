"""Conversations written straight into a store, as a run's session or an imported one, for recall and compaction."""

from __future__ import annotations

from typing import Any

from sessions.world import OPERATOR, RunState, World
from waybook.base.clock import timestamp


class Talk:
    """One session; `say` adds a message and answers its row number."""

    def __init__(
        self, world: World, run_id: str = "", name: str = "s1", parent: str = "", parent_call: str = ""
    ) -> None:
        self.world = world
        self.id = f"ses_{name}"
        self.native_id = name
        empty = dict.fromkeys(("title", "cwd", "branch", "version", "model", "path", "forked_from", "fork_point"), "")
        now = timestamp(world.store.clock.now())
        values: dict[str, Any] = {
            **empty, "id": self.id, "agent": "codex", "native_id": name, "run_id": run_id or None, "title_rank": 0,
            "parent": parent, "parent_call": parent_call, "started_at": now, "updated_at": now, "imported_at": now,
            "messages": 0, "prompts": 0, "calls": 0, "inherited": 0,
        }  # fmt: skip
        self.seq = self._insert("sessions", values)
        self.said = 0

    def _insert(self, table: str, values: dict[str, Any]) -> int:
        names = ", ".join(values)
        marks = ", ".join("?" * len(values))
        with self.world.store.write() as connection:
            done = connection.exec_driver_sql(f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(values.values()))
            return int(done.lastrowid)

    def say(self, text: str, kind: str = "prompt", *, hidden: int = 0, side: int = 0, call_id: str = "") -> int:
        self.said += 1
        roles = {"prompt": "user", "notice": "system", "summary": "system", "result": "tool"}
        return self._insert(
            "messages",
            {
                "session_seq": self.seq, "key": f"k{self.said}", "parent": "", "role": roles.get(kind, "assistant"),
                "kind": kind, "text": text, "call_id": call_id, "at": timestamp(self.world.store.clock.now()),
                "side": side, "hidden": hidden, "inherited": 0,
            },
        )  # fmt: skip

    def call(self, name: str, output: str, *, state: str = "ok", arguments: str = "{}") -> int:
        """A tool call with its receipt."""
        call_id = f"c{self.said + 1}"
        seq = self.say("", "call", call_id=call_id)
        self._insert(
            "tool_receipts",
            {
                "session_seq": self.seq, "call_id": call_id, "message_key": f"k{self.said}", "name": name,
                "arguments": arguments, "output": output, "state": state, "exit_code": None, "started_at": "",
                "finished_at": "",
            },
        )  # fmt: skip
        return seq

    def turns(self, count: int, text: str = "turn") -> list[int]:
        """So many prompts with answers."""
        seqs = []
        for number in range(count):
            seqs.append(self.say(f"{text} {number}: please do part {number}."))
            seqs.append(self.say(f"{text} {number}: part {number} is done.", "answer"))
        return seqs


def thread_with_talk(world: World, *, ended: bool = True, name: str = "s1") -> tuple[str, str, Talk]:
    """A thread with one run (completed unless told otherwise) and its session."""
    thread = world.thread()
    run = world.run(thread=thread)
    talk = Talk(world, run.id, name)
    if ended:
        world.complete(run.id)
    return thread, run.id, talk


def move(world: World, run_id: str, *states: RunState) -> None:
    for state in states:
        world.progress.move(run_id, state, OPERATOR)


def all_messages(world: World) -> list[tuple[Any, ...]]:
    with world.store.read() as connection:
        return [tuple(row) for row in connection.exec_driver_sql("SELECT * FROM messages ORDER BY seq")]
