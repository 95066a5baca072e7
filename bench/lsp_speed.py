"""The language server against a bare pygls server: from start to the first findings, from a change to findings and hover."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

from lsp_client import Client
from measure import Ratio, Side, compare, quantile
from programs import waybook
from trees import Made

BARE = [sys.executable, str(Path(__file__).with_name("bare_server.py"))]
OURS = [waybook(), "lsp"]
CHANGES = 300


def run(_tree: Made, small: Made) -> list[Ratio]:
    note = f"{small.instruction_files} instruction files in {small.files} files; one client, findings pushed"
    start = compare(
        "language server, start to first findings", "bare pygls server", _start(OURS, small), _start(BARE, small),
        runs=11, reach=1.3, note=note,
    )  # fmt: skip
    return [start, *_typing(small, note)]


def _start(command: list[str], tree: Made) -> Side:
    def side() -> float:
        started = time.perf_counter()
        client = Client(command, tree.root)
        client.begin()
        uri = _open(client, tree)
        client.findings(uri, 1)
        took = time.perf_counter() - started
        client.end()
        return took

    return side


def _open(client: Client, tree: Made) -> str:
    path = Path(tree.root) / "AGENTS.md"
    document = {"uri": path.as_uri(), "languageId": "markdown", "version": 1, "text": _text(path, 1)}
    client.tell("textDocument/didOpen", {"textDocument": document})
    return path.as_uri()


def _text(path: Path, version: int) -> str:
    """The file's own text, one word another in each version; findings are told for each version."""
    return f"{path.read_text(encoding='utf-8')}\nThe word of the day is number {version}.\n"


def _typing(tree: Made, note: str) -> list[Ratio]:
    sides = {}
    clients = [Client(OURS, tree.root), Client(BARE, tree.root)]
    for client in clients:
        client.begin()
        client.findings(_open(client, tree), 1)
    time.sleep(2)  # what a start leaves to do in the background is done by then
    for number in range(2, CHANGES + 2):
        for client, who in zip(clients, ("ours", "theirs"), strict=True):
            for what, took in (("change", _change(client, tree, number)), ("hover", _hover(client, tree))):
                sides.setdefault((who, what), []).append(took)
    for client in clients:
        client.end()
    made = []
    for what, title in (("change", "from a change to its findings"), ("hover", "hover")):
        for share in (0.5, 0.99):
            ours, theirs = (quantile(sides[who, what][20:], share) for who in ("ours", "theirs"))
            ratio = ours / theirs
            name = f"language server, {title}, p{share * 100:.0f}"
            made.append(
                Ratio(name, "bare pygls echo server", ratio, ratio, ratio, ours, theirs, CHANGES - 20, 2, note=note)
            )
    return made


def _change(client: Client, tree: Made, version: int) -> float:
    path = Path(tree.root) / "AGENTS.md"
    changes = [{"text": _text(path, version)}]
    started = time.perf_counter()
    client.tell(
        "textDocument/didChange",
        {"textDocument": {"uri": path.as_uri(), "version": version}, "contentChanges": changes},
    )
    client.findings(path.as_uri(), version)
    return time.perf_counter() - started


def _hover(client: Client, tree: Made) -> float:
    uri = (Path(tree.root) / "AGENTS.md").as_uri()
    started = time.perf_counter()
    client.ask("textDocument/hover", {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 3}})
    return time.perf_counter() - started


Benchmark = Callable[[Made, Made], list[Ratio]]
