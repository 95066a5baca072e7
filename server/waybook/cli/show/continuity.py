"""Checkpoints, branches, trees, comparisons and handoffs as people read them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from waybook.cli.show.words import heading, plural, safe, table, when

if TYPE_CHECKING:
    from rich.text import Text
    from rich.tree import Tree as Drawing

    from waybook.continuity.branches.service import Branch
    from waybook.continuity.browse.handoff import Handoff
    from waybook.continuity.browse.model import Comparison, Mark, Tree, TreeNode, TreeSession
    from waybook.continuity.model import Node, Snapshot
    from waybook.workspace.git import GitIdentity

SHORT = 12
NEWEST_SHOWN = 20
"""Of a session's nodes so many are drawn, and those that others left from; `--json` has all."""
WIDE = 400
"""Columns where nobody reads on a terminal: nothing is wrapped that a program may look for."""
_STYLES = {"root": "bold", "session": "bold", "fork": "bold cyan", "resume": "bold green", "checkpoint": ""}


def show_checkpoint(node: Node) -> None:
    """A new checkpoint: what it holds, and what can be done with it."""
    heading(f"{node.id}  {safe(node.title)}")
    table(_facts(node.snapshot))
    click.echo(f'\nFork it: waybook session fork {node.id} --goal "..."')
    click.echo(f"Hand it over: waybook session handoff {node.id} --agent codex")


def _facts(snapshot: Snapshot) -> list[tuple[str, ...]]:
    said = plural(len(snapshot.messages), "recent message") + (", a summary" if snapshot.compaction else "")
    pinned = snapshot.instruction_fingerprint[:SHORT] or "none"
    return [
        ("fingerprint", snapshot.fingerprint[:SHORT]),
        ("history", said),
        ("memory", plural(len(snapshot.memories), "reference")),
        ("instructions", f"{pinned} ({snapshot.instruction_basis})" if snapshot.instruction_fingerprint else pinned),
        ("git", _git(snapshot.git)),
        *([("work", snapshot.mode.value)] if snapshot.mode else []),
        *([("budget", f"{snapshot.budget_tokens:,} tokens")] if snapshot.budget_tokens else []),
    ]


def _git(git: GitIdentity) -> str:
    if git.state != "repository":
        return (
            "no repository" if git.state == "none" else f"not available{f': {safe(git.reason)}' if git.reason else ''}"
        )
    where = "detached HEAD" if git.detached else safe(git.branch)
    at = git.head[:SHORT] or "before the first commit"
    parts = [f"{where} at {at}", *(["uncommitted changes"] if git.dirty else [])]
    return ", ".join([*parts, *([f"worktree {safe(git.worktree)}"] if git.worktree else [])])


def show_branch(result: Branch) -> None:
    """A new run: what it took over, what it did not."""
    heading(f"{result.run.id}  {safe(result.run.goal.splitlines()[0])}")
    table(
        [
            ("node", result.node.id),
            ("session", result.node.session_id),
            ("from", result.source_id),
            *_facts(result.node.snapshot),
            ("inherited", plural(len(result.inherited), "item")),
        ]
    )
    for item in result.left_out:
        click.echo(f"  memory {item.reference.id} is {item.state} by now and was not taken over")
    click.echo("\nNot inherited: approvals, grants, credentials, leases, network access, processes, profiles.")
    click.echo(f"Hand it over: waybook session handoff {result.node.id} --agent codex")


def show_handoff(result: Handoff) -> None:
    """The prompt on standard output, ready for a pipe; what went into it on standard error."""
    if sys.stdout.isatty():
        for line in result.text.split("\n"):
            click.echo(safe(line))
    else:
        click.echo(result.text.encode("utf-8", "replace"), nl=False)
    about = "" if result.exact else "about "
    left = f", {result.messages_left_out} left out" if result.messages_left_out else ""
    click.echo(
        f"{about}{result.tokens:,} of {result.max_tokens:,} tokens; {plural(result.messages, 'message')}{left}",
        err=True,
    )
    if sys.stdout.isatty():
        click.echo(
            f"Pipe it: waybook session handoff {result.node_id} --agent {result.agent} | {result.command}", err=True
        )


def show_comparison(result: Comparison) -> None:
    """What differs first, then what is the same."""
    heading(f"{safe(result.a.title)}  |  {safe(result.b.title)}")
    differing = [item for item in result.fields if not item.same]
    table([(item.name, _short(item.a), _short(item.b)) for item in differing])
    same = [item.name for item in result.fields if item.same]
    if same:
        click.echo(f"the same: {', '.join(same)}")
    only = (len(result.messages_only_a), len(result.messages_only_b))
    click.echo(f"messages: {result.messages_shared} shared, {only[0]} only in the first, {only[1]} only in the second")
    for side, items in (("first", result.memories_only_a), ("second", result.memories_only_b)):
        if items:
            click.echo(f"memory only in the {side}: {', '.join(items)}")
    click.echo("Both mean the same." if result.same else "They do not mean the same.")


