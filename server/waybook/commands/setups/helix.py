"""Helix: a server and the language that uses it, in languages.toml."""

from __future__ import annotations

import tomllib

from waybook.commands.setups.model import Editor, Place
from waybook.commands.setups.wording import listed, quoted


def _addition(place: Place) -> str:
    program, *arguments = (*place.program, "lsp")
    return (
        f"[language-server.waybook]\ncommand = {quoted(program)}\nargs = [{listed(arguments)}]\n\n"
        '[[language]]\nname = "markdown"\nlanguage-servers = ["waybook", "marksman"]\n'
    )


def _clash(text: str) -> str:
    try:
        body = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return f"The file is no TOML ({error})."
    languages = body.get("language", [])
    if not isinstance(languages, list):
        return "It has a language that is no table."
    if any(isinstance(item, dict) and item.get("name") == "markdown" for item in languages):
        return 'It has a [[language]] "markdown" already: add "waybook" to its language-servers.'
    return ""


HELIX = Editor(
    id="helix",
    title="Helix",
    programs=("hx", "helix"),
    tried="not tried with Helix itself; the file's form is checked",
    steps=lambda _place: (
        "Add the lines below to languages.toml, or let --write do it.",
        "Then open an instruction file; `hx --health markdown` shows whether the server is found.",
    ),
    addition=_addition,
    file=lambda place: f"{place.config}/helix/languages.toml",
    clash=_clash,
)
