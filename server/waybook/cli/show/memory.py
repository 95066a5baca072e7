"""Memories as people read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from waybook.cli.show.words import heading, plural, safe, table, when

if TYPE_CHECKING:
    from waybook.commands.memory_save_document import Saved
    from waybook.memory.document import Document
    from waybook.memory.export import Imported
    from waybook.memory.model import Deleted, Hits, Memory, Page, Written

PENDING = "Its old text still lies in the database's log: somebody is reading. The next write finishes the erasure."
_TITLE = 60


def show_memory(memory: Memory) -> None:
    """One memory with its content."""
    heading(safe(memory.title))
    rows = [
        ("id", memory.id),
        ("version", str(memory.version)),
        ("state", memory.state),
        ("scope", _scope(memory)),
        ("source", memory.source_kind + (f", {safe(memory.source_ref)}" if memory.source_ref else "")),
        *(("reference", safe(reference)) for reference in memory.references),
        ("kept until", when(memory.retention_until) if memory.retention_until else "for ever"),
        ("created", f"{when(memory.created_at)} by {safe(memory.created_by)}"),
        ("updated", f"{when(memory.updated_at)} by {safe(memory.updated_by)}"),
    ]
    table([*rows, ("redacted", "yes: secrets were replaced")] if memory.redacted else rows)
    click.echo()
    for line in memory.content.split("\n"):
        click.echo(f"  {safe(line)}".rstrip())


def show_written(result: Written) -> None:
    """A memory after a write."""
    show_memory(result.memory)
    if result.erasure == "pending":
        click.echo(f"\n{PENDING}")


def show_page(page: Page) -> None:
    """One line a memory."""
    if not page.memories:
        click.echo("No memories here. Keep one: waybook memory create --title TEXT --content TEXT")
        return
    table([_row(memory) for memory in page.memories], "")
    if page.next_cursor:
        click.echo(f"\nThere are more: --cursor {page.next_cursor}")


def show_hits(result: Hits) -> None:
    """Two lines a hit: the memory, and the text around the match."""
    if not result.hits:
        click.echo("Nothing found.")
        return
    for hit in result.hits:
        click.echo("  ".join(_row(hit.memory)))
        click.echo(f"    {safe(hit.excerpt)}")
    shown = len(result.hits)
    if result.next_cursor:
        click.echo(
            f"\n{shown:,} of {plural(result.total, 'match', 'matches')}; the next: --cursor {result.next_cursor}"
        )


def show_deleted(result: Deleted) -> None:
    """What is gone."""
    click.echo(f"Deleted {result.id} for good; it cannot be brought back.")
    if result.erasure == "pending":
        click.echo(PENDING)


def show_imported(result: Imported) -> None:
    """What came in."""
    click.echo(
        f"Imported {plural(len(result.added), 'memory', 'memories')}; {result.already_there:,} were there already."
    )


def show_document(document: Document) -> None:
    """The document, ready for a file."""
    click.echo(document.text, nl=False)


def show_saved(saved: Saved) -> None:
    """What saving did."""
    if saved.unchanged:
        click.echo(f"Nothing changed; {saved.document.memory.id} stays at version {saved.document.version}.")
    else:
        click.echo(f"Saved {saved.document.memory.id} as version {saved.document.version}.")
    if saved.erasure == "pending":
        click.echo(PENDING)


def _scope(memory: Memory) -> str:
    return memory.scope.value if memory.scope == "user" else f"project {memory.scope_id}"


def _row(memory: Memory) -> tuple[str, ...]:
    title = safe(memory.title)
    short = title if len(title) <= _TITLE else title[: _TITLE - 1] + "…"
    return (memory.id, f"v{memory.version}", memory.state, memory.scope.value, memory.updated_at[:10], short)
