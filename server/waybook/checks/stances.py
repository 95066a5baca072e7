"""What a sentence demands or forbids, where it says so plainly: the pieces that contradictions are made of."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from waybook.analysis.prose import Sentence, plain, sentences

if TYPE_CHECKING:
    from collections.abc import Iterator

_LABEL = re.compile(
    r"^(?:please |also |and |so |(?:important|note|warning|critical|rules?|indentation|indent|style|formatting): )"
)
_NEGATIVE = re.compile(
    r"^(?:you )?(?:never|do not|don't|dont|must not|must never|should not|should never|avoid)(?: ever)? (.+)$"
)
_POSITIVE = re.compile(r"^(?:you )?(?:always|must always|must|should always|should)? ?(.+)$")
_VERB = re.compile(
    r"^(?:use|using|run|running|commit|committing|add|adding|write|writing|import|importing|call|calling|edit|editing|modify"
    r"|modifying|push|pushing|install|installing|mock|mocking|include|including|create|creating|amend|amending|squash|squashing"
    r"|rebase|rebasing|format|formatting|prefer|export|exporting|throw|throwing|catch|catching|skip|skipping|delete|deleting"
    r"|change|changing|update|updating|put|putting|keep|keeping|return|returning|log|logging|bump|bumping|merge|merging)\b"
)
_AFTER = re.compile(r"\s*(?:[,;:(]|[\u2014\u2013]|\s-\s|\b(?:because|since|as it|as they|instead|but|so that)\b).*$")
_CONDITION = re.compile(
    r"\b(?:if|when|whenever|where|unless|except|only|until|while|without|before|after|during|for|in|on|from|inside|outside|within"
    r"|unnecessar\w*|excessive\w*|too|more than|less than|directly|manually|by hand|alone|blindly|just|both|every|all|any)\b"
)
_EXCEPTION = re.compile(
    r"\b(?:unless|except|if|when|whenever|only|until|without|other than|rather than)\b(?! (?:tabs?|spaces?)$)"
)
"""A sentence with a way out contradicts nothing, wherever in it the way out stands."""
_INDENT = re.compile(
    r"^(?:always )?(?:use|prefer|indent with|indent code with|indent using)? ?(?:hard |real |soft )?"
    r"(?P<kind>tabs?|(?:(?:\d|two|three|four|eight)[- ])?spaces?)(?: characters?)?(?: (?:for|as) (?:all |code )?(?:indentation|indents?|indenting))?"
    r"(?:,? ?\(?(?:and )?(?:not|never|no|instead of|rather than|over) (?:tabs?|spaces?)\)?)?(?: (?:for|as) (?:all |code )?(?:indentation|indenting))?$"
)


_WORDS = re.compile(r"[^\W_]+")
_TURNED = re.compile(
    r"\b(?:don'?ts?|do not|not|never|avoid|bad|wrong|incorrect|before|anti|mistakes?|forbidden|instead|examples?)\b"
)
"""A list below such words says what it means the other way round, or shows both ways."""
_GENERAL = frozenset(
    """
    a agent agents ai all always and best claude code coding command commands contributing convention conventions core critical
    dependencies development do dos editing essential fmt for format formatting general git guide guideline guidelines important
    indent indentation install installation instructions key lint linting manager mandatory md must naming note notes of our overview
    package packages policies policy practice practices principles project quality quick reference repo repository requirements
    rule rules s setup standard standards start strict style styles styleguide testing tests the this to tools tooling use whitespace
    workflow workflows working
    """.split()  # noqa: SIM905 -- a list of words reads better as words
)
"""Headings of such words speak of everything; any other word (a language, a package) may be a condition."""


@dataclass(frozen=True, slots=True)
class Stance:
    """`about` is what is demanded (`demands`) or forbidden; equal texts with opposite signs contradict one another."""

    sentence: Sentence
    about: str
    demands: bool


@lru_cache(maxsize=256)
def stances(text: str) -> tuple[Stance, ...]:
    """The plain stances of a text, in source order."""
    return tuple(stance for sentence in sentences(text) for stance in of_sentence(sentence))


def of_sentence(sentence: Sentence) -> Iterator[Stance]:
    """The stance of one sentence, if it has one that leaves no room."""
    normal = _LABEL.sub("", sentence.normal)
    if _TURNED.search(f"{sentence.heading} {sentence.lead}") or not (
        _GENERAL.issuperset(_WORDS.findall(sentence.heading))
    ):
        return
    if _EXCEPTION.search(normal):
        return
    negative = _NEGATIVE.match(normal)
    rest = _base_form(negative[1]) if negative else normal
    indent = _INDENT.fullmatch(rest)
    if indent:
        yield Stance(sentence, "indent with tabs", indent["kind"].startswith("tab") is (negative is None))
    elif negative:
        yield from _stance(sentence, rest, demands=False)
    elif positive := _POSITIVE.match(normal):
        yield from _stance(sentence, positive[1], demands=True)


def _stance(sentence: Sentence, rest: str, *, demands: bool) -> Iterator[Stance]:
    about = rest if demands else _AFTER.sub("", rest)
    if _VERB.match(about) and " " in about and not _CONDITION.search(about):
        yield Stance(sentence, about.strip(), demands)


def _base_form(rest: str) -> str:
    """The form after "never": "using x" becomes "use x", so that "avoid using x" meets "use x"."""
    head, _, tail = rest.partition(" ")
    known = {"using": "use", "running": "run", "committing": "commit", "writing": "write", "importing": "import",
             "calling": "call", "editing": "edit", "modifying": "modify", "amending": "amend", "mocking": "mock"}  # fmt: skip
    return f"{known.get(head, head)} {tail}"


_NEGATIONS = ("never ", "do not ", "don't ", "must not ", "should not ", "avoid ")
_SUBJECT = re.compile(r"(?:ever )?([^\n.,;:(\u2014\u2013]{3,80})")
_BEFORE = re.compile(r"(?:^|[\n.!?:>|#+\-*)])[\s*_\"]*(?:you )?(?:always|must|should|must always|should always)?\s*$")
_ASKS = re.compile(r"\b(?:use|prefer|indent|indentation)\b|^[\s*+>-]*(?:\d )?(?:tab|space)")


@lru_cache(maxsize=512)
def forbidden(text: str) -> tuple[str, ...]:
    """What a text may forbid, read without parsing: a superset of the negative stances' subjects, lower case."""
    low = plain(text)
    found: dict[str, None] = {}
    for word in _NEGATIONS:
        at = low.find(word)
        while at >= 0:
            subject = _subject_of(low[at + len(word) : at + len(word) + _LONGEST])
            if subject:
                found[subject] = None
            at = low.find(word, at + 1)
    return tuple(found)


