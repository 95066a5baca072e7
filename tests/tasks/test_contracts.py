"""Anchors, briefs and references as pure rules: nothing below rewords, drops or reads what it was not given."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waybook.base.canonical import sha256_hex
from waybook.base.errors import NotFoundError, RefusedError, UsageError
from waybook.tasks.limits import (
    ANCHOR_CHARACTERS,
    BRIEF_CHARACTERS,
    MAX_REFERENCES,
    REFERENCE_CHARACTERS,
    REFERENCES_CHARACTERS,
)
from waybook.tasks.model import Anchor, Brief, ContextRef, Grant, ReferenceEvent, Result, Snapshot
from waybook.tasks.normal import anchor_from, brief_from, normalise_anchor, normalise_brief
from waybook.tasks.references import (
    brief_snapshot,
    catalogue,
    child_access,
    listed,
    read,
    reference_from,
    result_snapshot,
    room_for,
)

TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=30).filter(str.strip)
TEXTS = st.lists(TEXT, max_size=5)
ANCHOR = {"objective": " Ship it ", "completion_criteria": ["tests pass", "tests pass"], "constraints": ["no network"]}
BRIEF = {"objective": "Parse", "reason": "first step", "completion_criteria": ["parses"], "expected_outputs": ["a.py"]}


def anchor(**fields: Any) -> Anchor:
    return normalise_anchor({**ANCHOR, **fields})


def brief(parent: Brief | None = None, **fields: Any) -> Brief:
    return normalise_brief({**BRIEF, **fields}, anchor(), parent)


def snapshot(name: str, size: int = 10) -> Snapshot:
    body = name.ljust(size, ".")
    return Snapshot(ContextRef(name, sha256_hex(body)), "reviewed_task_result", body)


def held(*snapshots: Snapshot) -> dict[ContextRef, Grant]:
    return {one.ref: Grant(one, 0) for one in snapshots}


def test_an_anchor_is_normalised_once() -> None:
    """Space goes, doubles go, and the text's digest is its identity."""
    made = anchor()
    assert (made.objective, made.completion_criteria, made.constraints) == ("Ship it", ("tests pass",), ("no network",))
    assert made.sha256 == sha256_hex(made.text)
    assert anchor_from(made.text) == made


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"objective": " "}, "missing-field"),
        ({"completion_criteria": []}, "missing-field"),
        ({"objective": 3}, "bad-field"),
        ({"constraints": {"a": 1}}, "bad-field"),
        ({"constraints": [1]}, "bad-field"),
        ({"objective": "x\0"}, "bad-text"),
        ({"objective": "\ud800"}, "bad-text"),
        ({"authority": "all"}, "unknown-field"),
        ({"objective": "x" * ANCHOR_CHARACTERS}, "anchor-too-long"),
    ],
)
def test_what_no_anchor_is(fields: dict[str, Any], code: str) -> None:
    """Missing, misshapen, unknown or too long: refused with a code."""
    with pytest.raises((UsageError, RefusedError)) as caught:
        anchor(**fields)
    assert caught.value.code == code


def test_the_limits_are_exact() -> None:
    """4,000 and 16,000 characters of the normal text fit; one more does not."""
    spare = ANCHOR_CHARACTERS - len(anchor(objective="x").text)
    assert len(anchor(objective="x" * (spare + 1)).text) == ANCHOR_CHARACTERS
    with pytest.raises(RefusedError):
        anchor(objective="x" * (spare + 2))
    spare = BRIEF_CHARACTERS - len(brief(context="").text)
    assert len(brief(context="é" * spare).text) == BRIEF_CHARACTERS
    with pytest.raises(RefusedError) as caught:
        brief(context="é" * (spare + 1))
    assert caught.value.code == "brief-too-long"


@pytest.mark.parametrize(
    "context", [float("nan"), {"a": [float("inf")]}, {1: 2}, object(), {"a": b"x"}, {"a": "\ud800"}]
)
def test_a_brief_is_json_only(context: Any) -> None:
    """NaN, Infinity and other things are refused."""
    with pytest.raises(UsageError):
        brief(context=context)


@given(TEXTS, st.lists(TEXTS, min_size=1, max_size=8))
def test_no_descendant_rewords_the_anchor_or_drops_a_constraint(root: list[str], layers: list[list[str]]) -> None:
    """At every depth: the anchor's constraints, then the parent's, in their order, then one's own; each once."""
    top = normalise_anchor({**ANCHOR, "constraints": root})
    parent: Brief | None = None
    for own in layers:
        made = normalise_brief({**BRIEF, "constraints": own}, top, parent)
        above = parent.constraints if parent else top.constraints
        assert made.constraints[: len(above)] == above
        assert set(top.constraints) <= set(made.constraints)
        assert len(set(made.constraints)) == len(made.constraints)
        assert set(made.constraints) == set(above) | {
            one.replace("\r\n", "\n").replace("\r", "\n").strip() for one in own
        }
        assert top.text not in made.text or top.text == made.text
        parent = made
    with pytest.raises(UsageError):
        normalise_brief({**BRIEF, "anchor": "another"}, top, parent)


@given(st.dictionaries(TEXT, TEXT | st.integers() | st.none() | st.lists(TEXT), max_size=4), TEXTS)
def test_approving_and_calling_agree(context: dict[str, Any], findings: list[str]) -> None:
    """One normal form: normalising what was normalised changes nothing, whatever the order of keys."""
    made = brief(context=context, parent_findings=findings)
    assert brief_from(made.text) == made
    raw = json.loads(made.text)
    assert normalise_brief(raw, anchor(), None) == made
    turned = dict(reversed(context.items()))
    assert brief(context=turned, parent_findings=findings).sha256 == made.sha256


