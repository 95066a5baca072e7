"""An instruction file that is a symbolic link.

**What it finds.** `AGENTS.md`, `CLAUDE.md` and the other instruction files where they are links, with what they point
to, whether the target is inside the workspace, and whether it exists.

**Why it matters.** The `.prayu` profile follows no links and refuses the directory and everything below it. Codex,
Claude Code and Copilot follow links inside the repository and load the text under the link's name; a checkout on
Windows often turns the link into a text file that holds only the target's name. Where agents are in use, the finding says
which of them follow the link and which refuse it.

**Example.** The most common one, `CLAUDE.md` -> `AGENTS.md`:

    CLAUDE.md:1:1: warning: CLAUDE.md is a symbolic link to AGENTS.md. Replace it by a regular file: links are refused.

The fix replaces the link by a one-line file `@AGENTS.md`, which Claude Code reads as an import.

**Not flagged.** Links elsewhere in the tree, regular files, `@` imports; a link of a single agent's file (`GEMINI.md`) unless an
agent in use that it is meant for refuses it.

**How to suppress.** Set the severity of `symlinked-file` in your settings; a link has no text of its own to hold a
comment.
"""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from waybook.analysis.findings import CreateFile, DeleteFile, Finding, Fix, TextEdit
from waybook.checks.agent_answers import by_agent, concerns, links, names, verb
from waybook.checks.model import DiskCheck
from waybook.checks.places import START, base_name, parent, whole

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.analysis.loading import Verdict
    from waybook.analysis.view import View


def run(view: View) -> Iterator[Finding]:
    """One finding on each linked instruction file."""
    for path, link in sorted(view.links.items()):
        target = resolve(path, link)
        if target is None:
            where = f"{link}, outside the workspace"
        elif target in view.documents or target in view.links or view.tree.exists(target):
            where = link
        else:
            where = f"{link}, which does not exist"
        exists = target is None or view.tree.exists(target)
        follow, refuse = _sides(links(view).get(path, ()), base_name(path)) if exists else ([], [])
        kind = "real directory" if base_name(path) in {".claude", ".prayu", "rules"} else "regular file"
        yield Finding(
            code=CHECK.code,
            path=path,
            span=START,
            message=f"{path} is a symbolic link to {where}. Replace it by a {kind}: links are refused."
            + _who(follow, refuse),
            fixes=tuple(_fixes(view, path, target)),
            agents=by_agent((*follow, *refuse)),
            data={"target": link},
        )
    yield from _of_single_agents(view)


def _of_single_agents(view: View) -> Iterator[Finding]:
    """Links that the profile does not know, where one refuses them that they are for."""
    for path, verdicts in links(view).items():
        refuse = [item for item in verdicts if item.reason == "link" and concerns(item, path)]
        if refuse and path in view.agent_links:
            link = view.agent_links[path]
            message = (
                f"{path} is a symbolic link to {link}, and {names(refuse)} {verb(refuse, 'does', 'do')} not follow it: "
                f"{getattr(refuse[0].item, 'why', '')}"
            )
            fixes = tuple(_fixes(view, path, resolve(path, link)))
            yield Finding(CHECK.code, path, START, message, fixes=fixes, agents=by_agent(refuse), data={"target": link})


def _sides(verdicts: tuple[Verdict, ...], name: str) -> tuple[list[Verdict], list[Verdict]]:
    """The agents that follow a link, and those that refuse it, among those that read files of this name."""
    readers = [item for item in verdicts if any(base_name(known) == name for known in item.agent.names)]
    follow = [item for item in readers if item.arrives or _same(item)]
    return follow, [item for item in readers if item.reason == "link"]


def _same(verdict: Verdict) -> bool:
    """Whether the agent saw through the link that the text is one it has already."""
    return verdict.reason == "displaced" and "same" in getattr(verdict.item, "why", "")


def _who(follow: list[Verdict], refuse: list[Verdict]) -> str:
    said = f" {names(follow)} {verb(follow, 'follows', 'follow')} it." if follow else ""
    return said + (f" {names(refuse)} {verb(refuse, 'refuses', 'refuse')} it." if refuse else "")


def resolve(path: str, link: str) -> str | None:
    """The workspace-relative path that a link's text leads to; None outside the workspace."""
    if link.startswith(("/", "~")) or "\\" in link:
        return None
    target = posixpath.normpath(posixpath.join(parent(path), link))
    return None if target == ".." or target.startswith("../") else target


def _fixes(view: View, path: str, target: str | None) -> Iterator[Fix]:
    """Ways to replace a link; its own removal only where it leads nowhere."""
    name = base_name(path)
    if target is None or not view.tree.exists(target):
        yield Fix(f"Remove the link {name}", (DeleteFile(path),))
        return
    if name == "CLAUDE.md" and not view.tree.is_dir(target):
        text = f"@{posixpath.relpath(target, parent(path) or '.')}\n"
        edits = (DeleteFile(path), CreateFile(path, text))
        yield Fix(f"Replace the link by a file that imports {target}", edits, preferred=True)
    document = view.documents.get(target)
    if document is None:
        return
    copy = CreateFile(path, document.text)
    if base_name(target) == "CLAUDE.md" and parent(target) == parent(path):
        swap = (DeleteFile(path), copy, TextEdit(target, whole(document), f"@{name}\n"))
        yield Fix(f"Move the text to {name} and let {target} import it", swap)
    yield Fix(f"Replace the link by a copy of {target}", (DeleteFile(path), copy))


CHECK = DiskCheck("symlinked-file", "Instruction file is a link", "warning", run)
