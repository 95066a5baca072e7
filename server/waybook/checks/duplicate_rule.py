"""The same rule twice: in one file, or in a file and one that is read before it.

**What it finds.** Sentences that read like a rule ("Always run the tests before a commit.") and stand, but for case, markup
and white space, both here and earlier in the chain of instructions. Many repeats of one other file are one finding.

**Why it matters.** Every repeat costs tokens in every request, and when one copy is edited the other one contradicts it.

**Example.** `api/AGENTS.md` repeats a rule of the root:

    api/AGENTS.md:5:3: information: This rule already stands in AGENTS.md, line 12.

**Not flagged.** Headings, tables, code, links, short phrases, labels that end in a colon, sentences without anything to do or
to leave, the same sentence in directories that never apply together.

**How to suppress.** `<!-- waybook: allow duplicate-rule -->` above the line.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

from waybook.analysis.findings import Finding, Related
from waybook.analysis.prose import Sentence, plain, sentences
from waybook.checks.chain import is_dormant, predecessors
from waybook.checks.model import TextCheck

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.analysis.view import Document, View

MIN_CHARACTERS = 24
MIN_CHARACTERS_WITHIN = 36
"""Within one file, lists for two packages share short rules on purpose, so more is asked of a repeat."""
MIN_WORDS = 4
MANY = 4
"""More repeats of one file than this are told as one finding."""

_RULE = re.compile(
    r"^(?:please |also |then |when \w+[^,]*, |if [^,]+, )?(?:always|never|do not|dont|don't|avoid|use|run|prefer|ensure|make sure"
    r"|keep|write|follow|add|create|check|read|update|include|remove|test|commit|place|put|must|only|import|name|call|set|start"
    r"|stop|ask|document|leave|treat|verify|validate|reuse|respect|handle|return|wrap|group|mark|move|split|limit|require)\b"
)
_MODAL = re.compile(
    r"\b(?:must|must not|should|should not|shall|need to|needs to|have to|has to|is required|are required|not allowed|forbidden"
    r"|is mandatory|are mandatory|may not|cannot|never|always)\b"
)
_STRICT = re.compile(
    r"\b(?:never|always|must not|do not|don't|not allowed|forbidden|is mandatory|are mandatory)\b|[\u4e00-\u9fff]"
)
_MAYBE = re.compile(
    _RULE.pattern.replace("^", r"(?:^|[\s*_`\"'(])", 1)
    + "|"
    + _MODAL.pattern
    + "|必须|不要|禁止|请勿|务必|应该|不得|避免|使用|不能|始终|永远"
)
_RULE_CJK = re.compile("必须|不要|禁止|请勿|务必|应该|不得|避免|使用|不能|始终|永远")


def run(document: Document, view: View) -> Iterator[Finding]:
    """A finding on each rule that stands earlier already."""
    if is_dormant(document, view):
        return
    lines, twice = _lines(document.text)
    for earlier in predecessors(document, view):
        if _any_rule(lines & _lines(earlier.text)[0]):
            yield from _told(document, earlier, _repeats(document, earlier))
    if _any_rule(twice):
        yield from _told(document, document, _repeats_within(document))


@lru_cache(maxsize=512)
def _lines(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """The stretches of text long enough to be a rule, and those that stand twice; asked before parsing."""
    low = plain(text)
    if not low.isascii():
        low = low.replace("。", "\n")
    parted = low.replace(". ", "\n").replace(".\n", "\n").replace("- ", "\n").replace("\r", "")
    parts = [part for part in parted.split("\n") if len(part) >= MIN_CHARACTERS or not part.isascii()]
    unique = frozenset(parts)
    twice = () if len(unique) == len(parts) else (part for part, times in Counter(parts).items() if times > 1)
    return unique, frozenset(twice)


def _any_rule(lines: frozenset[str]) -> bool:
    """Whether any of some lines may hold a rule."""
    return any(_MAYBE.search(line) for line in lines)


def _rules(text: str) -> list[Sentence]:
    return [item for item in sentences(text) if _is_rule(item)]


def _is_rule(sentence: Sentence) -> bool:
    normal = sentence.normal
    if sentence.text.rstrip().endswith((":", "：")) or len(normal) < MIN_CHARACTERS // (1 if normal.isascii() else 3):
        return False
    if not normal.isascii() and _RULE_CJK.search(normal):
        return True
    if sentence.text.startswith("`") and not _MODAL.search(normal):
        return False  # a command, route or name with its description
    return normal.count(" ") >= MIN_WORDS - 1 and (_RULE.search(normal) or _MODAL.search(normal)) is not None


def _is_order(sentence: Sentence) -> bool:
    """Whether a sentence orders something, rather than describing what must be (as reference texts do all the time)."""
    return (_RULE.search(sentence.normal) or _STRICT.search(sentence.normal)) is not None


def _repeats(document: Document, earlier: Document) -> list[tuple[Sentence, Sentence]]:
    first: dict[str, Sentence] = {}
    for item in _rules(earlier.text):
        first.setdefault(item.normal, item)
    return [(item, first[item.normal]) for item in _rules(document.text) if item.normal in first]


def _repeats_within(document: Document) -> list[tuple[Sentence, Sentence]]:
    first: dict[str, Sentence] = {}
    found = []
    for item in _rules(document.text):
        if item.normal in first and len(item.normal) >= MIN_CHARACTERS_WITHIN and _is_order(item):
            found.append((item, first[item.normal]))
        else:
            first[item.normal] = item
    return found


def _told(document: Document, earlier: Document, pairs: list[tuple[Sentence, Sentence]]) -> Iterator[Finding]:
    if len(pairs) > MANY and earlier is not document:
        item, other = pairs[0]
        message = f"{len(pairs)} rules of this file, from here on, already stand in {earlier.path}."
        related = tuple(Related(earlier.path, there.span, here.text[:80]) for here, there in pairs)
        yield Finding(CHECK.code, document.path, item.span, message, related=related)
        return
    for item, other in pairs:
        line = earlier.lines.line_of(other.span.start) + 1
        place = f"in {earlier.path}, line {line}" if earlier is not document else f"in line {line}"
        related = (Related(earlier.path, other.span, "Here it stands first."),)
        yield Finding(CHECK.code, document.path, item.span, f"This rule already stands {place}.", related=related)


CHECK = TextCheck("duplicate-rule", "Rule stands twice", "information", run)
