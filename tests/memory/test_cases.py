"""Field cases about memory and secrets, as data: `fixtures/memory/cases/*.json`, run through the commands."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from memory.helpers import Clock, look
from support.fakes import FAKES
from waybook.app import App
from waybook.base.actor import Actor
from waybook.base.errors import WaybookError
from waybook.commands.model import Call
from waybook.commands.registry import load

if TYPE_CHECKING:
    from collections.abc import Callable

CASES = Path(__file__).parents[2] / "fixtures/memory/cases"
NAMES = {
    **FAKES,
    "FAKE_ANTHROPIC": "sk" + "-ant-api03-" + "Zx9Yw8Vu7Ts6Rq5Po4Nm3Lk2Ji1Hg0Fe9Dc8Ba7" * 2,
    "FAKE_JWT": "eyJ" + "hbGciOiJIUzI1NiJ9.eyJzdWIiOiJkZW1vIn0." + "c2lnbmF0dXJlLW5vdC1yZWFsLTEyMzQ1Njc4OTA",
    "FAKE_PEM": "-----BEGIN "
    "PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIDemoDemoDemoDemoDemoDemoDemoDemoDemoDemo\n-----END "
    "PRIVATE KEY-----",
}
SPELLED = {
    "expected_version": "version",
    "include_inactive": "all",
    "redact": "redact_sensitive",
    "source": "source_ref",
}


def expand(text: str) -> str:
    for name, value in NAMES.items():
        text = text.replace("${" + name + "}", value)
    return text


class Runner:
    """One case on a store of its own. `outcomes`: a step's result, or the error that refused it."""

    def __init__(self, base: Path) -> None:
        self.base = base
        (base / "ws/.git").mkdir(parents=True)
        self.clock = Clock()
        self.app = App(cwd=str(base / "ws"), clock=self.clock)
        self.outcomes: dict[str, Any] = {}
        self.written: dict[str, dict[str, Any]] = {}

    def run(self, step: dict[str, Any]) -> None:
        op, name = step["op"], step.get("id", "")
        if op == "clock.advance":
            self.clock.advance(hours=int(step["by"].removesuffix("h")))
        elif op == "store.grep":
            self.outcomes[name] = look(self.base, [expand(needle).encode() for needle in step["needles"]])
        elif op == "parallel":
            steps = [json.loads(json.dumps(step["step"]).replace("{i}", str(number))) for number in range(step["n"])]
            with ThreadPoolExecutor(8) as pool:
                self.outcomes[name] = list(pool.map(self.outcome, steps))
        else:
            self.outcomes[name] = self.outcome(step)

    def outcome(self, step: dict[str, Any]) -> Any:
        verb = step["op"].replace(".get", ".show")
        values = {
            SPELLED.get(key, key): expand(value) if isinstance(value, str) else value
            for key, value in step.items()
            if key not in {"op", "id", "ref"}
        }
        if "ref" in step:
            values["memory"] = self.outcomes[step["ref"]].memory.id
        if verb == "memory.create":
            self.written[step["id"]] = values
        if verb == "memory.list":
            values.setdefault("scope", "project")
        command = load(verb)
        try:
            return command.run(self.app, command.params(**values), Call(Actor("operator", "ada")))
        except WaybookError as error:
            return error


def passed(outcome: Any) -> bool:
    return not isinstance(outcome, WaybookError)


def refused(runner: Runner, wanted: list[str]) -> None:
    """Exactly these, and no error repeats a secret."""
    found = runner.outcomes
    assert {name for name in found if not passed(found[name])} == set(wanted)
    shown = json.dumps([found[name].to_json() for name in wanted])
    assert not [value for value in NAMES.values() if value in shown]


def verbatim(runner: Runner, _wanted: bool) -> None:  # noqa: FBT001 - the case's value
    """What was written comes back byte for byte."""
    for name, values in runner.written.items():
        assert runner.outcomes[name].memory.content == values["content"]


def not_in(runner: Runner, wanted: dict[str, list[str]]) -> None:
    """The answers hold none of these."""
    assert all(
        expand(needle) not in str(runner.outcomes[name]) for name, needles in wanted.items() for needle in needles
    )


def each(measure: Callable[[Any], Any]) -> Callable[[Runner, dict[str, Any]], None]:
    """Something of each named outcome is what the case says."""

    def check(runner: Runner, wanted: dict[str, Any]) -> None:
        assert {name: measure(runner.outcomes[name]) for name in wanted} == wanted

    return check


def store_clean(runner: Runner, _wanted: bool) -> None:  # noqa: FBT001 - the case's value
    """No file holds a needle."""
    assert runner.outcomes["grep"] == {}


EXPECT: dict[str, Callable[[Runner, Any], None]] = {
    "refused": refused,
    "accepted": lambda runner, wanted: each(passed)(runner, dict.fromkeys(wanted, True)),
    "ok": each(passed),
    "list_len": each(lambda page: len(page.memories)),
    "content": each(lambda memory: memory.content),
    "not_in": not_in,
    "verbatim": verbatim,
    "store_clean": store_clean,
    "parallel_winners": each(lambda outcomes: sum(map(passed, outcomes))),
}


@pytest.mark.parametrize("case_id", sorted(path.stem for path in CASES.glob("*.json")))
def test_case(case_id: str, tmp_path: Path) -> None:
    """The product answers a case as its `expect` says; an expectation that nothing checks fails."""
    case = json.loads((CASES / f"{case_id}.json").read_text(encoding="utf-8"))
    runner = Runner(tmp_path)
    for step in case["steps"]:
        runner.run(step)
    for key, wanted in case["expect"].items():
        EXPECT[key](runner, wanted)
    runner.app.close()
