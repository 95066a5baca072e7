"""Lifecycle: encodings, folders, no folder, foreign URIs, leaving."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

from lsprotocol import types

from support.lsp import editor, environment, write

if TYPE_CHECKING:
    from pathlib import Path


async def test_the_encoding_is_agreed_on(root: Path, data: Path, profile: str) -> None:
    """Neovim counts in UTF-8, VS Code in UTF-16: a finding after a test tube starts where each expects it."""
    write(root, "AGENTS.md", "\U0001f9ea @docs/missing.md\n")
    async with editor(root, data, profile) as found:
        encoding = found.result.capabilities.position_encoding
        assert encoding == {"neovim": "utf-8", "visual_studio_code": "utf-16"}[profile]
        found.open("AGENTS.md")
        await found.until(lambda: "broken-import" in found.codes("AGENTS.md"))
        [item] = [item for item in found.client.diagnostics[found.uri("AGENTS.md")] if item.code == "broken-import"]
        assert item.range.start == types.Position(0, {"utf-8": 5, "utf-16": 3}[encoding])


async def test_utf_32_is_spoken_where_it_is_preferred(root: Path, data: Path) -> None:
    """The client's first known encoding is taken."""
    write(root, "AGENTS.md", "\U0001f9ea @docs/missing.md\n")

    def change(capabilities: types.ClientCapabilities) -> None:
        capabilities.general.position_encodings = ["utf-7", types.PositionEncodingKind.Utf32, "utf-8"]

    async with editor(root, data, change=change) as found:
        assert found.result.capabilities.position_encoding == "utf-32"
        found.open("AGENTS.md")
        await found.until(lambda: found.codes("AGENTS.md"))
        assert found.client.diagnostics[found.uri("AGENTS.md")][0].range.start == types.Position(0, 2)


async def test_folders_inside_one_another(root: Path, data: Path) -> None:
    """The innermost folder owns a file; `webapp` is not inside `web`; a removed folder hands over to the outer one."""
    write(root, "AGENTS.md", "outer\n")
    write(root, "packages/web/AGENTS.md", "web @docs/none.md\n")
    write(root, "packages/web/x.ts", "")
    write(root, "packages/webapp/x.ts", "")
    inner = root / "packages" / "web"
    async with editor(root, data, folders=[root, inner]) as found:
        hover = await found.hover("packages/web/x.ts")
        assert "1 file," in hover
        assert "packages/web/AGENTS.md" not in hover
        assert "`AGENTS.md`" in await found.hover("packages/webapp/x.ts")
        await found.until(lambda: found.codes("packages/web/AGENTS.md"))
        await found.settled()
        assert found.codes("packages/web/AGENTS.md") == ["broken-import"]
        event = types.WorkspaceFoldersChangeEvent(added=[], removed=[types.WorkspaceFolder(inner.as_uri(), "web")])
        found.client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(event))
        hover = await found.hover("packages/web/x.ts")
        assert "2 files," in hover
        assert "packages/web/AGENTS.md" in hover
        await found.settled()
        assert found.codes("packages/web/AGENTS.md") == ["broken-import"]
        event = types.WorkspaceFoldersChangeEvent(added=[types.WorkspaceFolder(inner.as_uri(), "web")], removed=[])
        found.client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(event))
        assert "1 file," in await found.hover("packages/web/x.ts")


async def test_a_folder_that_left_leaves_no_findings(root: Path, data: Path) -> None:
    """The findings of a removed folder are emptied when no other folder owns the files."""
    write(root, "a/AGENTS.md", "@docs/none.md\n")
    write(root, "b/AGENTS.md", "@docs/none.md\n")
    async with editor(root, data, folders=[root / "a", root / "b"]) as found:
        await found.until(lambda: found.codes("a/AGENTS.md") and found.codes("b/AGENTS.md"))
        event = types.WorkspaceFoldersChangeEvent(added=[], removed=[types.WorkspaceFolder((root / "a").as_uri(), "a")])
        found.client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(event))
        await found.until(lambda: found.codes("a/AGENTS.md") == [])
        assert found.codes("b/AGENTS.md") == ["broken-import"]


async def test_root_uri_and_root_path_are_fallbacks(root: Path, data: Path) -> None:
    """Clients without folders are understood."""
    write(root, "AGENTS.md", "g\n")
    for fields in ({"root_uri": root.as_uri()}, {"root_path": str(root)}):
        async with editor(root, data, initialize={"workspace_folders": None, **fields}) as found:
            assert "`AGENTS.md`" in await found.hover("x.py")


