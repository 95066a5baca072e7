"""One normal form for anchors and briefs. Approving and calling use it alike, so that they can match exactly."""

from __future__ import annotations

import json
from math import isfinite
from typing import TYPE_CHECKING, Any

from waybook.base.canonical import sha256_hex
from waybook.base.errors import RefusedError, UsageError
from waybook.tasks.limits import ANCHOR_CHARACTERS, BRIEF_CHARACTERS, JSON_DEPTH, MAX_REFERENCES
from waybook.tasks.model import Anchor, Brief, ContextRef

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_ANCHOR = ("objective", "completion_criteria", "constraints")
_BRIEF = (
    "objective", "reason", "completion_criteria", "expected_outputs", "parent_findings", "context", "constraints",
    "context_refs",
)  # fmt: skip


def normal_text(value: Any) -> str:
    """The one JSON text of a value: compact, keys in the order given. Characters and digests are of this text."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def normal_json(value: Any, what: str, depth: int = JSON_DEPTH) -> Any:
    """A copy of JSON data with its keys sorted. Raises `UsageError` for NaN, Infinity or anything that is not JSON."""
    if depth == 0:
        raise UsageError(f"{what} is nested deeper than {JSON_DEPTH}.", code="bad-json", limit=JSON_DEPTH)
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        if not isfinite(value):
            raise UsageError(f"{what} holds NaN or Infinity, which are no JSON.", code="bad-json")
        return value
    if isinstance(value, str):
        return _text(value, what)
    if isinstance(value, list | tuple):
        return [normal_json(item, what, depth - 1) for item in value]
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return {_text(key, what): normal_json(value[key], what, depth - 1) for key in sorted(value)}
    raise UsageError(f"{what} holds {type(value).__name__}, which is no JSON.", code="bad-json")


def normalise_anchor(raw: Mapping[str, Any]) -> Anchor:
    """The anchor that raw fields mean.

    Raises `UsageError` for missing, unknown or misshapen fields, `RefusedError` (code `anchor-too-long`) past 4,000
    characters.
    """
    _require_fields(raw, _ANCHOR, "A root task's anchor")
    objective = _required(raw, "objective")
    criteria = _texts(raw, "completion_criteria", required=True)
    constraints = _texts(raw, "constraints")
    text = normal_text(
        {"objective": objective, "completion_criteria": list(criteria), "constraints": list(constraints)}
    )
    if len(text) > ANCHOR_CHARACTERS:
        raise RefusedError(
            f"The root task has {len(text):,} characters; at most {ANCHOR_CHARACTERS:,} are kept word for word.",
            code="anchor-too-long",
            limit=ANCHOR_CHARACTERS,
            hint="Say it shorter, and put details into the first brief.",
        )
    return Anchor(objective, criteria, constraints, text, sha256_hex(text))


def normalise_brief(raw: Mapping[str, Any], anchor: Anchor, parent: Brief | None) -> Brief:
    """The brief that raw fields mean below an anchor and, past the first layer, a direct parent's brief.

    Constraints of the anchor and the parent come first and cannot be dropped; the brief's own follow. Raises
    `UsageError`, and `RefusedError` (code `brief-too-long`) past 16,000 characters, inherited constraints included.
    """
    _require_fields(raw, _BRIEF, "A brief")
    constraints = tuple(
        dict.fromkeys((*anchor.constraints, *(parent.constraints if parent else ()), *_texts(raw, "constraints")))
    )
    refs = _references(raw.get("context_refs") or [])
    body = {
        "objective": _required(raw, "objective"),
        "reason": _required(raw, "reason"),
        "completion_criteria": list(_texts(raw, "completion_criteria", required=True)),
        "expected_outputs": list(_texts(raw, "expected_outputs", required=True)),
        "parent_findings": list(_texts(raw, "parent_findings")),
        "context": normal_json(raw.get("context"), "A brief's context"),
        "constraints": list(constraints),
        "context_refs": [{"ref_id": ref.ref_id, "version": ref.version} for ref in refs],
    }
    text = normal_text(body)
    if len(text) > BRIEF_CHARACTERS:
        raise RefusedError(
            f"The brief has {len(text):,} characters, inherited constraints included; at most {BRIEF_CHARACTERS:,} fit.",
            code="brief-too-long",
            limit=BRIEF_CHARACTERS,
            hint="Shorten it, or hand on a reference instead of its text.",
        )
    return brief_from(text)


def brief_from(text: str) -> Brief:
    """A brief from its normal text."""
    body = json.loads(text)
    return Brief(
        objective=body["objective"],
        reason=body["reason"],
        completion_criteria=tuple(body["completion_criteria"]),
        expected_outputs=tuple(body["expected_outputs"]),
        parent_findings=tuple(body["parent_findings"]),
        context=body["context"],
        constraints=tuple(body["constraints"]),
        context_refs=tuple(ContextRef(**ref) for ref in body["context_refs"]),
        text=text,
        sha256=sha256_hex(text),
    )


def anchor_from(text: str) -> Anchor:
    """An anchor from its normal text."""
    body = json.loads(text)
    return Anchor(
        body["objective"], tuple(body["completion_criteria"]), tuple(body["constraints"]), text, sha256_hex(text)
    )


def _text(value: str, what: str) -> str:
    if "\0" in value or any("\ud800" <= char <= "\udfff" for char in value):
        raise UsageError(f"{what} holds NUL or what is not Unicode text.", code="bad-text")
    return value


def _line(value: Any, what: str) -> str:
    if not isinstance(value, str):
        raise UsageError(f"{what} is a text, not {type(value).__name__}.", code="bad-field")
    return _text(value, what).replace("\r\n", "\n").replace("\r", "\n").strip()


def _required(raw: Mapping[str, Any], name: str) -> str:
    text = _line(raw.get(name) if raw.get(name) is not None else "", name)
    if not text:
        raise UsageError(f"{name} is missing.", code="missing-field", hint="Every task says it.", field=name)
    return text


def _texts(raw: Mapping[str, Any], name: str, *, required: bool = False) -> tuple[str, ...]:
    value = raw.get(name)
    if value is None:
        value = []
    if isinstance(value, str):
        value = [value]
    if not isinstance(value, list | tuple):
        raise UsageError(f"{name} is a list of texts.", code="bad-field", field=name)
    found = tuple(dict.fromkeys(text for item in value if (text := _line(item, name))))
    if required and not found:
        raise UsageError(f"{name} is missing.", code="missing-field", hint="Every task says it.", field=name)
    return found


def _require_fields(raw: Mapping[str, Any], known: Iterable[str], what: str) -> None:
    if not isinstance(raw, dict):
        raise UsageError(f"{what} is a JSON object.", code="bad-field")
    unknown = sorted(str(name) for name in set(raw) - set(known))
    if unknown:
        raise UsageError(
            f"{what} has no field {unknown[0]!r}.", code="unknown-field", hint=f"Its fields: {', '.join(known)}."
        )


def _references(value: Any) -> tuple[ContextRef, ...]:
    found = []
    for item in value if isinstance(value, list | tuple) else [None]:
        if isinstance(item, ContextRef):
            item = {"ref_id": item.ref_id, "version": item.version}  # noqa: PLW2901 - the one form that is checked
        if not isinstance(item, dict) or set(item) != {"ref_id", "version"}:
            raise UsageError("context_refs is a list of {ref_id, version}.", code="bad-field", field="context_refs")
        found.append(ContextRef(_line(item["ref_id"], "ref_id"), _line(item["version"], "version")))
    refs = tuple(dict.fromkeys(found))
    if len(refs) > MAX_REFERENCES:
        raise RefusedError(
            f"A task takes at most {MAX_REFERENCES} references.", code="too-many-references", limit=MAX_REFERENCES
        )
    return refs
