"""What a fingerprint is the digest of, against the plain way of writing the same JSON."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from waybook.base.canonical import canonical_json, sha256_hex
from waybook.instructions.model import Conflict, Ignored, Kind, Limits, Source
from waybook.instructions.protocol import LIMITS
from waybook.instructions.snapshot import find_conflicts, fingerprint, stable_json

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(
    ["<&>", "\u2028\u2029", '"\\', "\x00\x1f\b"]
)
NUMBER = st.integers(0, 10**6)
SOURCES = st.builds(
    Source,
    ordinal=NUMBER,
    path=TEXT,
    kind=st.sampled_from(Kind),
    scope=TEXT,
    depth=NUMBER,
    precedence=NUMBER,
    content=st.just(""),
    content_sha256=TEXT,
    loaded_at=TEXT,
    trust=TEXT,
    applicable_to=st.lists(TEXT, max_size=2).map(tuple),
    why_effective=TEXT,
    redacted=st.booleans(),
    authority=st.just(Source.__dataclass_fields__["authority"].default),
)


def plain(source: Source) -> dict[str, Any]:
    """The members of a source that count, by way of its protocol form."""
    return {
        key: value for key, value in source.to_json().items() if key not in {"content", "loaded_at", "why_effective"}
    }


@given(
    TEXT,
    st.lists(SOURCES, max_size=3),
    st.lists(st.builds(Ignored, TEXT, TEXT), max_size=2),
    st.lists(st.builds(Conflict, TEXT, TEXT, TEXT), max_size=2),
    st.builds(Limits, NUMBER, NUMBER, NUMBER, NUMBER),
)
def test_the_hashed_text_is_the_canonical_json_of_the_stable_members(target, sources, ignored, conflicts, limits):
    value = {
        "protocol_version": "project_instruction_snapshot.v1",
        "target_path": target,
        "sources": [plain(source) for source in sources],
        "ignored": [{"path": item.path, "reason": item.reason} for item in ignored],
        "conflicts": [
            {
                "lower_precedence_path": item.lower_precedence_path,
                "higher_precedence_path": item.higher_precedence_path,
                "resolution": item.resolution,
            }
            for item in conflicts
        ],
        "limits": {
            "max_files": limits.max_files,
            "max_file_bytes": limits.max_file_bytes,
            "max_total_bytes": limits.max_total_bytes,
            "max_depth": limits.max_depth,
        },
    }
    assert stable_json(target, sources, ignored, conflicts, limits) == canonical_json(value)


def test_a_fingerprint_is_the_digest_of_that_text():
    assert fingerprint(".", (), (), ()) == sha256_hex(stable_json(".", (), (), (), LIMITS))


def _source(ordinal: int, kind: Kind, scope: str) -> Source:
    path = f"{scope}/{kind.value}-{ordinal}"
    return Source(ordinal, path, kind, scope, 0, 100, "", "", "", "", (), "", redacted=False)


def test_conflicts_pair_neighbours_of_one_kind_across_scopes_in_the_order_of_the_nearer_one():
    sources = [
        _source(1, Kind.AGENTS, ""),
        _source(2, Kind.CLAUDE, ""),
        _source(3, Kind.CLAUDE, ""),
        _source(4, Kind.AGENTS, "a"),
        _source(5, Kind.CLAUDE, "a/b"),
        _source(6, Kind.AGENTS, "a/b"),
    ]
    found = [(item.lower_precedence_path, item.higher_precedence_path) for item in find_conflicts(sources)]
    assert found == [("/agents-1", "a/agents-4"), ("/claude-3", "a/b/claude-5"), ("a/agents-4", "a/b/agents-6")]
