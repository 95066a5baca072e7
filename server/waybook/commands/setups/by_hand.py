"""Editors whose configuration is theirs to write: an extension, a dialogue, or JSON with a person's comments in it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from waybook.commands.setups.model import Editor, Place
from waybook.commands.setups.wording import shell

if TYPE_CHECKING:
    from collections.abc import Sequence


def _vscode(place: Place) -> Sequence[str]:
    steps = ["Install the extension: code --install-extension waybook.vsix (`make vsix` builds it)."]
    if not place.plain:
        steps.append("Add the setting below to your settings.json: `waybook` is not on your PATH.")
    return (*steps, "Then open a repository, and the compass in the activity bar.")


def _vscode_settings(place: Place) -> str:
    settings = {"waybook.server.command": list(place.program)}
    return "" if place.plain else json.dumps(settings, indent=2, ensure_ascii=False) + "\n"


def _lsp4ij(place: Place) -> Sequence[str]:
    return (
        "Install the plugin LSP4IJ, then Settings > Languages & Frameworks > Language Servers > +.",
        f"Name: Waybook. Command: {shell((*place.program, 'lsp'))}",
        "Mappings > File name patterns: *.md (language id markdown).",
    )


def _sublime(place: Place) -> str:
    client = {"enabled": True, "command": [*place.program, "lsp"], "selector": "text.html.markdown"}
    return json.dumps({"clients": {"waybook": client}}, indent=2, ensure_ascii=False) + "\n"


VSCODE = Editor(
    id="vscode",
    title="VS Code",
    programs=("code", "codium", "code-server"),
    tried="VS Code 1.139 in a browser, in every run of the tests",
    steps=_vscode,
    addition=_vscode_settings,
)
ZED = Editor(
    id="zed",
    title="Zed",
    programs=("zed", "zeditor"),
    tried="not tried",
    steps=lambda _place: (
        "Zed starts only language servers that an extension brings, and there is none for Waybook yet.",
        "Use it in Zed's terminal: waybook explain FILE, waybook check, waybook drift.",
    ),
    addition=lambda _place: "",
)
JETBRAINS = Editor(
    id="jetbrains",
    title="JetBrains IDEs with LSP4IJ",
    programs=("idea", "pycharm", "webstorm", "goland"),
    tried="not tried",
    steps=_lsp4ij,
    addition=lambda _place: "",
)
SUBLIME = Editor(
    id="sublime",
    title="Sublime Text with the package LSP",
    programs=("subl",),
    tried="not tried",
    steps=lambda _place: (
        "Install the package LSP, then Preferences > Package Settings > LSP > Settings, and add the client below.",
    ),
    addition=_sublime,
)
