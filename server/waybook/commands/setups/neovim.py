"""Neovim 0.11 or newer: the plugin that comes with Waybook, enabled by a file of its own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from waybook.commands.setups.model import Editor, Place
from waybook.commands.setups.wording import listed, quoted

if TYPE_CHECKING:
    from collections.abc import Sequence


def plugin() -> str:
    """The plugin's directory: in the installed package, or beside it in a checkout."""
    package = Path(__file__).parents[2]
    installed = package / "neovim"
    return str(installed if installed.is_dir() else package.parents[1] / "client-nvim")


def _steps(_place: Place) -> Sequence[str]:
    return (
        "Put the lines below into a file of Neovim's plugin directory, or let --write do it.",
        "With a plugin manager instead: add the directory client-nvim of Waybook, and vim.lsp.enable('waybook').",
        "Then open an instruction file, and try :Waybook explain and :checkhealth waybook.",
    )


def _addition(place: Place) -> str:
    lines = ["-- Waybook: which instructions AI coding agents really get. Delete this file to remove it."]
    lines += [f"vim.opt.runtimepath:prepend({quoted(plugin())})"]
    if not place.plain:
        lines += [f"vim.g.waybook = {{ cmd = {{ {listed(place.program)} }} }}"]
    lines += ['vim.cmd.runtime("plugin/waybook.lua")', 'vim.lsp.enable("waybook")']
    return "\n".join(lines) + "\n"


NEOVIM = Editor(
    id="neovim",
    title="Neovim 0.11 or newer",
    programs=("nvim",),
    tried="Neovim 0.11.4, in every run of the tests",
    steps=_steps,
    addition=_addition,
    file=lambda place: f"{place.config}/nvim/plugin/waybook-setup.lua",
    clash=lambda _text: "It holds something else.",
)
