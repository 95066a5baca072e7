"""The inline pass of the Markdown parser: markdown-it's own rules, with the offset of each construct noted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline

from waybook.analysis.markdown_model import Piece, PieceKind

if TYPE_CHECKING:
    from markdown_it.rules_inline.state_inline import StateInline as _State
    from markdown_it.token import Token
    from markdown_it.utils import EnvType

_KINDS: dict[str, PieceKind] = {
    "backticks": "code",
    "link": "link",
    "image": "image",
    "autolink": "autolink",
    "html_inline": "html",
}
MAX_NESTING = 20


def make_parser() -> MarkdownIt:
    """A CommonMark parser with tables, whose inline tokens carry `meta["pieces"]` instead of children."""
    parser = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING}).enable("table")
    parser.disable(["entity", "escape", "emphasis", "balance_pairs", "fragments_join"], ignoreInvalid=True)
    inline = _Inline(parser)
    parser.core.ruler.at("inline", lambda state: inline.run(state.tokens, state.env))
    # A link's label is read by the same loop, so that code spans inside it are noted as well.
    parser.inline.tokenize = inline.tokenize  # type: ignore[method-assign]  # one parser object, made here for us alone
    return parser


class _Inline:
    """Runs the inline rules over each inline token of a document."""

    def __init__(self, parser: MarkdownIt) -> None:
        self.parser = parser
        names = parser.inline.ruler.get_active_rules()
        self.rules = list(zip(names, parser.inline.ruler.getRules(""), strict=True))
        self.pieces: list[Piece] = []

    def run(self, tokens: list[Token], env: EnvType) -> None:
        """Give each inline token its pieces."""
        for token in tokens:
            if token.type == "inline":
                self.pieces = []
                if any(mark in token.content for mark in "`[<!"):
                    self.tokenize(StateInline(token.content, self.parser, env, []))
                token.meta = {"pieces": _with_text(self.pieces, token.content)}

    def tokenize(self, state: _State) -> None:
        """markdown-it's own loop (`ParserInline.tokenize`), noting what each rule consumed."""
        while state.pos < state.posMax:
            if state.src[state.pos] == "\\":
                # An escape protects the next character and is text either way.
                state.pos += 2
                continue
            start = state.pos
            for name, rule in self.rules:
                if rule(state, False):  # noqa: FBT003 -- markdown-it's rules take `silent` by position
                    if name in _KINDS:
                        self._note(_KINDS[name], state, start)
                    break
            else:
                state.pos += 1

    def _note(self, kind: PieceKind, state: _State, start: int) -> None:
        source = state.src[start : state.pos]
        if kind == "code":
            if not state.tokens or state.pending or state.tokens[-1].type != "code_inline":
                return
            ticks = len(source) - len(source.lstrip("`"))
            self.pieces.append(Piece(kind, start, state.pos, source[ticks:-ticks], start + ticks))
        elif kind in {"link", "image", "autolink"}:
            target = _target(state, kind)
            at = source.rfind(target) if target else -1
            self.pieces.append(Piece(kind, start, state.pos, target, start + max(at, 0)))
        else:
            self.pieces.append(Piece(kind, start, state.pos, source, start))


def _target(state: _State, kind: PieceKind) -> str:
    """The destination that the rule just read, as the parser understood it."""
    wanted = "image" if kind == "image" else "link_open"
    for token in reversed(state.tokens):
        if token.type == wanted:
            return str(token.attrGet("src" if kind == "image" else "href") or "")
    return ""


def _with_text(pieces: list[Piece], content: str) -> list[Piece]:
    """The pieces in order with the text between them; a link's label stays text, its brackets and target do not."""
    marked = sorted(pieces, key=lambda piece: (piece.start, -piece.end))
    out: list[Piece] = []
    at = 0
    for piece in marked:
        if piece.start > at:
            out.append(Piece("text", at, piece.start, content[at : piece.start], at))
        out.append(piece)
        at = max(at, piece.end)
    if at < len(content):
        out.append(Piece("text", at, len(content), content[at:], at))
    return out
