"""Kakoune with kakoune-lsp 18 or newer."""

from __future__ import annotations

from waybook.commands.setups.model import Editor, Place
from waybook.commands.setups.wording import listed, quoted


def _addition(place: Place) -> str:
    program, *arguments = (*place.program, "lsp")
    return (
        "# Waybook: which instructions AI coding agents really get.\n"
        "hook -group lsp-filetype-markdown global BufSetOption filetype=markdown %{\n"
        "    set-option buffer lsp_servers %{\n"
        "        [waybook]\n"
        '        root_globs = [".git", ".prayu"]\n'
        f"        command = {quoted(program)}\n"
        f"        args = [{listed(arguments)}]\n"
        "    }\n}\n"
    )


KAKOUNE = Editor(
    id="kakoune",
    title="Kakoune with kakoune-lsp",
    programs=("kak",),
    tried="the lines were loaded in Kakoune 2022.10.31; kakoune-lsp itself was not tried",
    steps=lambda _place: (
        "Install kakoune-lsp and enable it (eval %sh{kak-lsp}).",
        "Add the lines below to kakrc after that, or let --write do it.",
    ),
    addition=_addition,
    file=lambda place: f"{place.config}/kak/kakrc",
)
