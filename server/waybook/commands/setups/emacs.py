"""Emacs with Eglot (built in from 29, ELPA before)."""

from __future__ import annotations

from pathlib import Path

from waybook.commands.setups.model import Editor, Place
from waybook.commands.setups.wording import spaced


def _addition(place: Place) -> str:
    return (
        ";; Waybook: which instructions AI coding agents really get.\n"
        "(with-eval-after-load 'eglot\n"
        "  (add-to-list 'eglot-server-programs\n"
        f"               '((markdown-mode gfm-mode text-mode) . ({spaced((*place.program, 'lsp'))}))))\n"
        "(add-hook 'markdown-mode-hook #'eglot-ensure)\n"
    )


def _file(place: Place) -> str:
    """The first that is there, in Emacs' own order."""
    places = [f"{place.home}/.emacs", f"{place.home}/.emacs.d/init.el", f"{place.config}/emacs/init.el"]
    return next((path for path in places if Path(path).is_file()), places[1])


EMACS = Editor(
    id="emacs",
    title="Emacs with Eglot",
    programs=("emacs",),
    tried="Emacs 28.2 with Eglot 1.9, in every run of the tests",
    steps=lambda _place: (
        "Before Emacs 29: M-x package-install RET eglot. For Markdown: M-x package-install RET markdown-mode.",
        "Add the lines below to your init file, or let --write do it.",
        "Then open an instruction file; without markdown-mode start it with M-x eglot.",
    ),
    addition=_addition,
    file=_file,
)
