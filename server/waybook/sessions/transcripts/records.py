"""From lines to JSON records, with what can be saved from damaged ones."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from waybook.sessions.transcripts.model import Damage

if TYPE_CHECKING:
    from waybook.workspace.transcript_files import Line

Record = dict[str, Any]
_DECODER = json.JSONDecoder()
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_MAX_STARTS = 64
"""Places in one damaged line where a record is looked for."""


def decode(line: Line) -> tuple[list[Record], Damage | None]:
    """The records of a line, and what is wrong with it. A blank line has neither."""
    data = line.data
    if line.too_long:
        return [], Damage(line.number, "too-long", "the line is too long and was passed over")
    if line.number == 1:
        data = data.removeprefix(_BYTE_ORDER_MARK)
    try:
        value = json.loads(data.decode())
    except UnicodeDecodeError:
        return _recover(data, line)
    except (ValueError, RecursionError):
        return _recover(data, line) if data.strip() else ([], None)
    if isinstance(value, dict):
        return [value], None
    if not line.whole:
        return [], _torn(line)
    return [], Damage(line.number, "not-an-object", f"the line holds a {type(value).__name__}, not a record")


def _recover(data: bytes, line: Line) -> tuple[list[Record], Damage]:
    """What is whole in a line that is not: records glued together, or one behind the torn beginning of another."""
    if not line.whole:
        return [], _torn(line)
    if not data.strip(b"\0 \t\r\n"):
        return [], Damage(line.number, "nul-bytes", "the line holds only NUL bytes")
    text = data.decode("utf-8", "replace")
    found: list[Record] = []
    place, starts = 0, 0
    while (place := text.find('{"', place)) >= 0 and starts < _MAX_STARTS:
        starts += 1
        try:
            value, end = _DECODER.raw_decode(text, place)
        except (ValueError, RecursionError):
            place += 1
            continue
        if _is_record(value):
            found.append(value)
        place = end
    saved = f"; {len(found)} whole record(s) in it were read" if found else ""
    return found, Damage(line.number, "damaged", f"the line is damaged{saved}")


def _torn(line: Line) -> Damage:
    return Damage(line.number, "torn", "the last line is incomplete; it is read once it is whole")


def _is_record(value: Any) -> bool:
    """Whether an object is a record of its own, and not a part of a torn one."""
    return isinstance(value, dict) and "type" in value and ("timestamp" in value or "sessionId" in value)
