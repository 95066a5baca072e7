"""What document requests share: where the document is, a view made on a worker, offsets in the agreed encoding."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from waybook.base.errors import DiscoveryError
from waybook.lsp.convert import lines_of, to_range

if TYPE_CHECKING:
    from collections.abc import Callable

    from lsprotocol import types

    from waybook.analysis.view import View
    from waybook.base.text import Encoding, LineIndex, Span
    from waybook.lsp.language_server import Place, Server

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Asked:
    """One request about a document, on a worker thread: the place, the view, and conversions for it."""

    place: Place
    view: View
    encoding: Encoding

    @property
    def path(self) -> str:
        """The document's workspace-relative path."""
        return self.place.path

    def lines(self, path: str | None = None) -> LineIndex:
        """The lines of a document of the view."""
        return lines_of(self.view, self.place.path if path is None else path)

    def offset(self, position: types.Position) -> int:
        """The offset of a position in the document."""
        return self.lines().offset(position.line, position.character, self.encoding)

    def range(self, span: Span, path: str | None = None) -> types.Range:
        """The range of a span of a document."""
        return to_range(self.lines(path), span, self.encoding)


async def about(ls: Server, uri: str, answer: Callable[[Asked], Answer], *, whole: bool = False) -> Answer | None:
    """`answer` on a worker thread; None for what is no file of a workspace folder.

    The view holds the document's own scopes, read now, or (`whole`) the workspace as last looked at.
    """
    place = ls.place(uri)
    if place is None:
        return None
    found = place
    everything = await ls.whole_view(place.folder) if whole else None

    def work() -> Answer | None:
        try:
            view = everything or found.analysis.view((found.path,))
        except DiscoveryError as error:  # the folder itself cannot be a workspace: told once, nothing to answer
            message = error.message + (f" {error.hint}" if error.hint else "")
            ls.from_worker(lambda: ls.tell_once(f"root:{found.folder.root}", message))
            return None
        return answer(Asked(found, view, ls.client.encoding))

    return await ls.work(work)
