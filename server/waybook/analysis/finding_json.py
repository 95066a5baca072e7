"""Findings as JSON data and back, for answers that are kept between runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from waybook.analysis.findings import CreateFile, DeleteFile, Finding, Fix, Related, TextEdit
from waybook.base.records import to_json
from waybook.base.text import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

Edit = TextEdit | CreateFile | DeleteFile


def encode(found: Finding) -> list[Any]:
    """A finding as a list, its parts in the order `decode` takes them."""
    return [
        found.code,
        found.path,
        [found.span.start, found.span.end],
        found.message,
        found.severity,
        list(found.tags),
        [[item.path, item.span.start, item.span.end, item.message] for item in found.related],
        [[fix.title, fix.preferred, [_encode_edit(edit) for edit in fix.edits]] for fix in found.fixes],
        list(found.agents),
        to_json(found.data),
    ]


def decode(data: list[Any]) -> Finding:
    """The finding that `encode` was given. Anything else raises `TypeError`, `ValueError`, `KeyError` or `IndexError`."""
    code, path, span, message, severity, tags, related, fixes, agents, more = data
    return Finding(
        code,
        path,
        Span(*span),
        message,
        severity,
        tuple(tags),
        tuple(Related(there, Span(start, end), text) for there, start, end, text in related),
        tuple(Fix(title, tuple(map(_decode_edit, edits)), preferred=preferred) for title, preferred, edits in fixes),
        tuple(agents),
        more,
    )


def _encode_edit(edit: Edit) -> list[Any]:
    if isinstance(edit, TextEdit):
        return ["edit", edit.path, edit.span.start, edit.span.end, edit.new_text]
    if isinstance(edit, CreateFile):
        return ["create", edit.path, edit.text]
    return ["delete", edit.path]


def _decode_edit(data: list[Any]) -> Edit:
    kind, path, *rest = data
    if kind == "edit":
        start, end, new_text = rest
        return TextEdit(path, Span(start, end), new_text)
    if kind == "create":
        (text,) = rest
        return CreateFile(path, text)
    if kind == "delete" and not rest:
        return DeleteFile(path)
    raise ValueError(kind)


def texts(data: Any) -> Iterator[str]:
    """Every text anywhere in JSON data."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, list):
        for item in data:
            yield from texts(item)
    elif isinstance(data, dict):
        for key, item in data.items():
            yield key
            yield from texts(item)