def test_a_reference_that_is_not_handed_on_ends_there() -> None:
    """Three layers: what the middle one does not name, the lowest cannot read, nor name."""
    root = catalogue([ReferenceEvent("grant", 0, snapshot("a")), ReferenceEvent("grant", 0, snapshot("b"))])
    (only,) = child_access(root, brief(context_refs=[{"ref_id": "a", "version": snapshot("a").ref.version}]), None)
    middle = held(only)
    assert read(middle, only.ref) == only.body
    below = held(*child_access(middle, brief(), None))
    assert below == {}
    for ref in (snapshot("a").ref, snapshot("b").ref):
        with pytest.raises(NotFoundError):
            read(below, ref)
        with pytest.raises(NotFoundError):
            child_access(below, brief(context_refs=[ref]), None)
    with pytest.raises(NotFoundError):
        child_access(middle, brief(context_refs=[snapshot("b").ref]), None)


@given(st.data())
def test_nobody_reads_what_was_not_handed_down_to_them(data: st.DataObject) -> None:
    """Over any tree of hand-overs: what is readable was handed on by every layer above."""
    names = [snapshot(name) for name in "abcdef"]
    layers = [held(*names)]
    for _ in range(data.draw(st.integers(min_value=1, max_value=5))):
        chosen = data.draw(st.lists(st.sampled_from(names), unique=True, max_size=6))
        allowed = [one for one in chosen if one.ref in layers[-1]]
        if allowed != chosen:
            with pytest.raises(NotFoundError):
                child_access(layers[-1], brief(context_refs=[one.ref for one in chosen]), None)
        layers.append(held(*child_access(layers[-1], brief(context_refs=[one.ref for one in allowed]), None)))
    for above, below in itertools.pairwise(layers):
        assert set(below) <= set(above)
    for one in names:
        readable = [one.ref in layer for layer in layers]
        assert readable == sorted(readable, reverse=True)


def test_the_exact_version_counts() -> None:
    """Another version, an id alone, a trace's id: nothing."""
    mine = held(snapshot("a"))
    for ref in (ContextRef("a", "0" * 64), ContextRef("a", ""), ContextRef("trc_1", snapshot("a").ref.version)):
        with pytest.raises(NotFoundError):
            read(mine, ref)
    assert reference_from('{"ref_id":"a","version":"v"}') == ContextRef("a", "v")
    for bad in ("x", "{}", "[]", '{"ref_id":"a"}'):
        with pytest.raises(NotFoundError):
            reference_from(bad)
    assert snapshot("a").body not in "".join(listed(mine))


def test_a_parents_brief_comes_along_below_the_first_layer() -> None:
    """The root has no brief to give; a child of a child gets its parent's, in the version it had."""
    parent = brief(objective="Parent")
    own = brief_snapshot("trc_2", parent)
    (given,) = child_access({}, brief(), own)
    assert (given.kind, given.body, given.ref.version) == ("task_brief", parent.text, sha256_hex(parent.text))
    assert "trc_2" not in given.ref.ref_id
    assert child_access({}, brief(), None) == ()
    assert child_access({}, brief(context_refs=[own.ref]), own) == (own,)


def test_the_limits_of_references() -> None:
    """8 of them, 16,000 characters each, 64,000 in all."""
    eight = held(*(snapshot(f"r{number}") for number in range(MAX_REFERENCES)))
    assert "8 references" in room_for(eight, snapshot("more"))
    assert room_for(eight, snapshot("r1")) == ""
    assert room_for({}, snapshot("x", REFERENCE_CHARACTERS)) == ""
    assert "16,000" in room_for({}, snapshot("x", REFERENCE_CHARACTERS + 1))
    four = held(*(snapshot(f"r{number}", REFERENCE_CHARACTERS) for number in range(4)))
    assert sum(len(one.snapshot.body) for one in four.values()) == REFERENCES_CHARACTERS
    assert "64,000" in room_for(four, snapshot("x", 1))
    refs = [{"ref_id": str(number), "version": "v"} for number in range(9)]
    with pytest.raises(RefusedError):
        brief(context_refs=refs)
    with pytest.raises(RefusedError):
        child_access(eight, brief(context_refs=list(eight)), brief_snapshot("t", brief()))


def test_clearing_and_going_back() -> None:
    """A revision empties the catalogue; going back takes what came after the cut, and gives nothing back."""
    a, b, c = (ReferenceEvent("grant", at, snapshot(name)) for name, at in (("a", 0), ("b", 5), ("c", 9)))
    assert [ref.ref_id for ref in catalogue([a, b, c, ReferenceEvent("rewind", 5)])] == ["a", "b"]
    assert [ref.ref_id for ref in catalogue([a, b, ReferenceEvent("clear", 7), c])] == ["c"]
    assert catalogue([a, ReferenceEvent("clear", 7), ReferenceEvent("rewind", 0)]) == {}


def test_a_result_too_large_is_no_reference() -> None:
    """It is reviewed all the same; it just cannot be referred to."""
    small, large = Result("ok", {}, {}, "passed"), Result("x" * REFERENCE_CHARACTERS, {}, {}, "passed")
    made = result_snapshot("trc_1", small)
    assert made is not None
    assert json.loads(made.body) == {"report": "ok", "validation": {}, "review": {}}
    assert result_snapshot("trc_1", large) is None
