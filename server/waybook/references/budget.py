"""Fitting a session into its bytes: the checkpoint and the newest messages stay, older ones go, then texts are cut.

The order of these steps and the words of the notice are the session-reference protocol's, recorded from its original.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from waybook.references.model import Fixed, Retained, Stats, Unit
from waybook.references.uri import json_text, whole_pairs

if TYPE_CHECKING:
    from collections.abc import Sequence

Mask = Callable[[str], str]
_CONTINUES, _BEGINS = 0x80, 0xC0
"""UTF-8 bytes from the first to below the second continue a character."""


def plain(text: str) -> str:
    """Hides nothing."""
    return text


def data_text(text: str) -> str:
    r"""A text as a JSON string in which no tag can be spelled: every `<` is `\u003c`."""
    return json_text(whole_pairs(text)).replace("<", "\\u003c")


def utf8(text: str) -> int:
    """The UTF-8 bytes of a text; half a surrogate pair counts three, as the character it would be replaced by."""
    return len(text.encode("utf-8", "surrogatepass"))


def cost(unit: Unit) -> int:
    """The bytes of a unit in the JSON."""
    return len(_unit_json(unit).encode())


def retain(fixed: Fixed, units: Sequence[Unit], max_bytes: int, mask: Mask = plain) -> Retained | None:
    """The session as JSON of at most `max_bytes` UTF-8 bytes; None when its fixed fields alone do not fit.

    `mask` hides secrets; it sees whole texts, before any is cut. Bytes left out are counted after it.
    """
    kept, dropped = _drop(fixed, units, max_bytes)
    masked = [replace(unit, text=mask(unit.text)) for unit in kept]
    kept, again = _drop(fixed, masked, max_bytes)
    fitting = _shorten(fixed, kept, max_bytes)
    if fitting is None:
        return None
    conversation, cut = fitting
    gone = [*dropped, *again]
    stats = Stats(
        compacted=any(unit.checkpoint for unit in units),
        original_messages=len(units),
        retained_messages=len(conversation),
        omitted_messages=len(gone),
        omitted_bytes=cut + sum(utf8(unit.text) for unit in gone),
        truncated=bool(gone or cut),
    )
    return Retained(fixed, conversation, stats, render(fixed, conversation))


def render(fixed: Fixed, conversation: Sequence[Unit]) -> str:
    """The JSON object of one session; a working directory that is not known is left out."""
    cwd = f'"cwd":{data_text(fixed.cwd)},' if fixed.cwd else ""
    units = ",".join(map(_unit_json, conversation))
    return (
        f'{{"sessionId":{data_text(fixed.session_id)},"label":{data_text(fixed.label)},{cwd}'
        f'"capturedThroughSeq":{fixed.captured_through},"conversation":[{units}]}}'
    )


def _unit_json(unit: Unit) -> str:
    return f'{{"role":"{unit.role}","text":{data_text(unit.text)}}}'


def _drop(fixed: Fixed, units: Sequence[Unit], max_bytes: int) -> tuple[list[Unit], list[Unit]]:
    """The units kept and those dropped: oldest first until the rest fits; checkpoint and newest unit always stay."""
    costs = [cost(unit) + 1 for unit in units]
    size = len(render(fixed, ()).encode()) + sum(costs) - bool(units)
    droppable = [index for index, unit in enumerate(units) if not unit.checkpoint][:-1]
    gone: set[int] = set()
    for index in droppable:
        if size <= max_bytes:
            break
        gone.add(index)
        size -= costs[index]
    kept = [unit for index, unit in enumerate(units) if index not in gone]
    return kept, [units[index] for index in sorted(gone)]


def _shorten(fixed: Fixed, units: Sequence[Unit], max_bytes: int) -> tuple[tuple[Unit, ...], int] | None:
    """Cut the longest text by what is too much, again and again; the units and the bytes cut, None when none is left.

    A cut always starts from the whole text, so that the number in its notice is exact. What is too much is counted in
    JSON bytes; a text full of characters that JSON escapes gives up fewer bytes of its own for them.
    """
    texts = [unit.text for unit in units]
    omitted = [0] * len(units)
    while (over := _size(fixed, units, texts) - max_bytes) > 0:
        lengths = [utf8(text) for text in texts]
        longest = max(range(len(texts)), key=lengths.__getitem__, default=-1)
        if longest < 0 or not lengths[longest]:
            return None
        whole = units[longest].text
        escaped = len(data_text(whole).encode()) - 2
        give = -(-over * utf8(whole) // escaped)
        texts[longest], omitted[longest] = shorten(whole, max(0, lengths[longest] - give))
    return tuple(replace(unit, text=text) for unit, text in zip(units, texts, strict=True)), sum(omitted)


def _size(fixed: Fixed, units: Sequence[Unit], texts: Sequence[str]) -> int:
    changed = [replace(unit, text=text) for unit, text in zip(units, texts, strict=True)]
    return len(render(fixed, changed).encode())


def shorten(text: str, limit: int) -> tuple[str, int]:
    """At most `limit` UTF-8 bytes of a text: its head, its tail, and a notice of the bytes omitted between them.

    Answers the text and the bytes omitted. Characters stay whole; the head gets the odd byte. A limit below the notice
    leaves nothing. (The notice stands last, as the protocol has it.)
    """
    data = text.encode("utf-8", "surrogatepass")
    if len(data) <= limit:
        return text, 0
    low, high, best = 0, limit, ("", len(data))
    while low <= high:
        room = (low + high) // 2
        head, tail = _ends(data, room)
        left_out = len(data) - len(head) - len(tail)
        ends = (head + tail).decode("utf-8", "surrogatepass")
        candidate = f"{ends}\n[… omitted {left_out} UTF-8 bytes …]"
        if utf8(candidate) <= limit:
            best, low = (candidate, left_out), room + 1
        else:
            high = room - 1
    return best


def _ends(data: bytes, room: int) -> tuple[bytes, bytes]:
    """The first and the last bytes, `room` at most, without parts of characters."""
    head_end, tail_start = (room + 1) // 2, len(data) - room // 2
    while head_end and _inside(data[head_end]):
        head_end -= 1
    while tail_start < len(data) and _inside(data[tail_start]):
        tail_start += 1
    return data[:head_end], data[tail_start:]


def _inside(byte: int) -> bool:
    """Whether a UTF-8 byte continues a character."""
    return _CONTINUES <= byte < _BEGINS
