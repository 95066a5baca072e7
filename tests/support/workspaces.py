"""Small workspaces on the disk, an `App` whose time and ids stand still, and the real `waybook` program."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from waybook.app import App
from waybook.base.actor import Actor
from waybook.base.cancel import Progress
from waybook.commands.model import Call
from waybook.commands.registry import load

WAYBOOK = Path(sys.executable).with_name("waybook")
DEMO = Path(__file__).resolve().parent.parent.parent / "fixtures/workspaces/demo"
START = datetime(2026, 1, 5, 10, 0, tzinfo=UTC)


def make_tree(root: Path, files: dict[str, str | bytes | None]) -> Path:
    """Write files below a directory; None makes a directory, a text "-> x" a link to x."""
    root.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if content is None:
            path.mkdir()
        elif isinstance(content, bytes):
            path.write_bytes(content)
        elif content.startswith("-> "):
            path.symlink_to(content.removeprefix("-> "))
        else:
            path.write_bytes(content.encode())
    return root


class SteppingClock:
    """One second later each time it is asked."""

    def __init__(self) -> None:
        self.moment = START

    def now(self) -> datetime:
        """The next second."""
        self.moment += timedelta(seconds=1)
        return self.moment


class CountingIds:
    """`run_1`, `ws_2`, ..."""

    def __init__(self) -> None:
        self.made = 0

    def new(self, prefix: str) -> str:
        """The next number under this prefix."""
        self.made += 1
        return f"{prefix}_{self.made}"


class Desk:
    """Commands as a person (or an agent) calls them, in one workspace."""

    def __init__(
        self,
        root: Path,
        *,
        cwd: Path | None = None,
        options: dict[str, Any] | None = None,
        ids: CountingIds | None = None,
    ) -> None:
        self.root = root
        self.app = App(
            cwd=str(cwd or root), clock=SteppingClock(), ids=ids or CountingIds(), options=(("test", options or {}),)
        )

    def call(self, command_id: str, *, agent: bool = False, progress: Progress | None = None, **params: Any) -> Any:
        """Run a command and give its result."""
        command = load(command_id)
        actor = Actor("agent", "robot") if agent else Actor("operator", "tester")
        return command.run(self.app, command.params(**params), Call(actor, progress or Progress()))

    def exit_code(self, command_id: str, result: Any) -> int:
        """What a script would see."""
        return load(command_id).exit_code(result)


@dataclass
class Done:
    """A finished `waybook` process."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output as JSON."""
        return json.loads(self.out)


def waybook(
    *arguments: str | bytes,
    cwd: Path | bytes,
    env: dict[str, str] | None = None,
    program: tuple[str, ...] = (),
    code: int | None = None,
) -> Done:
    """Run the real program in a directory; `code` insists on an exit code."""
    done = subprocess.run(
        [*(program or (str(WAYBOOK),)), *arguments],
        cwd=cwd,
        env={**os.environ, **(env or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=60,
    )
    result = Done(done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8", "backslashreplace"))
    assert "Traceback" not in result.err, result.err
    if code is not None:
        assert result.code == code, (result.out, result.err)
    return result
