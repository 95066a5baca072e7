"""A conversation as one self-contained HTML page: no scripts, nothing loaded from anywhere, every text escaped."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from waybook.sessions.messages.rendering import words

if TYPE_CHECKING:
    from waybook.sessions.messages.model import Conversation, Message, Session

_STYLE = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 52rem; margin: 2rem auto; padding: 0 1rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 1rem; }
dt { opacity: 0.7; } dd { margin: 0; overflow-wrap: anywhere; }
article { border-left: 4px solid #8888; margin: 1rem 0; padding: 0 1rem; }
article.prompt { border-color: #2a7de1; } article.answer { border-color: #2e9e5b; }
article.summary { border-color: #b07d00; } article.hidden, article.inherited { opacity: 0.6; }
h2 { font-size: 1rem; margin: 0; } time { opacity: 0.6; font-weight: normal; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; margin: 0.25rem 0; }
details pre { font: 0.85rem/1.4 ui-monospace, monospace; }
"""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def to_html(conversation: Conversation) -> str:
    """The whole page."""
    title = escape(conversation.session.title or conversation.session.native_id)
    children = words.children_by_call(conversation)
    known = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in words.facts(conversation))
    parts = [
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{escape(_POLICY)}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n<dl>{known}</dl>",
        _instructions(conversation),
        *(_article(message, children) for message in conversation.messages),
        "</body>\n</html>\n",
    ]
    return "\n".join(part for part in parts if part)


def _instructions(conversation: Conversation) -> str:
    if conversation.instructions is None:
        return ""
    items = "".join(
        f"<li>{escape(item.path)}{' (changed since this session)' if item.changed else ''}</li>"
        for item in conversation.instructions
    )
    return f"<section><h2>Instructions the agent would load now</h2><ul>{items or '<li>none</li>'}</ul></section>"


def _article(message: Message, children: dict[str, Session]) -> str:
    marks = [message.kind, *(["hidden"] if message.hidden else []), *(["inherited"] if message.inherited else [])]
    time = f" <time>{escape(words.stamp(message.at))}</time>" if message.at else ""
    head = f"<h2>{escape(words.speaker(message))}{time}</h2>"
    return f'<article class="{" ".join(marks)}">\n{head}\n{_body(message, children)}\n</article>'


def _body(message: Message, children: dict[str, Session]) -> str:
    receipt = message.receipt
    if receipt is None:
        text = f"<pre>{escape(message.text)}</pre>"
        closed = message.kind in {"reasoning", "notice"}
        return f"<details><summary>{len(message.text):,} characters</summary>{text}</details>" if closed else text
    child = children.get(receipt.call_id)
    told = f"<p>Subagent {escape(child.id)}: {escape(child.title)} ({words.counts(child)})</p>" if child else ""
    texts = "".join(f"<pre>{escape(text)}</pre>" for text in (receipt.arguments, receipt.output) if text.strip())
    name = f"{escape(receipt.name or 'tool')} {words.outcome(receipt)}"
    return f"{told}<details><summary>{name}</summary>{texts}</details>"
