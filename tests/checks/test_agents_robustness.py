"""Every check, hover and lens over generated repositories with all agents in use: no crash, and every place is inside."""

from __future__ import annotations

import random

import pytest

from agents.test_robustness import grow
from support.markers import all_findings, view_of
from waybook.agents import ids
from waybook.base.text import Span
from waybook.editor.hover import hover
from waybook.editor.lens import lenses

SEEDS = range(40)
OF_AGENTS = {"truncated", "displaced-file", "not-loaded-by", "never-loaded", "conflicting-agents"}


@pytest.mark.parametrize("seed", SEEDS)
def test_no_repository_is_too_odd(seed, tmp_path):
    """Findings of agents name agents, lie inside their documents, and vanish with the agents."""
    grow(random.Random(seed), tmp_path)
    root = tmp_path / "w" / "repo"
    view = view_of(root, ids())
    for found in all_findings(view):
        document = view.documents.get(found.path)
        size = len(document.text) if document else 0
        assert Span(0, 0) <= found.span
        assert found.span.end <= max(size, 0) or document is None
        if found.code in OF_AGENTS:
            assert found.agents
            assert found.path in view.documents
            assert set(found.agents) <= set(ids())
    for path in (*view.documents, *view.links, *view.agent_links):
        assert hover(view, path) is not None
        lenses(view, path)
    none = view_of(root, ("none",))
    assert not OF_AGENTS & {found.code for found in all_findings(none)}