async def test_without_a_folder_nothing_is_scanned(root: Path, data: Path) -> None:
    """A message says so, hovers are null, and commands say what is missing."""
    write(root, "AGENTS.md", "g @docs/none.md\n")
    for fields in ({"workspace_folders": None}, {"workspace_folders": []}):
        async with editor(root, data, initialize=fields) as found:
            assert await found.hover("x.py") is None
            found.open("AGENTS.md")
            await found.until(lambda: any("no workspace folder" in item.message for item in found.client.messages))
            await found.settled()
            assert found.published == []


async def test_what_is_no_file_is_answered_with_null(root: Path, data: Path) -> None:
    """Untitled buffers, other schemes and odd watch entries neither crash nor reach the disk; the rest is handled."""
    write(root, "AGENTS.md", "g\n")
    async with editor(root, data) as found:
        found.open("untitled:Untitled-1", "hello")
        assert await found.hover("untitled:Untitled-1") is None
        found.open("git:/repo/AGENTS.md?%7B%22ref%22%3A%22HEAD%22%7D", "old")
        found.touched("_odd_scheme:/repo/file.py", "not a uri:", found.uri("AGENTS.md"))
        assert await found.hover("vscode-notebook-cell:/repo/n.ipynb#c1") is None
        found.close("AGENTS.md")
        assert "`AGENTS.md`" in await found.hover("x.py")


async def test_percent_encoded_uris_are_decoded_once(root: Path, data: Path) -> None:
    """`%2525` is the name `%25`, `+` is a plus, hex case is free; published URIs are accepted back."""
    inside = root / "my repo #1 100% + caf\xe9"
    write(inside, "AGENTS.md", "g @docs/none.md\n")
    write(inside, "a+b/AGENTS.md", "h\n")
    write(inside, "a+b/50%25.py", "")
    write(inside, "p%41q/AGENTS.md", "i\n")
    async with editor(inside, data) as found:
        base = f"{root.as_uri()}/my%20repo%20%231%20100%25%20"
        for tail in ("%2B%20caf%C3%A9/a+b/50%2525.py", "+%20caf%c3%a9/a%2Bb/50%2525.py"):
            hover = await found.hover(base + tail)
            assert "2 files," in hover
            assert "a+b/AGENTS.md" in hover
        assert "p%41q/AGENTS.md" in await found.hover(base + "%2B%20caf%C3%A9/p%2541q/x.py")
        await found.until(lambda: found.published)
        assert "`AGENTS.md`" in await found.hover(found.published[0].uri)


def start(data: Path, *arguments: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "waybook", "lsp", *arguments]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=environment(data), cwd=data)


def framed(**message: object) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


INITIALIZE = {"processId": None, "rootUri": None, "capabilities": {}}


def test_the_server_leaves_when_its_input_ends(data: Path) -> None:
    """No orphan is left by an editor that died; the status says whether goodbyes were said."""
    ended = start(data)
    ended.communicate(b"", timeout=20)
    assert ended.returncode == 0
    rude = start(data)
    rude.communicate(framed(id=1, method="initialize", params=INITIALIZE) + framed(method="exit"), timeout=20)
    assert rude.returncode == 1


def test_the_server_leaves_when_the_editor_is_gone(data: Path) -> None:
    """The process id of `initialize` is watched, though the input stays open."""
    editor_process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    server = start(data)
    assert server.stdin is not None
    params = {**INITIALIZE, "processId": editor_process.pid}
    server.stdin.write(framed(id=1, method="initialize", params=params) + framed(method="initialized", params={}))
    server.stdin.write(framed(id=2, method="no/such"))
    server.stdin.flush()
    assert server.stdout is not None
    heard = b""
    while b'"id":2' not in heard:  # answered after `initialized`: the watch stands
        heard += os.read(server.stdout.fileno(), 4096)
    time.sleep(0.2)
    editor_process.send_signal(signal.SIGKILL)
    editor_process.wait()
    try:
        assert server.wait(20) == 1
    finally:
        server.kill()
        for stream in (server.stdin, server.stdout, server.stderr):
            assert stream is not None
            stream.close()


async def test_tcp_serves_one_client_on_loopback(data: Path) -> None:
    """`--tcp 0` says on which port it listens, and ends with its client."""
    server = start(data, "--tcp", "0")
    assert server.stderr is not None
    line = await asyncio.to_thread(server.stderr.readline)
    assert b"127.0.0.1:" in line
    reader, writer = await asyncio.open_connection("127.0.0.1", int(line.rsplit(b":", 1)[1]))
    writer.write(framed(id=1, method="initialize", params=INITIALIZE))
    assert b"Content-Length" in await asyncio.wait_for(reader.readline(), 20)
    writer.write(framed(id=2, method="shutdown") + framed(method="exit"))
    await writer.drain()
    await asyncio.wait_for(reader.read(), 20)
    writer.close()
    await writer.wait_closed()
    assert await asyncio.to_thread(server.wait, 20) == 0
    server.communicate()
