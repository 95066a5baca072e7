"""Write the generated pages of docs/ from the program itself; with --check, only say which are stale (exit 1)."""

from __future__ import annotations

import sys
from dataclasses import MISSING, fields
from pathlib import Path

from vscode_manifest import FILES

from waybook.checks import CHECKS
from waybook.cli.tree import TREE, Branch, Leaf
from waybook.commands.registry import COMMANDS, load
from waybook.settings import Settings, dotted

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
NOTE = "<!-- Written by scripts/generate_docs.py: change the program, then run `make docs`. -->\n\n"


def checks_page() -> str:
    """One section a check: its module's docstring."""
    rows = "\n".join(f"| [{check.code}](#{check.code}) | {check.severity} | {check.title} |" for check in CHECKS)
    sections = "\n\n".join(
        f"## {check.code}\n\n{check.manual}\n\nDefault severity: {check.severity}." for check in CHECKS
    )
    return (
        f"{NOTE}# Checks\n\nChange a severity with the setting `waybook.checks.severity`, for example\n"
        '`{"dead-path": "off"}`.\n\n'
        f"| Code | Severity | Finds |\n| --- | --- | --- |\n{rows}\n\n{sections}\n"
    )


def spellings() -> dict[str, list[str]]:
    """Command id -> its spellings on the command line."""
    found: dict[str, list[str]] = {}

    def walk(children: dict[str, Leaf | Branch], prefix: str) -> None:
        for name, node in children.items():
            if isinstance(node, Branch):
                walk(node.children, f"{prefix}{name} ")
            else:
                for command in (node.command, *node.runs):
                    if command:
                        found.setdefault(command, []).append(f"waybook {prefix}{name}")

    walk(TREE, "")
    return found


def commands_page() -> str:
    """One section a command: parameters, who may call it, its spellings."""
    by_command = spellings()
    sections = []
    for command_id in COMMANDS:
        command = load(command_id)
        rows = "\n".join(
            f"| `{item.name}` | `{item.type}` | "
            f"{'required' if item.default is MISSING else f'`{item.default!r}`'} | {item.metadata['doc']} |"
            for item in fields(command.params)
        )
        who = "operators and agents" if command.actor == "agent" else "operators"
        line = ", ".join(f"`{spelling}`" for spelling in by_command.get(command_id, [])) or "none"
        parameters = (
            f"| Parameter | Type | Default | Meaning |\n| --- | --- | --- | --- |\n{rows}\n"
            if rows
            else "No parameters.\n"
        )
        sections.append(
            f"## {command_id}\n\n{command.title}. For {who}; {'writes' if command.writes else 'reads only'}.\n\n"
            f"Editor: `waybook.{command_id}`. Command line: {line}.\n\n{parameters}"
        )
    intro = (
        "Every command takes one JSON object of parameters through `workspace/executeCommand` and answers JSON; the\n"
        "command line spells the same parameters as options.\n\n"
        "An editor may leave out `workspace` where one folder is open: that is the default. Where it only narrows a list,\n"
        "or the call names a run, a thread or a session, or is about memories of the scope `user`, nothing is filled in."
    )
    return f"{NOTE}# Commands\n\n{intro}\n\n" + "\n".join(sections)


def settings_page() -> str:
    """One row a setting."""
    default = Settings()
    rows = "\n".join(
        f"| `waybook.{dotted(item.name)}` | `WAYBOOK_{item.name.upper()}` | `{getattr(default, item.name)!r}` | "
        f"{'yes' if item.metadata['workspace'] else 'no'} | {item.metadata['doc']} |"
        for item in fields(Settings)
    )
    intro = (
        "Layers, weakest first: the default, `waybook.toml` in the workspace (without the `waybook.` prefix), the\n"
        "environment, the editor's `initializationOptions`, the editor's settings, the command line. A value that cannot\n"
        "be read is passed over with a warning; `waybook doctor` shows where each value came from."
    )
    return (
        f"{NOTE}# Settings\n\n{intro}\n\n| Setting | Environment | Default | In waybook.toml | Meaning |\n"
        f"| --- | --- | --- | --- | --- |\n{rows}\n"
    )


PAGES = {"checks.md": checks_page, "commands.md": commands_page, "settings.md": settings_page}


def main() -> int:
    """Write or check every page."""
    stale = []
    for page, make in {**{DOCS / name: make for name, make in PAGES.items()}, **FILES}.items():
        name, text = str(page.relative_to(ROOT)), make()
        if page.exists() and page.read_text(encoding="utf-8") == text:
            continue
        stale.append(name)
        if "--check" not in sys.argv:
            page.write_text(text, encoding="utf-8")
            print(f"wrote {name}")
    if stale and "--check" in sys.argv:
        print(f"stale: {', '.join(stale)}; run `make docs`")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