_LONGEST = 100
"""Characters behind a negation that are looked at; `_SUBJECT` takes no more."""


@lru_cache(maxsize=4_096)
def _subject_of(rest: str) -> str:
    """What is forbidden by a negation that these words follow; "" where nothing plainly is."""
    match = _SUBJECT.match(rest)
    if match is None or not _VERB.match(match[1]):
        return ""
    subject = _AFTER.sub("", _base_form(" ".join(match[1].split()))).strip(" .!")
    return subject if " " in subject and not _CONDITION.search(subject) else ""


def may_demand(text: str, subject: str) -> bool:
    """Whether a text may demand a subject: it stands where a sentence begins; read without parsing."""
    low = plain(text)
    at = low.find(subject)
    while at >= 0:
        if _BEFORE.search(low, max(0, at - 24), at):
            return True
        at = low.find(subject, at + 1)
    return False


@lru_cache(maxsize=512)
def may_indent(text: str) -> tuple[bool, bool]:
    """Whether a text may ask for tabs, and for spaces; read without parsing."""
    low = plain(text)
    return _asks_for(low, "tab"), _asks_for(low, "space")


def _asks_for(low: str, word: str) -> bool:
    at = low.find(word)
    while at >= 0:
        end = low.find("\n", at)
        line = low[low.rfind("\n", 0, at) + 1 : end if end >= 0 else len(low)]
        if len(line) < MAX_INDENT_LINE and _ASKS.search(line):
            return True
        at = low.find(word, end) if end >= 0 else -1
    return False


MAX_INDENT_LINE = 160
"""A stance on indentation is a short sentence; a longer line is not looked at."""
