"""Recorded runs of the real programs: makes a record's tree on disk and compares an answer with what was recorded."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from waybook.agents import Loading, Request

if TYPE_CHECKING:
    from waybook.workspace.box import Box

FOLDER = Path(__file__).parents[2] / "fixtures" / "agents"
TOP = "/mnt"
"""Where the recorded box lay: relative paths of a record are below it."""

IMPOSSIBLE: dict[tuple[str, str], str] = {}
"""(agent, record) -> why the record cannot be met."""


@dataclass(frozen=True)
class Record:
    agent: str
    version: str
    data: dict[str, Any]

    def __str__(self) -> str:
        return f"{self.agent}-{self.data['id']}"


def records(agent: str) -> list[Record]:
    content = json.loads((FOLDER / f"{agent}.json").read_text())
    return [Record(agent, content["version"], data) for data in content["records"]]


def boxed(path: str) -> str:
    """A record's path as the program saw it."""
    return path if path.startswith("/") else f"{TOP}/{path}"


def content(value: Any) -> bytes:
    """A file's bytes from their compact form."""
    if isinstance(value, str):
        return value.encode()
    if "base64" in value:
        return base64.b64decode(value["base64"])
    if "numbered" in value:
        line, count = value["numbered"]
        middle = "".join(line.format(number) for number in range(count))
    else:
        unit, count = value["repeat"]
        middle = unit * count
    return (value["prefix"] + middle + value["suffix"]).encode()


def materialise(record: Record, root: Path) -> None:
    """Write the record's tree below `root`, which stands for the file system's root."""
    for path in record.data.get("git_dirs", ()):
        git = root / boxed(path)[1:] / ".git"
        for name in ("objects", "refs"):
            (git / name).mkdir(parents=True)
        (git / "HEAD").write_text("ref: refs/heads/main\n")
    for path, value in record.data["tree"].items():
        place = root / boxed(path)[1:]
        place.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(value, dict) and value.get("dir"):
            place.mkdir(exist_ok=True)
        elif isinstance(value, dict) and "symlink" in value:
            place.symlink_to(value["symlink"])
        else:
            place.write_bytes(content(value))
    (root / boxed(record.data["cwd"])[1:]).mkdir(parents=True, exist_ok=True)
    (root / TOP[1:] / "home").mkdir(parents=True, exist_ok=True)


def request(record: Record, root: Path) -> Request:
    data = record.data
    cwd = boxed(data["cwd"])
    roots = [boxed(path) for path in data.get("git_dirs", ()) if f"{cwd}/".startswith(f"{boxed(path)}/")]
    return Request(
        workspace=min(roots, default=cwd),
        cwd=cwd,
        target=boxed(data["touched"]) if "touched" in data else None,
        home=f"{TOP}/home",
        root=str(root),
        args=tuple(data.get("args", ())),
        env=data.get("env", {}),
        settings=data.get("settings", {}),
    )


Seen = tuple[str, str, int, int | None]


def expected(record: Record) -> list[Seen]:
    stages = {"start": "start", "touch": "lazy"}
    return [(boxed(path), stages[stage], size, cut) for path, stage, size, cut in record.data["loaded"]]


def found(record: Record, answer: Loading, box: Box) -> list[Seen]:
    """What the answer says about the files that a record can know: each by its real path, once."""
    data = record.data
    marked = {boxed(path) for path, *_ in data["loaded"]}
    marked |= {boxed(path) for path in (*data.get("not_loaded", ()), *data.get("named", ()))}
    seen: dict[str, Seen] = {}
    for item in answer.chain:
        real = box.real(item.abs_path) or item.abs_path
        if real in marked and item.when != "listed":
            sent = None if item.complete else (item.bytes if item.cut_at is None else item.cut_at)
            seen.setdefault(real, (real, item.when, item.bytes, sent))
    return list(seen.values())


def differences(record: Record, answer: Loading, box: Box) -> list[str]:
    """Every way in which an answer is not what was recorded; empty when it conforms."""
    want, have = expected(record), found(record, answer, box)
    wrong = [f"missing {item[:2]}" for item in want if item[:2] not in {other[:2] for other in have}]
    wrong += [f"too much {item[:2]}" for item in have if item[:2] not in {other[:2] for other in want}]
    if wrong:
        return wrong
    for stage in ("start", "lazy"):
        order = [[_text_key(record, item[0]) for item in items if item[1] == stage] for items in (want, have)]
        if _ordered(order[0], answer) != _ordered(order[1], answer):
            wrong.append(f"order {stage}: {order[1]} instead of {order[0]}")
    sizes = {item[0]: item for item in have}
    return wrong + [text for item in want if (text := _size_difference(item, sizes[item[0]]))]


def _text_key(record: Record, path: str) -> str:
    """The first path with the same text: a record knows a file by its text and cannot tell such files apart."""
    texts = {boxed(name): value for name, value in record.data["tree"].items()}
    return next((name for name, value in texts.items() if value == texts[path]), path)


def _ordered(paths: list[str], answer: Loading) -> list[str]:
    """The order as far as the agent has one: neighbours in an unordered folder are sorted."""
    result: list[str] = []
    run: list[str] = []
    for path in [*paths, ""]:
        folder = next((folder for folder in answer.unordered if path.startswith(f"{folder}/")), None)
        if folder:
            run.append(path)
        else:
            result += [*sorted(run), path]
            run = []
    return result


def _size_difference(want: Seen, have: Seen) -> str | None:
    """A cut may end within the line (64 bytes) that the record counts by."""
    if want[2] != have[2]:
        return f"{want[0]}: {have[2]} bytes instead of {want[2]}"
    if (want[3] is None) != (have[3] is None):
        return f"{want[0]}: cut {have[3]} instead of {want[3]}"
    if want[3] is not None and have[3] is not None and not 0 <= have[3] - want[3] < 64:
        return f"{want[0]}: cut at {have[3]} instead of {want[3]}"
    return None


def listed_wrongly(record: Record, answer: Loading) -> list[str]:
    """Paths listed although the record's request did not name them, and rules it named that are not listed.

    Other named paths stand in the text of a file that imports them.
    """
    named = {boxed(path) for path in record.data.get("named", ())}
    listed = {item.abs_path for item in answer.chain if item.when == "listed"}
    rules = {path for path in named if "/.github/instructions/" in path or "/.claude/rules/" in path}
    return sorted((listed - named) | (rules - listed))
