"""A document's text as parsed Markdown: leaf blocks, and where code spans, links and comments lie in the source.

markdown-it-py (CommonMark with tables) does the parsing: measured on 254 instruction files it takes 1.04 ms a file, where
tree-sitter's two Markdown grammars take 1.24 ms with the second pass that inline markup needs. It gives lines only, so the
inline pass below notes the offset at which each construct was recognised, and each leaf block keeps the map from its
content to the source. Parsing never fails: what cannot be placed in the source is left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from threading import Lock
from typing import TYPE_CHECKING

from waybook.analysis.markdown_model import Block, BlockKind, Piece, PieceKind
from waybook.base.text import LineIndex, Span

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

__all__ = ["Block", "BlockKind", "Markdown", "Piece", "PieceKind", "front_matter", "parse"]


@dataclass(frozen=True)
class Markdown:
    """Everything checks ask of one text: `front` spans the YAML between the `---` lines, None without front matter."""

    text: str
    front: Span | None
    blocks: tuple[Block, ...]

    @cached_property
    def comments(self) -> tuple[tuple[Span, str], ...]:
        """Each HTML comment outside code: its span, and the text between `<!--` and `-->`."""
        found: list[tuple[Span, str]] = []
        for block in self.blocks:
            if block.kind == "html":
                found += [(block.source(start, end), text) for start, end, text in _comments(block.content)]
            for piece in block.pieces:
                if piece.kind == "html":
                    for start, end, text in _comments(piece.text):
                        found.append((block.source(piece.start + start, piece.start + end), text))
        return tuple(found)


def _comments(text: str) -> list[tuple[int, int, str]]:
    """(start, end, inner text) of the comments in a stretch of HTML."""
    found, at = [], 0
    while (start := text.find("<!--", at)) >= 0:
        close = text.find("-->", start + 4)
        if close < 0:
            break
        found.append((start, close + 3, text[start + 4 : close].strip()))
        at = close + 3
    return found


_PARSING = Lock()
"""The parser keeps notes while it works, and views are checked on several threads."""


def front_matter(text: str) -> Span | None:
    """The span of the YAML between a first line `---` and the next such line; None where there is none."""
    if not text.startswith("---"):
        return None
    lines = LineIndex(text)
    if _line(text, lines, 0).rstrip() != "---":
        return None
    for number in range(1, lines.line_count):
        if _line(text, lines, number).rstrip() == "---":
            return Span(lines.starts[1], lines.starts[number])
    return None


def _line(text: str, lines: LineIndex, number: int) -> str:
    span = lines.line_span(number)
    return text[span.start : span.end]


@lru_cache(maxsize=256)
def parse(text: str) -> Markdown:
    """The parsed text; remembered for the texts asked about last, so an unchanged document is parsed once."""
    front = front_matter(text)
    lines = LineIndex(text)
    body = text
    if front is not None:
        skipped = lines.line_of(front.end) + 1
        begin = lines.starts[skipped] if skipped < lines.line_count else len(text)
        body = "\n" * skipped + text[begin:]
    with _PARSING:
        tokens = _parser().parse(body.replace("\r\n", "\n").replace("\r", "\n"))
    return Markdown(text, front, tuple(_Collector(text, lines).collect(tokens)))


class _Collector:
    """Turns markdown-it's tokens into placed blocks."""

    def __init__(self, text: str, lines: LineIndex) -> None:
        self.text = text
        self.lines = lines
        self._cell_at: dict[int, int] = {}
        self._heading = ""

    def collect(self, tokens: list[Token]) -> list[Block]:
        """The leaf blocks in source order."""
        blocks: list[Block] = []
        kind: BlockKind = "paragraph"
        info = ""
        listed = False
        table: Span | None = None
        for token in tokens:
            if token.type in {"paragraph_open", "heading_open"}:
                kind, info = ("heading", token.tag) if token.type == "heading_open" else ("paragraph", "")
            elif token.type in {"th_open", "td_open"}:
                kind, info = "cell", ""
            elif token.type == "list_item_open":
                listed = True
                continue
            elif token.type == "table_open" and token.map is not None:
                table = self._rows(*token.map)
                continue
            block = self._block(token, kind, info, table if kind == "cell" else None, listed=listed)
            if block is not None:
                blocks.append(block)
                listed = False
                if kind == "heading" and token.type == "inline":
                    self._heading = block.content
        return blocks

    def _block(self, token: Token, kind: BlockKind, info: str, table: Span | None, *, listed: bool) -> Block | None:
        if token.map is None:
            return None
        if token.type == "inline":
            anchors = self._anchors(token.content, token.map[0], in_row=kind == "cell")
            span = self._rows(token.map[0], token.map[1])
            pieces = tuple(token.meta.get("pieces", ()))
            return (
                Block(kind, span, token.content, anchors, pieces, listed, info, table, self._heading)
                if anchors
                else None
            )
        if token.type in {"fence", "code_block", "html_block"}:
            first = token.map[0] + (1 if token.type == "fence" else 0)
            anchors = self._anchors(token.content.rstrip("\n"), first, in_row=False) or ((0, self.lines.starts[first]),)
            leaf: BlockKind = "html" if token.type == "html_block" else "fence"
            span = self._rows(token.map[0], token.map[1])
            return Block(leaf, span, token.content, anchors, (), listed, token.info.strip())
        return None

    def _rows(self, first: int, after: int) -> Span:
        start = self.lines.line_span(first).start
        return Span(start, max(start, self.lines.line_span(max(first, after - 1)).end))

    def _anchors(self, content: str, first: int, *, in_row: bool) -> tuple[tuple[int, int], ...]:
        """Where each line of a block's content begins in the source; empty when the first cannot be found."""
        anchors: list[tuple[int, int]] = []
        at = 0
        for number, line in enumerate(content.split("\n"), first):
            span = self.lines.line_span(number)
            begin = self._cell_at.get(number, span.start) if in_row else span.start
            found = self.text.find(line, begin, span.end)
            if not in_row:
                last = self.text.rfind(line.rstrip(), span.start, span.end)
                found = last if last >= 0 and line.strip() else found
            if found >= 0:
                anchors.append((at, found))
                if in_row:
                    self._cell_at[number] = found + len(line)
            at += len(line) + 1
        return tuple(anchors) if anchors and anchors[0][0] == 0 else ()


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    """The parser, made at its first use: its import costs more than most workspaces' parsing."""
    from waybook.analysis.markdown_inline import make_parser

    return make_parser()
