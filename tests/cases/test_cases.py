"""Every field case, run against the product: `fixtures/cases/*.json`, one test each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support.cases import case_ids, load_case
from support.cases_expect import check
from support.cases_run import Runner, remove

if TYPE_CHECKING:
    from pathlib import Path


def _ways() -> list[tuple[str, str]]:
    """Cases that pin are run twice: against a run's pin, and against the workspace's baseline."""
    return [
        (case_id, against)
        for case_id in case_ids()
        for against in (
            ("run", "baseline") if any(step["op"] == "pin" for step in load_case(case_id)["steps"]) else ("run",)
        )
    ]


@pytest.mark.parametrize(("case_id", "against"), _ways())
def test_case(case_id: str, against: str, tmp_path: Path) -> None:
    """The product answers a case as its `expect` says."""
    case = load_case(case_id)
    runner = Runner(case, tmp_path, against)
    try:
        runner.run()
        check(runner, case["expect"])
    finally:
        runner.close()
        remove(runner.root)


def test_an_expectation_nobody_checks_fails(tmp_path: Path) -> None:
    """A key that the runner does not know is a failure, never passed over."""
    case = {"tree": {}, "steps": [], "expect": {"colour": "blue"}}
    runner = Runner(case, tmp_path, "run")
    try:
        with pytest.raises(AssertionError, match="colour"):
            check(runner, case["expect"])
    finally:
        runner.close()
