"""Kill -9 before every statement of a compaction, and inside its summariser; run by test_killed.py."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from compaction.helpers import Scripted, compact, marked, operations
from sessions.world import World
from store.helpers import open_store
from store.kill_points import _finish, _fork, at_every_statement
from support.talks import thread_with_talk
from waybook.base.ids import SystemIds


def prepared(path: Path) -> str:
    """A store with a thread of twelve messages."""
    world = World(open_store(str(path)))
    thread, _, talk = thread_with_talk(world)
    talk.turns(6)
    world.store.close()
    return thread


def check(path: Path, thread: str, *, acknowledged: bool, asked: bool) -> str:
    """What a death left: all of a compaction or nothing of it; the key asks nobody again; the thread stays usable."""
    world = World(open_store(str(path), ids=SystemIds()))
    states = dict(operations(world))
    marks = len(marked(world))
    state = states.get("op1", "none")
    assert marks == (8 if state == "done" else 0), (state, marks)
    assert not acknowledged or state == "done", state
    model = Scripted()
    again = compact(world, thread, model)
    if state == "none":
        assert not asked
        assert again.state == "done"
    else:
        assert (again.state, again.repeated, model.asked) == (state, True, [])
    if state == "needs_check":
        assert compact(world, thread, model, key="op2").state == "done"
    world.store.close()
    return state


def main(path: Path) -> None:
    """Prints how often each state was left."""
    thread = prepared(path)
    kept = path.with_suffix(".kept")
    shutil.copy(path, kept)
    asked = path.with_suffix(".asked")
    seen: dict[str, int] = {}

    def answer(_request: object) -> str:
        asked.touch()
        return "A summary."

    def dies(_request: object) -> str:
        os.kill(os.getpid(), signal.SIGKILL)
        return ""

    def work(model: Scripted) -> None:
        world = World.__new__(World)
        world.store = open_store(str(path), ids=SystemIds())
        compact(world, thread, model)

    def renew() -> None:
        for old in path.parent.glob(f"{path.name}*"):
            old.unlink()
        asked.unlink(missing_ok=True)
        shutil.copy(kept, path)

    renew()
    for acknowledged in at_every_statement(lambda: work(Scripted(answer))):
        state = check(path, thread, acknowledged=acknowledged, asked=asked.exists())
        seen[state] = seen.get(state, 0) + 1
        renew()
    acknowledged, killed = _finish(*_fork(lambda: work(Scripted(dies)), lambda: None))
    assert killed
    assert not acknowledged
    assert check(path, thread, acknowledged=False, asked=False) == "needs_check"
    sys.stdout.write(" ".join(f"{state}={seen.get(state, 0)}" for state in ("none", "needs_check", "done")))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
