"""textDocument/codeLens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from waybook.editor.lens import lenses
from waybook.lsp.features.asking import Asked, about

if TYPE_CHECKING:
    from waybook.lsp.language_server import Server


async def code_lens(ls: Server, params: types.CodeLensParams) -> list[types.CodeLens] | None:
    """The lines above an instruction file's first line."""

    def work(asked: Asked) -> list[types.CodeLens]:
        return [
            types.CodeLens(
                asked.range(lens.span),
                types.Command(title=lens.title, command=lens.command, arguments=[dict(lens.argument)]),
            )
            for lens in lenses(asked.view, asked.path, ls.count)
        ]

    return await about(ls, params.text_document.uri, work)
