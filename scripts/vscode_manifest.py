"""What the VS Code extension takes from the program itself: its settings, its commands' trust, and the list of commands.

`client-vscode/commands.json` lists what stands in the palette, each with the registry's command that it `runs`: from it
come the title where it has none of its own, and whether a trusted workspace is needed. `generate_docs.py` writes both.
"""

from __future__ import annotations

import inspect
import json
from dataclasses import fields
from pathlib import Path
from typing import Any

from waybook import __version__
from waybook.agents import ids
from waybook.checks import CHECKS
from waybook.commands.registry import COMMANDS, load
from waybook.settings import SEVERITIES, Settings, dotted

CLIENT = Path(__file__).resolve().parent.parent / "client-vscode"
RUNNING = "waybook.state == running"


def manifest() -> str:
    """package.json with its generated parts as they should be; the rest as it is."""
    body = json.loads((CLIENT / "package.json").read_text(encoding="utf-8"))
    body["version"] = __version__
    body["contributes"]["configuration"][1]["properties"] = settings()
    body["contributes"]["commands"] = palette()
    return json.dumps(body, indent=2, ensure_ascii=False) + "\n"


def settings() -> dict[str, Any]:
    """Every setting of the server in the editor's schema. What a workspace may not set is the machine's."""
    default = Settings()
    return {
        f"waybook.{dotted(item.name)}": {
            **_shape(item.name, getattr(default, item.name), item.metadata["convert"]),
            "scope": "window" if item.metadata["workspace"] else "machine",
            "markdownDescription": item.metadata["doc"],
        }
        for item in fields(Settings)
    }


def _shape(name: str, default: Any, convert: Any) -> dict[str, Any]:
    choices = inspect.getclosurevars(convert).nonlocals.get("choices")
    if choices:
        return {"type": "string", "enum": list(choices), "default": default}
    if isinstance(default, bool):
        return {"type": "boolean", "default": default}
    if isinstance(default, int):
        return {"type": "integer", "minimum": 0, "default": default}
    if isinstance(default, tuple):
        items = {"type": "string", "enum": list(ids())} if name == "agents" else {"type": "string"}
        return {"type": "array", "items": items, "uniqueItems": True, "default": list(default)}
    if isinstance(default, dict):
        known = {
            check.code: {"type": "string", "enum": list(SEVERITIES), "description": check.title} for check in CHECKS
        }
        return {"type": "object", "properties": known, "additionalProperties": False, "default": default}
    return {"type": "string", "default": default}


def palette() -> list[dict[str, str]]:
    """The commands of the palette. A command that writes needs a trusted workspace."""
    found = []
    for item in json.loads((CLIENT / "commands.json").read_text(encoding="utf-8")):
        runs = load(item["runs"]) if "runs" in item else None
        needs = [RUNNING] if runs else []
        needs += ["isWorkspaceTrusted"] if runs and runs.writes else []
        needs += [f"({item['when']})" if "||" in item["when"] and needs else item["when"]] if "when" in item else []
        found.append(
            {
                "command": item["command"],
                "title": item.get("title") or _title(runs.title if runs else ""),
                "category": "Waybook",
                **({"icon": item["icon"]} if "icon" in item else {}),
                **({"enablement": " && ".join(needs)} if needs else {}),
            }
        )
    return found


_SMALL = frozenset({"a", "an", "and", "as", "for", "of", "on", "or", "the", "to", "which", "with"})


def _title(sentence: str) -> str:
    """A registry's title the way the editor writes titles."""
    words = sentence.split()
    return " ".join(
        word if place and word in _SMALL else word[:1].upper() + word[1:] for place, word in enumerate(words)
    )


def typescript() -> str:
    """src/generated/server.ts: the ids of every command, which of them write, and the names of the settings."""
    ids_ = "\n".join(f'  | "{name}"' for name in COMMANDS)
    writes = "\n".join(f'  "{name}",' for name in COMMANDS if load(name).writes)
    names = "\n".join(f'  "{dotted(item.name)}",' for item in fields(Settings))
    return (
        "// Written by scripts/generate_docs.py: change the server, then run `make docs`.\n\n"
        "/** Every command of the server, without its prefix `waybook.`. */\n"
        f"export type CommandId =\n{ids_};\n\n"
        "/** Commands that change what is kept or a file; they need a workspace that is trusted. */\n"
        f"export const WRITES: ReadonlySet<string> = new Set([\n{writes}\n]);\n\n"
        "/** Every setting of the server, without its prefix `waybook.`. */\n"
        f"export const SERVER_SETTINGS: readonly string[] = [\n{names}\n];\n"
    )


FILES = {CLIENT / "package.json": manifest, CLIENT / "src/generated/server.ts": typescript}