def _short(value: str) -> str:
    hexadecimal = len(value) > SHORT and all(char in "0123456789abcdef" for char in value)
    return value[:SHORT] if hexadecimal else safe(value) or "-"


# --- the tree ---------------------------------------------------------------------------------------------------------


def show_tree(result: Tree) -> None:
    """Sessions as branches, their nodes below one another in time, other sessions under the node they left from."""
    from rich.console import Console
    from rich.text import Text
    from rich.tree import Tree as Drawing

    children: dict[str, list[TreeNode]] = {}
    for node in result.nodes:
        children.setdefault(node.session_id, []).append(node)
    leaving: dict[str, list[TreeSession]] = {}
    for session in result.sessions:
        leaving.setdefault(session.parent_node, []).append(session)
    tops = [session for session in result.sessions if not session.parent_session]
    console = Console(highlight=False, width=None if sys.stdout.isatty() else WIDE)
    todo: list[tuple[Drawing, TreeSession]] = []
    for session in tops:
        drawing = Drawing(Text(""), hide_root=True)
        todo.append((drawing, session))
        while todo:
            place, one = todo.pop()
            todo += _draw(place, one, children.get(one.session_id, []), leaving)
        with console.capture() as drawn:
            console.print(drawing)
        click.echo("\n".join(line.rstrip() for line in drawn.get().splitlines()))
    marked = sum(bool(node.marks) for node in result.nodes)
    stored = sum(node.authoritative for node in result.nodes)
    click.echo(
        f"{plural(stored, 'stored node')}, {plural(len(result.nodes) - stored, 'other')} only shown (~), "
        f"{marked} with marks (!)"
    )
    if marked or stored > NEWEST_SHOWN:
        click.echo(f"Everything about them: waybook session tree {safe(result.session_id)} --json")


def _draw(
    place: Drawing, session: TreeSession, nodes: list[TreeNode], leaving: dict[str, list[TreeSession]]
) -> list[tuple[Drawing, TreeSession]]:
    """Draw one session; gives the sessions that are to be drawn under its nodes, with their places."""
    first = next((node for node in nodes if node.id == session.first_node), None)
    rest = [node for node in nodes if node.id != session.first_node]
    branch = place.add(_line(first, session) if first else _plain(session.title))
    found = [(branch, other) for other in leaving.get(session.first_node, [])] if session.first_node else []
    keep = {node.id for node in rest[-NEWEST_SHOWN:]} | {node.id for node in rest if node.id in leaving}
    hidden = len(rest) - len(keep)
    if hidden:
        branch.add(_plain(f"… {hidden:,} earlier nodes"))
    for node in rest:
        if node.id in keep:
            below = branch.add(_line(node))
            found += [(below, other) for other in leaving.get(node.id, [])]
    return list(reversed(found))


def _plain(words: str) -> Text:
    """Text in which no square bracket means anything."""
    from rich.text import Text

    return Text(safe(words))


def _line(node: TreeNode, session: TreeSession | None = None) -> Text:
    from rich.text import Text

    text = Text()
    kind = "" if node.title.startswith(f"{node.kind} ") else f"{node.kind} "
    style = _STYLES.get(node.kind, "dim")
    text.append(f"{'' if node.authoritative else '~ '}{kind}", style=style)
    text.append(safe(node.title), style=style if session is not None else "")
    for words in _marks(node.marks):
        text.append(f"  ! {words}", style="yellow")
    about = [safe(node.id), when(node.created_at) if node.created_at else ""]
    if session is not None:
        inherited = f" and {session.inherited} inherited" if session.inherited else ""
        count = f"{plural(session.messages, 'message')}{inherited}" if session.messages or inherited else ""
        about += [node.status, count]
    text.append("  " + "  ".join(filter(None, about)), style="dim")
    return text


def _marks(marks: tuple[Mark, ...]) -> list[str]:
    words = [_mark(mark) for mark in marks if mark.kind != "memory"]
    for state in ("deleted", "disabled", "expired", "changed"):
        found = [mark.subject for mark in marks if mark.kind == "memory" and mark.state == state]
        if found:
            words.append(f"memory {state}: {found[0]}" if len(found) == 1 else f"{len(found)} memories {state}")
    return words


def _mark(mark: Mark) -> str:
    if mark.kind == "git" and mark.state == "changed":
        name = "HEAD moved" if mark.subject == "head" else "branch changed"
        return name if mark.subject == "head" else f"{name}: {safe(mark.before)} -> {safe(mark.now)}"
    if mark.kind == "git":
        return f"git repository {mark.state}"
    return f"{mark.kind} {safe(mark.subject)} {mark.state}"
