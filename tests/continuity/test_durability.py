"""Killed, raced, reopened: no acknowledged node is lost and no fork is half."""

from __future__ import annotations

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from continuity.world import OPERATOR, World, stored
from store.helpers import DRIVERS, Counted, open_store

TESTS = Path(__file__).parents[1]
FORK = """
import sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from continuity.world import OPERATOR, World
from store.helpers import Counted, open_store
world = World(open_store(sys.argv[2], ids=Counted(int(sys.argv[5]))), Path(sys.argv[3]))
for _ in range(10):
    world.continuity.fork(sys.argv[4], OPERATOR)
    world.continuity.checkpoint(sys.argv[6], OPERATOR)
world.store.close()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="forks")
@pytest.mark.parametrize("driver", DRIVERS)
def test_kill_9_leaves_no_half_fork(driver: str, tmp_path: Path) -> None:
    """At every statement and at random moments."""
    script = str(TESTS / "continuity" / "kill_fork.py")
    code = f"import sys, runpy; sys.path.insert(0, {str(TESTS)!r}); runpy.run_path({script!r}, run_name='__main__')"
    done = subprocess.run(
        [sys.executable, "-c", code, driver, str(tmp_path / "kill")],
        capture_output=True,
        text=True,
        check=False,
        timeout=115,
    )
    assert done.returncode == 0, done.stderr
    assert "acknowledged" in done.stdout
    assert "not at all" in done.stdout


def test_many_threads_make_one_chain(world: World) -> None:
    """Each checkpoint has the one before as its parent; each fork is whole; titles differ."""
    run = world.run()
    world.say(run.id, "hello")
    first = world.continuity.checkpoint(run.id, OPERATOR)
    start = threading.Barrier(4)

    def work(_: int) -> None:
        start.wait()
        for _ in range(5):
            world.continuity.checkpoint(run.id, OPERATOR)
            world.continuity.fork(first.id, OPERATOR)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    nodes = stored(world.browse.tree(run.id))
    chain = [node for node in nodes if node.kind == "checkpoint"]
    assert len({node.parent_id for node in chain}) == len(chain) == 21
    forks = [node for node in nodes if node.kind == "fork"]
    assert len({node.title for node in forks}) == len(forks) == 20


def test_two_programs_at_once(tmp_path: Path) -> None:
    """Both are served; nothing is lost."""
    path = tmp_path / "x.db"
    world = World(open_store(str(path)), tmp_path / "ws")
    run = world.run()
    node = world.continuity.checkpoint(run.id, OPERATOR)
    arguments = [sys.executable, "-c", FORK, str(TESTS), str(path), str(tmp_path / "ws"), node.id]
    running = [subprocess.Popen([*arguments, str(start), run.id]) for start in (1000, 2000)]
    assert [process.wait(60) for process in running] == [0, 0]
    kinds = [item.kind for item in stored(world.browse.tree(run.id))]
    assert (kinds.count("fork"), kinds.count("checkpoint")) == (20, 21)
    world.store.close()


def test_a_new_process_reads_what_the_old_one_wrote(tmp_path: Path) -> None:
    """Nodes are data: nothing that ran is alive again."""
    path = str(tmp_path / "x.db")
    world = World(open_store(path), tmp_path / "ws")
    run = world.run()
    world.say(run.id, "hello")
    node = world.continuity.checkpoint(run.id, OPERATOR)
    tree = world.browse.tree(run.id)
    world.store.close()
    again = World(open_store(path, ids=Counted(500)), tmp_path / "ws")
    assert again.continuity.node(node.id) == node
    assert again.browse.tree(run.id) == tree
    assert again.continuity.fork(node.id, OPERATOR).run.state == "created"
    again.store.close()
