"""Front matter that agents cannot read, or read otherwise than it looks.

**What it finds.** YAML between the two `---` lines that does not parse; a key that stands twice; a value of the wrong kind for
a key that agents know (`paths`, `globs`, `applyTo`: a text or a list of texts; `alwaysApply`: true or false; `description`,
`name`: a text); front matter that is never closed, or that does not begin in the first line. In the rules of an agent that
Waybook knows, also keys that this agent does not read although they look as if they narrowed the rule: `globs` in a rule of
Claude Code, `paths` in a file of Copilot.

**Why it matters.** Most agents pass over front matter that they cannot read, so that a rule for some files applies to all,
or to none.

**Example.** A colon in a text without quotes:

    .prayu/rules/tests.md:2:19: warning: The front matter cannot be read: mapping values are not allowed here.

**Not flagged.** Globs without quotes (`paths: *.ts` is no YAML, yet agents read it), keys that we do not know, empty front matter, a line `---` between paragraphs.

**How to suppress.** `<!-- waybook: allow-file bad-front-matter -->` in the text.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from waybook.analysis.findings import Finding, Fix, TextEdit
from waybook.analysis.markdown_front import GLOB_KEYS, Entry, Value, read
from waybook.base.text import Span
from waybook.checks.model import TextCheck
from waybook.checks.rule_dialects import TRIGGERS, Dialect, dialect

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.analysis.view import Document, View

_TEXTS = frozenset({"description", "name"})
_KNOWN = "|".join(sorted(GLOB_KEYS | _TEXTS | {"alwaysApply"}))
_OPEN = re.compile(rf"(?P<before>\s*)---[ \t]*\r?\n(?P<body>(?:[\w-]+:.*\r?\n|\s+-? ?\S.*\r?\n)*?(?:{_KNOWN}):)")


def run(document: Document, _view: View) -> Iterator[Finding]:
    """A finding on each flaw of the front matter; in an agent's rules it names the agents that read them."""
    rules = dialect(document.path)
    for found in _flaws(document, rules):
        yield replace(found, agents=rules.agents) if rules else found


def _flaws(document: Document, rules: Dialect | None) -> Iterator[Finding]:
    text = document.text
    if "---" not in text[:200]:
        return
    matter = read(text)
    if matter is None:
        yield from _not_read(document)
    elif matter.flaw:
        yield Finding(CHECK.code, document.path, matter.flaw_at, f"The front matter cannot be read: {matter.flaw}.")
    else:
        seen: set[str] = set()
        for entry in matter.entries:
            yield from _entry(document, entry, repeated=entry.key in seen)
            seen.add(entry.key)
        if rules is not None:
            yield from _of_agent(document, {entry.key: entry for entry in matter.entries}, rules)


def _of_agent(document: Document, entries: dict[str, Entry], rules: Dialect) -> Iterator[Finding]:
    """Keys and values that the agent of these rules passes over."""
    foreign = next((entries[key] for key in entries if key in rules.foreign), None)
    always = entries.get("alwaysApply")
    if foreign is not None and rules.key not in entries and not (always and always.value.text == "true"):
        message = f"{rules.name} does not read {foreign.key}: without {rules.key} {rules.without}."
        fix = Fix(f"Rename it to {rules.key}", (TextEdit(document.path, foreign.span, rules.key),))
        yield Finding(CHECK.code, document.path, foreign.span, message, fixes=(fix,))
    if "windsurf" in rules.agents and (trigger := entries.get("trigger")) is not None:
        if trigger.value.kind == "str" and trigger.value.text not in TRIGGERS:
            message = f"trigger has to be one of {', '.join(TRIGGERS)}; the rule loads only when it is mentioned."
            yield Finding(CHECK.code, document.path, trigger.value.span, message)
        elif trigger.value.text == "glob" and rules.key not in entries and foreign is None:
            message = "trigger is glob, and there are no globs: the rule never loads by itself."
            yield Finding(CHECK.code, document.path, trigger.span, message)
    for key in ("disabled", "enabled") if "cline" in rules.agents else ():
        if key in entries and entries[key].value.kind not in {"bool", "null"}:
            message = f"{key} has to be true or false: Cline leaves the file out."
            yield Finding(CHECK.code, document.path, entries[key].value.span, message)


def _not_read(document: Document) -> Iterator[Finding]:
    """Front matter that begins too late or never ends; only where a known key shows that it was meant."""
    match = _OPEN.match(document.text)
    if match is None:
        return
    start = match.end("before")
    span = Span(start, start + 3)
    if not match["before"]:
        yield Finding(CHECK.code, document.path, span, "The front matter is never closed: a line --- is missing.")
    elif re.search(r"^---[ \t]*\r?$", document.text[match.end() :], re.MULTILINE):
        fix = Fix("Remove the blank lines before it", (TextEdit(document.path, Span(0, start), ""),), preferred=True)
        message = "Front matter counts only when it begins in the first line; this one is read as text."
        yield Finding(CHECK.code, document.path, span, message, fixes=(fix,))


def _entry(document: Document, entry: Entry, *, repeated: bool) -> Iterator[Finding]:
    if repeated:
        yield Finding(CHECK.code, document.path, entry.span, f"The key {entry.key} stands twice; the last one counts.")
    wanted = _wanted(entry.key, entry.value)
    if wanted:
        yield Finding(CHECK.code, document.path, entry.value.span, f"{entry.key} has to be {wanted}.")


def _wanted(key: str, value: Value) -> str:
    """What a known key needs and does not have; "" when all is well. No value at all is left alone."""
    if value.kind == "null":
        return ""
    if key == "alwaysApply" and value.kind != "bool":
        return "true or false, without quotes"
    if key in _TEXTS and value.kind in {"list", "map"}:
        return "a text"
    if key in GLOB_KEYS and not (
        value.kind == "str" or (value.kind == "list" and all(i.kind == "str" for i in value.items))
    ):
        return "a glob or a list of globs"
    return ""


CHECK = TextCheck("bad-front-matter", "Front matter that cannot be read", "warning", run, local=True)
