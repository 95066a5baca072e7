"""The built-in summariser: the telling sentences of a conversation, word for word. The same input, the same summary."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from waybook.base.cancel import Progress
    from waybook.compaction.model import Item
    from waybook.compaction.summariser import Request

MAX_BYTES = 12 * 1024
"""UTF-8 bytes of an extract: less than a summary may have, so that notes fit behind it."""
_PREVIOUS, _ASKED, _SAID, _DONE = 4096, 3072, 3072, 1024
"""Bytes of each part; what one leaves over the next ones may use."""
_LINE = 400
_LEAST = 2
"""Letters or digits of a sentence that is worth a line."""
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|(?<=[。！？])|\n+")
_WORD = re.compile(r"\w{2,}")
_TELLING = re.compile(
    r"\b(must|never|always|only|don't|do not|should|decid|because|chose|instead|agreed|require|fix|fail|error|broke|"
    r"next|todo|remain|open|unfinished|blocked|done|finished|created|changed|added|removed|renamed)",
    re.IGNORECASE,
)
_TELLING_CJK = re.compile(
    "必须|不要|不能|禁止|始终|只能|决定|因为|改为|失败|错误|修复|完成|未完成|下一步|待办|しない|必ず|決定|失敗|完了|次"
)


@dataclass(frozen=True, slots=True)
class _Line:
    place: int
    score: int
    text: str


class Extractive:
    """Implements `Summariser`; reads any amount, sends nothing anywhere."""

    name = "extractive"
    model = ""
    window = 0

    def check(self) -> None:
        """It can always be asked."""

    def summarise(self, request: Request, progress: Progress) -> str:
        """An extract of at most 12 KiB."""
        progress.step("summarising", 0, len(request.items))
        return extract(request.previous, request.items, request.focus)


def extract(previous: str, items: Sequence[Item], focus: str) -> str:
    """Four parts: the summary so far, what the user asked, what was said, which tools were used; empty ones left out."""
    wanted = _wanted(focus)
    said = [item for item in items if item.kind in {"answer", "summary"}]
    asked = [item for item in items if item.kind == "prompt"]
    shares = (
        ("Earlier summary", _PREVIOUS, _lines_of(previous, wanted)),
        ("Asked by the user", _ASKED, _lines(asked, wanted, base=2)),
        ("Said by the agent", _SAID, _lines(said, wanted)),
        ("Tools used", _DONE, _receipts(items, wanted)),
    )
    parts: list[str] = []
    room = MAX_BYTES - _LINE - 16
    for number, (title, _, lines) in enumerate(shares):
        text = _part(title, lines, room - sum(share for _, share, _ in shares[number + 1 :]))
        if text:
            parts.append(text)
            room -= len(text.encode()) + 2
    if focus:
        parts.insert(0, _fitted(f"Focus: {' '.join(focus.split())}", _LINE))
    return "\n\n".join(parts) or "Nothing was said in the messages behind this summary."


def _part(title: str, lines: Iterable[_Line], room: int) -> str:
    """The best lines that fit, in the order they were said."""
    head = f"## {title}"
    room -= len(head.encode())
    taken: list[_Line] = []
    for line in sorted(lines, key=lambda line: (-line.score, -line.place)):
        size = len(line.text.encode()) + 3
        if size <= room:
            taken.append(line)
            room -= size
    taken.sort(key=lambda line: line.place)
    return "\n".join([head, *(f"- {line.text}" for line in taken)]) if taken else ""


def _lines_of(text: str, wanted: frozenset[str]) -> list[_Line]:
    rows = [row.strip().removeprefix("- ") for row in text.split("\n")]
    kept = [row for row in rows if row and not row.startswith(("#", "Focus:", "["))]
    return [_Line(place, _score(row, wanted), _fitted(row, _LINE)) for place, row in enumerate(kept)]


def _lines(items: Iterable[Item], wanted: frozenset[str], base: int = 0) -> list[_Line]:
    """Sentences, each once: the last time it was said."""
    found: dict[str, _Line] = {}
    place = 0
    for item in items:
        for number, raw in enumerate(_SENTENCE.split(item.text)):
            text = " ".join(raw.split())
            if sum(map(str.isalnum, text)) < _LEAST:
                continue
            place += 1
            score = _score(text, wanted) + (base if number == 0 else 0)
            found.pop(text, None)
            found[text] = _Line(place, score, _fitted(text, _LINE))
    return list(found.values())


def _receipts(items: Iterable[Item], wanted: frozenset[str]) -> list[_Line]:
    calls: dict[str, _Line] = {}
    for place, item in enumerate(item for item in items if item.kind in {"call", "result"}):
        text = _fitted(" ".join(item.text.split()), 160)
        calls.pop(text, None)
        calls[text] = _Line(place, _score(text, wanted), text)
    return list(calls.values())


def _wanted(focus: str) -> frozenset[str]:
    """What the focus looks for: its words, and each pair of characters of words that are written without spaces."""
    words = {word.casefold() for word in _WORD.findall(focus)}
    pairs = {word[at : at + 2] for word in words if not word.isascii() for at in range(len(word) - 1)}
    return frozenset(words | pairs)


def _score(text: str, wanted: frozenset[str]) -> int:
    low = text.casefold()
    telling = len(_TELLING.findall(text)) + len(_TELLING_CJK.findall(text))
    return 4 * sum(word in low for word in wanted) + min(3, telling)


def _fitted(text: str, limit: int) -> str:
    """A text of at most `limit` bytes, cut between characters with a mark."""
    data = text.encode()
    return text if len(data) <= limit else data[: limit - 3].decode("utf-8", "ignore") + "…"
