"""Previews and audits of calls as people read them: a table, each row with its share of the window as a bar."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from waybook.cli.show.words import heading, plural, safe, table, when

if TYPE_CHECKING:
    from collections.abc import Sequence

    from waybook.commands.context_audit import Audits
    from waybook.context.model import Section
    from waybook.context.preview import Preview, PreviewSection
    from waybook.tasks.runner.options import Outcome

RANKS = {
    1: "system and the current input",
    2: "policy, scope, budget, permissions",
    3: "the run's mode and choices",
    4: "pinned instructions and memory",
    5: "files, history, tool output",
}
WIDTH = 24
_EIGHTHS = " ▏▎▍▌▋▊▉█"


def bar(share: float, width: int = WIDTH) -> str:
    """A bar of up to `width` characters; plain `#` where the terminal cannot show eighths. Something is never nothing."""
    share = min(1.0, max(0.0, share))
    encoding = (sys.stdout.encoding or "").lower()
    if "utf" not in encoding:
        return ("#" * max(int(share > 0), round(share * width))).ljust(width)
    eighths = max(int(share > 0), round(share * width * 8))
    return ("█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()).ljust(width)


def _rows(sections: Sequence[PreviewSection | Section], window: int) -> list[tuple[str, ...]]:
    return [
        (
            "in" if one.included else "out",
            f"{one.tokens:>8,}",
            bar(one.tokens / window) if one.included else " " * WIDTH,
            one.kind,
            safe(one.title or one.id),
            safe(one.reason),
        )
        for one in sections
    ]


def _by_rank(sections: Sequence[PreviewSection | Section], window: int) -> None:
    for rank, name in RANKS.items():
        own = [one for one in sections if int(one.rank) == rank]
        if own:
            heading(f"{rank}  {name}")
            table(_rows(own, window))


def show_preview(result: Preview) -> None:
    """Every section by rank, then the sum; or the document that was asked for."""
    if result.text:
        click.echo(result.text, nl=False)
        return
    _by_rank(result.sections, result.window)
    left_out = sum(not one.included for one in result.sections)
    share = result.total_tokens / result.window
    click.echo(f"\n{bar(share)}  {result.total_tokens:,} of {result.window:,} tokens ({share:.0%})", nl=False)
    click.echo(f", {plural(left_out, 'section')} left out." if left_out else ".")


def show_audits(result: Audits) -> None:
    """One call after another, newest first."""
    if not result.calls:
        click.echo("No calls were recorded. `waybook context run` makes some.")
        return
    for record in result.calls:
        heading(f"call {record.call}  {when(record.at)}  {safe(record.model)}  {record.subject.trace_id}")
        _by_rank((*record.included, *record.omitted), record.window)
        click.echo(f"  {record.total_tokens:,} of {record.window:,} tokens; request {record.request_sha256[:16]}\n")


def show_outcome(result: Outcome) -> None:
    """The answer, how it was judged, and what it took."""
    click.echo(safe_lines(result.answer))
    heading(f"\nvalidation: {result.validation.verdict}")
    click.echo(safe_lines(result.validation.reason))
    calls, tasks = plural(result.calls, "call"), plural(result.tasks, "child task")
    click.echo(f"\n{calls}, {tasks}, {plural(result.compressions, 'compression')}")
    click.echo(f"What each call was sent: waybook context audit {result.trace_id}")
    click.echo(f"Contracts: waybook tasks show {result.trace_id}")


def safe_lines(text: str) -> str:
    """A text whose lines stay lines, without what a terminal would act on."""
    return "\n".join(safe(line) for line in text.splitlines())
