"""The registry: every agent is listed, nothing is imported before it is asked for, answers share one view."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from agents.trees import REPO, plant
from waybook.agents import DOCUMENTED, MEASURED, Request, explain, ids, profile
from waybook.base.errors import UsageError
from waybook.workspace.box import Box

if TYPE_CHECKING:
    from pathlib import Path


def test_importing_the_registry_imports_no_profile_and_no_parser() -> None:
    code = "import sys, waybook.agents; print([name for name in sys.modules if name in {'yaml', 'tomllib', 'pydantic'} or name.startswith('waybook.agents.c')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout.replace("'", '"')) in ([], ["waybook.agents.choice"])


def test_profiles_are_what_their_ids_say() -> None:
    for agent in (*MEASURED, *DOCUMENTED):
        found = profile(agent)
        assert (found.id, bool(found.rules), bool(found.reach)) == (agent, True, True)
    with pytest.raises(UsageError, match="no agent"):
        profile("nobody")


def test_one_box_answers_for_every_agent_and_target(tmp_path: Path) -> None:
    """A shared box gives what a fresh one gives, also after other targets."""
    plant(tmp_path, {".git": None, "AGENTS.md": "a", "pkg/CLAUDE.md": "c", "pkg/x.py": "", "GEMINI.md": "@AGENTS.md"})
    shared = Box(str(tmp_path))
    for target in ("/w/r/pkg/x.py", "/w/r/none", None, "/w/r/pkg"):
        request = Request(REPO, target=target, root=str(tmp_path))
        assert explain(ids(), request, shared) == explain(ids(), request)


def test_the_json_has_the_agreed_keys(tmp_path: Path) -> None:
    plant(tmp_path, {"AGENTS.md": "a", "CLAUDE.md": "c"})
    (answer,) = explain(["codex"], Request(REPO, root=str(tmp_path)))
    body = answer.to_json()
    assert list(body) == ["agent", "version", "confidence", "chain", "not_loaded", "notes", "bytes"]
    assert list(body["chain"][0]) == ["path", "abs_path", "when", "complete", "bytes", "cut_at", "imported_by", "why"]
    assert list(body["not_loaded"][0]) == ["path", "abs_path", "reason", "by", "why"]
