"""Characters that nobody sees: zero-width, direction controls, tag characters.

**What it finds.** Runs of invisible characters: zero-width spaces and joiners, word joiners, a byte order mark inside the
text, soft hyphens, Hangul fillers, controls that turn the writing direction, runs of variation selectors, and tag
characters (U+E0000 to U+E007F). The message names each run and decodes what tags and variation selectors spell.

**Why it matters.** A model reads what a reviewer cannot see. Hidden text is a way to slip instructions into a file, and
direction controls make a line look like another one.

**Example.** A rule with hidden tag characters after it:

    AGENTS.md:1:28: warning: 3 invisible characters (tag characters that spell "rm ").

The fix removes them.

**Not flagged.** Joiners inside emoji (a family, a flag), the tags of a flag such as Scotland's, variation selectors after a
character they can change, joiners that Persian, Arabic and Indic scripts need, zero-width spaces between Thai, Lao, Khmer
or Burmese letters, direction marks in a line with right-to-left letters, tabs and other control characters.

**How to suppress.** `<!-- waybook: allow hidden-unicode -->` above the line, `allow-file` for the file.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from waybook.analysis.findings import Finding, Fix, TextEdit
from waybook.base.text import Span
from waybook.checks.model import TextCheck

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.analysis.view import Document, View

_HIDDEN = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e01ef"
)
_RUN = re.compile(f"[{_HIDDEN}]+")
_FLAG = re.compile("\U0001f3f4[\U000e0061-\U000e007a\U000e0030-\U000e0039]{2,6}\U000e007f")
_SELECTOR = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef\u180b-\u180d\u180f]")
_BYTES = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
"""The 256 selectors: each may stand for one byte."""
_TAG = re.compile("[\U000e0020-\U000e007e]")
MOST_NAMED = 3
MOST_TOLD = 200
"""A file with more runs than this is told about as a whole: an editor gains nothing from thousands of marks."""
TAG_BASE = 0xE0000
"""A tag character is an ASCII character this much higher."""
_JOINING_SCRIPTS = ("ARABIC", "SYRIAC", "MONGOLIAN", "DEVANAGARI", "BENGALI", "GURMUKHI", "GUJARATI", "ORIYA", "TAMIL",
                    "TELUGU", "KANNADA", "MALAYALAM", "SINHALA", "TIBETAN", "MYANMAR", "KHMER", "NKO", "MANDAIC")  # fmt: skip
_SPACELESS_SCRIPTS = ("THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN", "JAVANESE", "BALINESE")
_NAMES = {
    "\u00ad": "soft hyphen", "\u200b": "zero-width space", "\u200c": "zero-width non-joiner",
    "\u200d": "zero-width joiner", "\u2060": "word joiner", "\ufeff": "byte order mark",
}  # fmt: skip


def run(document: Document, _view: View) -> Iterator[Finding]:
    """One finding for each run of hidden characters."""
    text = document.text
    if text.isascii():
        return
    told = 0
    for match in _RUN.finditer(text):
        start, end = _unexplained(text, match.start(), match.end())
        if start >= end:
            continue
        told += 1
        span = Span(start, end)
        if told == MOST_TOLD:
            message = f"There are more invisible characters from here on: only the first {MOST_TOLD} runs are told."
            yield Finding(CHECK.code, document.path, span, message)
            return
        fix = Fix("Remove the invisible characters", (TextEdit(document.path, span, ""),), preferred=True)
        yield Finding(CHECK.code, document.path, span, describe(text[start:end]), fixes=(fix,))


def _unexplained(text: str, start: int, end: int) -> tuple[int, int]:
    """The part of a run that has no honest use where it stands."""
    flag = _FLAG.match(text, start - 1) if start else None
    if flag:
        start = flag.end()
    if start < end and start and _SELECTOR.match(text[start]) and not text[start - 1].isspace():
        start += 1  # one selector may follow any visible character
    if end - start == 1 and _is_needed(text, start):
        return end, end
    return start, end


def _is_needed(text: str, at: int) -> bool:
    char = text[at]
    before, after = _visible(text, at, -1), _visible(text, at, 1)
    if char == "\ufeff":
        return at == 0
    if char == "\u200d" and _is_symbol(before) and _is_symbol(after):
        return True
    if char in "\u200c\u200d":
        return _script(before, _JOINING_SCRIPTS)
    if char == "\u200b":
        return _script(before, _SPACELESS_SCRIPTS) or _script(after, _SPACELESS_SCRIPTS)
    if char in "\u200e\u200f\u061c":
        return any(unicodedata.bidirectional(other) in {"R", "AL"} for other in _line_around(text, at))
    return False


def _visible(text: str, at: int, step: int) -> str:
    """The nearest character on one side that is no selector or emoji modifier; "" at the border."""
    at += step
    while 0 <= at < len(text) and (_SELECTOR.match(text[at]) or "\U0001f3fb" <= text[at] <= "\U0001f3ff"):
        at += step
    return text[at] if 0 <= at < len(text) else ""


def _is_symbol(char: str) -> bool:
    return char != "" and unicodedata.category(char) in {"So", "Sm", "Po", "Sk"} and not char.isascii()


def _script(char: str, scripts: tuple[str, ...]) -> bool:
    return char != "" and unicodedata.name(char, "").startswith(scripts)


def _line_around(text: str, at: int) -> str:
    start = max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1
    end = text.find("\n", at)
    return text[start : end if end >= 0 else len(text)]


def describe(hidden: str) -> str:
    """The message for one run: how many characters, what they are, what they spell."""
    count = f"{len(hidden)} invisible character{'s' if len(hidden) > 1 else ''}"
    spelled = decode(hidden)
    if spelled:
        return f'{count} ({spelled[0]} that spell "{spelled[1]}").'
    names = list(dict.fromkeys(f"U+{ord(char):04X} {_name(char)}" for char in hidden))
    shown = ", ".join(names[:MOST_NAMED]) + (", ..." if len(names) > MOST_NAMED else "")
    return f"{count} ({shown})."


def _name(char: str) -> str:
    return _NAMES.get(char) or unicodedata.name(char, "unassigned").lower()


def decode(hidden: str) -> tuple[str, str] | None:
    """What the tag characters, or the variation selectors, of a run spell; None when it has neither."""
    tags = "".join(chr(ord(char) - TAG_BASE) for char in hidden if _TAG.match(char))
    if tags:
        return "tag characters", tags
    selectors = bytes(
        ord(char) - 0xFE00 if char < "\uffff" else ord(char) - 0xE0100 + 16 for char in _BYTES.findall(hidden)
    )
    if len(selectors) > 1:
        spelled = selectors.decode("utf-8", "replace")
        return "variation selectors", "".join(char if char.isprintable() else "\ufffd" for char in spelled)
    return None


CHECK = TextCheck("hidden-unicode", "Invisible characters", "warning", run, local=True)
