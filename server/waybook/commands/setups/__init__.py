"""How each editor attaches to `waybook lsp`: one file an editor, listed here."""

from __future__ import annotations

from waybook.commands.setups.by_hand import JETBRAINS, SUBLIME, VSCODE, ZED
from waybook.commands.setups.emacs import EMACS
from waybook.commands.setups.helix import HELIX
from waybook.commands.setups.kakoune import KAKOUNE
from waybook.commands.setups.neovim import NEOVIM

EDITORS = (VSCODE, NEOVIM, HELIX, EMACS, KAKOUNE, ZED, JETBRAINS, SUBLIME)
"""In the order in which they are shown."""
