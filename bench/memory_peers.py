"""Long-term memory against peers: speed at 10,000 records, lost updates, leftovers. Writes docs/benchmarks-memory.md.

`bench/memory_peers.py [--records N] [--json build/bench-memory.json] [--page]`. Peers: the memory server of the Model Context
Protocol (npm, driven over its pipe) and LangGraph's SQLite store (in this process). The sides take turns in one run, each
in the same way: our service in this process against LangGraph's, our language server over its pipe against theirs.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, closing
from importlib.metadata import version
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from lsp_client import Client
from programs import waybook
from waybook.base.actor import Actor
from waybook.base.clock import SystemClock
from waybook.base.errors import ConflictError
from waybook.base.ids import SystemIds
from waybook.memory.model import Change, Draft, Scope
from waybook.memory.search_service import SearchService
from waybook.memory.service import MemoryService
from waybook.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parent.parent
PEERS = ROOT / "build/peers"
SERVER = ("@modelcontextprotocol/server-memory", "2026.8.31")
USER, ME = [(Scope.USER, "local-user")], Actor("operator", "ada")
SYLLABLES = [
    "ba",
    "be",
    "bi",
    "co",
    "da",
    "de",
    "du",
    "fa",
    "ga",
    "ge",
    "ki",
    "la",
    "le",
    "lo",
    "ma",
    "me",
    "mi",
    "na",
    "ne",
    "no",
    "pa",
    "po",
    "ra",
    "re",
    "ri",
    "sa",
    "se",
    "so",
    "ta",
    "te",
    "ti",
    "to",
    "va",
    "ve",
]
HAN = "测试打包発布审查部署缓存迁移会話検索記憶文書"
NEEDLE = "Fluegelhorn-4711-Brueckenpfeiler"
UPDATES = 200


def vocabulary(chance: Random) -> list[str]:
    """12,000 words, one in ten Chinese."""
    words = []
    while len(words) < 12_000:
        han = chance.random() < 0.1
        words.append("".join(chance.choices(HAN if han else SYLLABLES, k=chance.randint(2, 4))))
    return words


def texts(count: int) -> list[tuple[str, str]]:
    """Titles and contents of about 400 bytes, always the same; words are as rare as in real text (Zipf's law)."""
    chance = Random(5)
    words = vocabulary(chance)
    weights = [1 / (place + 3) for place in range(len(words))]
    return [
        (" ".join(chance.choices(words, weights, k=4)), " ".join(chance.choices(words, weights, k=55)))
        for _ in range(count)
    ]


def queries(records: list[tuple[str, str]]) -> list[str]:
    """Words, parts of words and pairs of words that stand in some record, common and rare ones as they come."""
    chance, found = Random(6), []
    for number in range(60):
        one, two = chance.sample(chance.choice(records)[1].split(), 2)
        found.append((one, one[1:] or one, f"{one} {two}")[number % 3])
    return found


class Ours:
    """Waybook's service in this process."""

    name = "waybook (in process)"

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.store = Store.open("", data_dir=str(folder), clock=SystemClock(), ids=SystemIds())
        self.memory, self.searcher = MemoryService(self.store), SearchService(self.store)

    def fill(self, records: list[tuple[str, str]]) -> None:
        self.memory.create_all([Draft("user", title, content) for title, content in records], ME)

    def create(self, title: str, content: str) -> object:
        return self.memory.create(Draft("user", title, content), ME)

    def list(self) -> int:
        return len(self.memory.list(USER, limit=50).memories)

    def search(self, query: str) -> int:
        return self.searcher.search(query, USER, limit=20).total

    def residue(self) -> list[str]:
        kept = self.memory.create(Draft("user", NEEDLE, NEEDLE * 100), ME)
        self.memory.edit(kept.id, 1, Change(title="other", content="other"), ME)
        return leftovers(self.folder)

    def close(self) -> None:
        self.store.close()


class OursServed:
    """Waybook's language server over its pipe."""

    name = "waybook (server)"

    def __init__(self, folder: Path) -> None:
        root = folder.parent / "workspace"
        root.mkdir(exist_ok=True)
        self.client = Client(["env", f"WAYBOOK_DATA_DIR={folder}", "WAYBOOK_OPERATOR=ada", waybook(), "lsp"], str(root))
        self.client.begin()

    def call(self, command: str, **params: Any) -> Any:
        return self.client.ask(
            "workspace/executeCommand", {"command": f"waybook.memory.{command}", "arguments": [params]}
        )

    def create(self, title: str, content: str) -> object:
        return self.call("create", scope="user", title=title, content=content)

    def list(self) -> int:
        return len(self.call("list", scope="user", limit=50)["memories"])

    def search(self, query: str) -> int:
        return int(self.call("search", scope="user", words=query.split(), limit=20)["total"])

    def close(self) -> None:
        self.client.end()


class Theirs:
    """The Model Context Protocol's memory server over its pipe. It lists by handing out everything."""

    name = "MCP memory server"

    def __init__(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        self.folder, self.file = folder, folder / "memory.jsonl"
        program = PEERS / "node_modules" / SERVER[0] / "dist/index.js"
        if not program.exists():
            subprocess.run(["npm", "install", "--silent", "--prefix", str(PEERS), "@".join(SERVER)], check=True)
        self.process = subprocess.Popen(
            ["node", str(program)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "MEMORY_FILE_PATH": str(self.file)},
        )
        self.number = 0
        client = {"name": "bench", "version": "1"}
        self.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def ask(self, method: str, params: dict[str, Any]) -> Any:
        self.number += 1
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        assert self.process.stdout
        while True:
            message = json.loads(self.process.stdout.readline())
            if message.get("id") == self.number:
                if "error" in message:
                    raise SystemExit(f"{method}: {message['error']}")
                return message["result"]

    def tool(self, name: str, **arguments: Any) -> Any:
        result = self.ask("tools/call", {"name": name, "arguments": arguments})
        return json.loads(result["content"][0]["text"]) if result["content"][0]["text"].startswith(("{", "[")) else None

    def fill(self, records: list[tuple[str, str]]) -> None:
        lines = (
            json.dumps(
                {"type": "entity", "name": title, "entityType": "note", "observations": [content]}, ensure_ascii=False
            )
            for title, content in records
        )
        self.file.write_text("\n".join(lines), encoding="utf-8")

    def create(self, title: str, content: str) -> object:
        return self.tool("create_entities", entities=[{"name": title, "entityType": "note", "observations": [content]}])

    def list(self) -> int:
        return len(self.tool("read_graph")["entities"])

    def search(self, query: str) -> int:
        return len(self.tool("search_nodes", query=query)["entities"])

    def residue(self) -> list[str]:
        self.create(NEEDLE, NEEDLE * 100)
        self.tool("delete_entities", entityNames=[NEEDLE])
        return leftovers(self.folder)

    def close(self) -> None:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.close()
        self.process.wait(10)
        self.process.stdout.close()


class LangGraph:
    """LangGraph's SQLite store in this process. Without an embedding model it finds no text: we read all and look."""

    name = "LangGraph SQLite store"

    def __init__(self, folder: Path) -> None:
        from langgraph.store.sqlite import SqliteStore

        folder.mkdir(exist_ok=True)
        self.folder, self.stack = folder, ExitStack()
        self.store = self.stack.enter_context(SqliteStore.from_conn_string(str(folder / "store.db")))
        self.store.setup()
        self.names = ("memories", "ada")

    def fill(self, records: list[tuple[str, str]]) -> None:
        from langgraph.store.base import PutOp

        for start in range(0, len(records), 500):
            part = records[start : start + 500]
            self.store.batch(
                [PutOp(self.names, title, {"title": title, "content": content}) for title, content in part]
            )

    def create(self, title: str, content: str) -> object:
        return self.store.put(self.names, title, {"title": title, "content": content})

    def list(self) -> int:
        return len(self.store.search(self.names, limit=50))

    def search(self, query: str) -> int:
        wanted = query.split()
        found = self.store.search(self.names, limit=1_000_000)
        return sum(
            all(word in item.value["content"] or word in item.value["title"] for word in wanted) for item in found
        )

    def residue(self) -> list[str]:
        self.create(NEEDLE, NEEDLE * 100)
        self.store.delete(self.names, NEEDLE)
        return leftovers(self.folder)

    def close(self) -> None:
        self.stack.close()


LOOK = """
import os, sys
for name in sorted(os.listdir(sys.argv[1])):
    with open(os.path.join(sys.argv[1], name), "rb") as file:
        if sys.argv[2].encode() in file.read():
            print(name)
"""


def leftovers(folder: Path) -> list[str]:
    """The files that hold the needle, seen by another process while the store is open."""
    done = subprocess.run(
        [sys.executable, "-S", "-c", LOOK, str(folder), NEEDLE], capture_output=True, text=True, check=True
    )
    return done.stdout.split()


def speed(base: Path, records: list[tuple[str, str]], rounds: int) -> list[dict[str, Any]]:
    """Medians in seconds of each operation; the sides take turns."""
    sides: list[Any] = [Ours(base / "ours"), Theirs(base / "theirs"), LangGraph(base / "langgraph")]
    for side in sides:
        side.fill(records)
    sides.append(OursServed(base / "ours"))
    number, taken, asked = 0, {}, queries(records)
    for at in range(rounds + 2):
        for side in sides if at % 2 else reversed(sides):
            number += 1
            title, content = f"new {number}", records[number % len(records)][1]
            works: dict[str, Callable[[], object]] = {
                "create": lambda side=side, title=title, content=content: side.create(title, content),
                "list": side.list,
                "search": lambda side=side, at=at: side.search(asked[at % len(asked)]),
            }
            for what, work in works.items():
                started = time.perf_counter()
                work()
                if at >= 2:
                    taken.setdefault((what, side.name), []).append(time.perf_counter() - started)
    for side in sides:
        side.close()
    pairs = ((Ours.name, LangGraph.name), (OursServed.name, Theirs.name))
    return [
        {
            "what": what,
            "ours": mine,
            "theirs": other,
            "ours_ms": 1e3 * statistics.median(taken[what, mine]),
            "theirs_ms": 1e3 * statistics.median(taken[what, other]),
        }
        for what in ("create", "list", "search")
        for mine, other in pairs
    ]


def update(side: Any, number: int) -> int:
    """One of two processes: adds its lines to one shared record; answers how many were acknowledged."""
    acknowledged = 0
    for step in range(UPDATES):
        line = f"p{number}s{step}e"
        if isinstance(side, Ours):
            while True:
                (kept,) = side.memory.list(USER).memories
                try:
                    side.memory.edit(kept.id, kept.version, Change(content=f"{kept.content}\n{line}"), ME)
                except ConflictError:
                    continue
                break
        elif isinstance(side, Theirs):
            side.tool("add_observations", observations=[{"entityName": "shared", "contents": [line]}])
        else:
            value = side.store.get(side.names, "shared").value
            side.store.put(side.names, "shared", {**value, "content": f"{value['content']}\n{line}"})
        acknowledged += 1
    return acknowledged


SIDES: dict[str, Any] = {"ours": Ours, "theirs": Theirs, "langgraph": LangGraph}


def lost(base: Path, key: str) -> dict[str, Any]:
    """Two processes update one record; how many acknowledged updates are missing afterwards."""
    folder = base / f"updates-{key}"
    with closing(SIDES[key](folder)) as side:
        side.fill([("shared", "start")])
    workers = [
        subprocess.Popen(
            [sys.executable, __file__, "--update", key, str(folder), str(number)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for number in range(2)
    ]
    for worker in workers:  # both are ready before either begins
        assert worker.stdout
        worker.stdout.readline()
    for worker in workers:
        assert worker.stdin
        worker.stdin.write(b"go\n")
        worker.stdin.flush()
    answers = [worker.communicate() for worker in workers]
    acknowledged = sum(int(out or 0) for out, _ in answers)
    with closing(SIDES[key](folder)) as side:
        if key == "ours":
            (kept,) = side.memory.list(USER).memories
            content = kept.content
        elif key == "theirs":
            content = side.file.read_text(encoding="utf-8")
        else:
            content = side.store.get(side.names, "shared").value["content"]
    present = sum(f"p{number}s{step}e" in content for number in range(2) for step in range(UPDATES))
    failed = sum(worker.returncode != 0 for worker in workers)
    return {"who": SIDES[key].name, "acknowledged": acknowledged, "present": present, "failed_programs": failed}


def residue(base: Path, key: str) -> dict[str, Any]:
    """The files that still hold a text after its deletion (ours: even after an edit), while the store is open."""
    folder = base / f"residue-{key}"
    with closing(SIDES[key](folder)) as side:
        side.fill(texts(200))
        return {"who": SIDES[key].name, "files": side.residue()}


def page(found: dict[str, Any]) -> str:
    """The results as a page."""
    rows = "\n".join(
        f"| {row['what']} | {row['ours']} | {row['ours_ms']:.2f} | {row['theirs']} | {row['theirs_ms']:.2f} | "
        f"{row['theirs_ms'] / row['ours_ms']:.1f} times |"
        for row in found["speed"]
    )
    losses = "\n".join(
        f"| {row['who']} | {row['acknowledged']} | {row['acknowledged'] - row['present']} | {row['failed_programs']} |"
        for row in found["lost"]
    )
    rests = "\n".join(f"| {row['who']} | {', '.join(row['files']) or 'none'} |" for row in found["residue"])
    return f"""<!-- Written by bench/memory_peers.py --page: measure again instead of editing. -->

# Long-term memory, measured

{found["records"]:,} records of about 400 bytes, in one run on {found["machine"]}. Medians in milliseconds; the sides take
turns. Like is set against like: our service in the process against LangGraph's store in the process, our server over its
pipe against the Model Context Protocol's memory server over its pipe. {found["versions"]}.

| Operation | Waybook | ms | Peer | ms | Waybook is faster by |
| --- | --- | ---: | --- | ---: | ---: |
{rows}

Create is one durable write. List is the newest 50; the MCP server has no such listing and hands out everything. Search is
words, parts of words and pairs of words that stand somewhere, Chinese among them; LangGraph's store finds no text without an
embedding model, so everything is read and looked through. Waybook checks every new text for secrets; the peers do not.
A search's processor time in the process is 1.8 ms (median of the 60 queries, measured apart from the table); what the
table shows beyond that is the machine's other work, which all sides share.

## Two programs, one record

Each of two programs adds {UPDATES} lines to the same record.

| Store | Acknowledged | Lost | Programs that failed |
| --- | ---: | ---: | ---: |
{losses}

## What stays after a deletion

Files that hold the text afterwards, the store still open (Waybook: after a mere edit).

| Store | Files |
| --- | --- |
{rests}
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--json", type=Path, default=ROOT / "build/bench-memory.json")
    parser.add_argument("--page", action="store_true", help="write docs/benchmarks-memory.md")
    parser.add_argument("--update", nargs=3, metavar=("SIDE", "FOLDER", "NUMBER"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.update:
        key, folder, number = options.update
        with closing(SIDES[key](Path(folder))) as side:
            print("ready", flush=True)
            sys.stdin.readline()
            print(update(side, int(number)))
        return
    with tempfile.TemporaryDirectory() as directory:
        base = Path(directory)
        found = {
            "records": options.records,
            "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors, Python {platform.python_version()}",
            "versions": f"Peers: {' '.join(SERVER)}, langgraph-checkpoint-sqlite {version('langgraph-checkpoint-sqlite')}",
            "speed": speed(base, texts(options.records), options.rounds),
            "lost": [lost(base, key) for key in SIDES],
            "residue": [residue(base, key) for key in SIDES],
        }
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_text(json.dumps(found, indent=1) + "\n")
    print(page(found))
    if options.page:
        (ROOT / "docs/benchmarks-memory.md").write_text(page(found), encoding="utf-8")


if __name__ == "__main__":
    main()
