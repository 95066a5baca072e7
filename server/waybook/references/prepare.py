"""A prompt with mentions becomes one frozen message with the snapshots in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.base.cancel import Progress
from waybook.references.budget import Mask, plain, retain, utf8
from waybook.references.envelope import wrap
from waybook.references.errors import budget_exceeded, invalid_config, self_reference, too_many
from waybook.references.gather import gather
from waybook.references.mentions import Reference, parse
from waybook.references.model import MAX_BYTES, MAX_REFERENCES, Fixed, Prepared, Provenance, Retained
from waybook.references.projection import project
from waybook.references.uri import encode_uri

if TYPE_CHECKING:
    from collections.abc import Iterable

    from waybook.references.model import Surface
    from waybook.references.source import SessionSource

MAX_SECONDS = 30.0
"""How long a reader is waited for unless the caller says otherwise."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much one message may take in. Raises `UsageError` (INVALID_CONFIG) for bounds that cannot be meant.

    `references`: sessions, at most 3; `bytes`: UTF-8 bytes of each session's JSON; `seconds`: for reading all of them.
    """

    references: int = MAX_REFERENCES
    bytes: int = MAX_BYTES
    seconds: float = MAX_SECONDS

    def __post_init__(self) -> None:
        if not 1 <= self.references <= MAX_REFERENCES:
            raise invalid_config("The number of references", self.references, MAX_REFERENCES)
        if self.bytes < 1:
            raise invalid_config("The number of bytes of a reference", self.bytes)
        if not self.seconds > 0:
            raise invalid_config("The number of seconds", int(self.seconds))


def prepare(
    text: str,
    session: str,
    source: SessionSource,
    *,
    progress: Progress | None = None,
    bounds: Bounds | None = None,
    mask: Mask = plain,
) -> Prepared:
    """The message for a prompt; a prompt without mentions comes back as it is.

    `session` is the id of the session the message is meant for ("" for none). Sessions stand in the order of their
    first mention, each once, under the label of that mention. All are read before anything is made: there is the whole
    message or an error (INVALID_REFERENCE, SELF_REFERENCE, TOO_MANY, READ_FAILED, BUDGET_EXCEEDED, CANCELLED), and
    nothing that happens to a source later changes it. `mask` hides secrets in what is taken in.
    """
    bounds = bounds or Bounds()
    parsed = parse(text)
    wanted = distinct(parsed.references, session, bounds.references)
    surfaces = gather(source, wanted, progress or Progress(), bounds.seconds) if wanted else ()
    pairs = _by_session(zip(wanted, surfaces, strict=True), session)
    sessions = [_retained(reference, surface, bounds.bytes, mask) for reference, surface in pairs]
    whole = wrap(sessions, parsed.text)
    return Prepared(whole, parsed.text, tuple(map(_provenance, sessions)), utf8(whole))


def distinct(references: Iterable[Reference], session: str, limit: int = MAX_REFERENCES) -> tuple[Reference, ...]:
    """Each session once, in the order of first mention; an empty label gives way to the id.

    Raises `RefusedError` (SELF_REFERENCE, TOO_MANY).
    """
    found: dict[str, Reference] = {}
    for reference in references:
        if session and reference.session_id == session:
            raise self_reference(session)
        label = reference.label or reference.session_id
        found.setdefault(reference.session_id, Reference(reference.session_id, label))
    if len(found) > limit:
        raise too_many(len(found), limit)
    return tuple(found.values())


def _by_session(pairs: Iterable[tuple[Reference, Surface]], session: str) -> tuple[tuple[Reference, Surface], ...]:
    """Each session once, also where two mentions name it by different ids; itself is refused by either id."""
    found: dict[str, tuple[Reference, Surface]] = {}
    for reference, surface in pairs:
        if surface.record.known_as(session):
            raise self_reference(session)
        found.setdefault(surface.record.id, (reference, surface))
    return tuple(found.values())


def _retained(reference: Reference, surface: Surface, max_bytes: int, mask: Mask) -> Retained:
    fixed = Fixed(reference.session_id, reference.label, surface.record.cwd, surface.captured_through)
    retained = retain(fixed, project(surface.messages), max_bytes, mask)
    if retained is None:
        raise budget_exceeded(reference.session_id, reference.label, max_bytes)
    return retained


def _provenance(session: Retained) -> Provenance:
    fixed, stats = session.fixed, session.stats
    return Provenance(
        session_id=fixed.session_id,
        uri=encode_uri(fixed.session_id),
        label=fixed.label,
        cwd=fixed.cwd,
        captured_through=fixed.captured_through,
        bytes=len(session.json.encode()),
        compacted=stats.compacted,
        original_messages=stats.original_messages,
        retained_messages=stats.retained_messages,
        omitted_messages=stats.omitted_messages,
        omitted_bytes=stats.omitted_bytes,
        truncated=stats.truncated,
    )
