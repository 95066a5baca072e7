"""What a case expects, checked: one function for each key of `expect`. A key without one fails the case."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from waybook.instructions.protocol import IGNORE_FILE

if TYPE_CHECKING:
    from support.cases_run import Runner

CODES = {
    "symlink": "symlink",
    "not a regular file": "not-regular",
    "UTF-8": "not-utf8",
    "NUL": "nul",
    "escapes workspace": "escapes-workspace",
    "invalid target": "invalid-target",
}
"""The reasons that cases name, and the codes we answer with."""
_NUMBERED = re.compile(r"^\d+\. \**`([^`]+)`", re.MULTILINE)


def check(runner: Runner, expect: dict[str, Any]) -> None:
    """Every expectation of a case, and no error that it does not expect."""
    for key, wanted in expect.items():
        function = globals().get(f"expect_{key}")
        assert function is not None, f"the case expects {key!r}, which nothing checks"
        function(runner, wanted)
    allowed = {*expect.get("error", {}), *(name for name, fine in expect.get("ok", {}).items() if not fine)}
    unexpected = {name: found.error.to_json() for name, found in runner.outcomes.items() if found.error is not None}
    assert set(unexpected) == allowed, unexpected


def _value(runner: Runner, name: str) -> Any:
    outcome = runner.outcomes[name]
    assert outcome.error is None, outcome.error and outcome.error.to_json()
    return outcome.value


def _sources(value: Any) -> list[str]:
    """The chain in a snapshot, or in the numbered list of a hover."""
    return _NUMBERED.findall(value) if isinstance(value, str) else [source.path for source in value.sources]


def expect_sources(runner: Runner, wanted: dict[str, list[str]]) -> None:
    """The exact chains, in order."""
    assert {name: _sources(_value(runner, name)) for name in wanted} == wanted


expect_effective_order = expect_sources


def expect_count(runner: Runner, wanted: dict[str, int]) -> None:
    """How many sources."""
    assert {name: len(_value(runner, name).sources) for name in wanted} == wanted


def expect_scope(runner: Runner, wanted: dict[str, str]) -> None:
    """The scopes of sources, by path."""
    scopes = {source.path: source.scope for found in runner.outcomes.values() for source in found.value.sources}
    assert {path: scopes[path] for path in wanted} == wanted


def expect_not_after(runner: Runner, pairs: list[list[str]]) -> None:
    """The first of each pair never comes after the second."""
    for chain in (_sources(found.value) for found in runner.outcomes.values() if found.value is not None):
        for early, late in pairs:
            assert early not in chain or chain.index(early) < chain.index(late)


def expect_ignored(runner: Runner, wanted: dict[str, list[str]]) -> None:
    """What is recorded as not applied, besides the ignore file itself; each with a reason."""
    for name, paths in wanted.items():
        ignored = [item for item in _value(runner, name).ignored if item.path != IGNORE_FILE]
        assert sorted(item.path for item in ignored) == sorted(paths)
        assert all(item.reason for item in ignored)


def expect_ignored_because(runner: Runner, wanted: dict[str, str]) -> None:
    """The reasons, by path, in every snapshot and every hover."""
    for path, reason in wanted.items():
        for found in runner.outcomes.values():
            if isinstance(found.value, str):
                assert f"`{path}`: {reason}" in found.value
            else:
                assert (path, reason) in [(item.path, item.reason) for item in found.value.ignored]


def expect_error(runner: Runner, wanted: dict[str, dict[str, Any]]) -> None:
    """Refused as a whole: the file, the reason and the limit, in the record and in the words."""
    for name, facts in wanted.items():
        outcome = runner.outcomes[name]
        assert outcome.error is not None, f"{name} was not refused: {outcome.value}"
        error = outcome.error.to_json()
        details = error.get("details", {})
        assert error["hint"], error
        for key, value in facts.items():
            if key == "file":
                assert error["path"] == value, error
                assert value in error["message"]
            elif key == "reason":
                assert error["code"] == CODES[value], error
            elif key == "limit":
                assert error["limit"] == value, error
                assert f"{value:,}" in error["message"]
            elif key == "must_state_total":
                assert f"{details['total']:,}" in error["message"]
            else:
                assert key in {"line", "byte_offset"}, f"nothing checks {key!r} of an error"
                assert details[key] == value, error
                assert f"{value:,}" in error["message"]


def expect_must_not_contain(runner: Runner, needles: list[str]) -> None:
    """Nowhere in anything that came out."""
    said = [
        repr(found.value) + (str(found.error.to_json()) if found.error else "") for found in runner.outcomes.values()
    ]
    said += [str(runner.client.messages)] if runner.client else []
    assert [needle for needle in needles if any(needle in text for text in said)] == []


def expect_hover(runner: Runner, wanted: dict[str, Any]) -> None:
    """What a hover on a file mentions."""
    runner._start_server_if_needed("hover") if runner.client else runner.op_lsp_initialize(workspaceFolders=["."])
    text = runner.op_hover(wanted["on"])
    assert [word for word in wanted["must_mention"] if word not in (text or "")] == []


# --- drift ------------------------------------------------------------------------------------------------------------


def _of_drift(runner: Runner, key: str, wanted: dict[str, Any]) -> None:
    assert {name: _value(runner, name)[key] for name in wanted} == wanted


def expect_stale(runner: Runner, wanted: dict[str, bool]) -> None:
    """Whether the pin is stale."""
    _of_drift(runner, "stale", wanted)


def expect_changed(runner: Runner, wanted: dict[str, list[str]]) -> None:
    """The changed files."""
    _of_drift(runner, "changed", wanted)


def expect_removed(runner: Runner, wanted: dict[str, list[str]]) -> None:
    """The removed files."""
    _of_drift(runner, "removed", wanted)


def expect_revision(runner: Runner, wanted: dict[str, int]) -> None:
    """The revision in force after a step."""
    _of_drift(runner, "revision", wanted)


def expect_ok(runner: Runner, wanted: dict[str, bool]) -> None:
    """Which confirmations succeed."""
    assert {name: runner.outcomes[name].error is None for name in wanted} == wanted


# --- the language server ----------------------------------------------------------------------------------------------


def _root_uri(runner: Runner) -> str:
    return runner._places()["ROOT_URI"]


def expect_diagnostic(runner: Runner, wanted: dict[str, Any]) -> None:
    """A finding on a file, of one of these severities."""
    result = runner.command("instructions.check", workspace=str(runner.root))
    assert [item for item in result.findings if item.path == wanted["file"] and item.severity in wanted["severity"]]


def expect_diagnostic_cleared_after(runner: Runner, _step: str) -> None:
    """There were findings, and the last publish of every document is empty (the step is the last of its case)."""
    assert any(item["diagnostics"] for item in runner.server.publishes())
    assert runner.server.diagnostics() != {}
    assert [uri for uri, found in runner.server.diagnostics().items() if found] == []


def expect_starts(runner: Runner, wanted: dict[str, dict[str, Any]]) -> None:
    """Where the findings of one code begin: all of them, in UTF-16."""
    for name, facts in wanted.items():
        starts = [item["range"]["start"] for item in _value(runner, name) if item["code"] == facts["code"]]
        assert sorted([start["line"], start["character"]] for start in starts) == facts["at"]


def expect_never_published(runner: Runner, word: str) -> None:
    """No publish ever had a finding whose code has this word."""
    codes = [item["code"] for publish in runner.server.publishes() for item in publish["diagnostics"]]
    assert [code for code in codes if word in code] == []


def expect_last_version(runner: Runner, version: int) -> None:
    """The version of the last publish that has one."""
    assert [item["version"] for item in runner.server.publishes() if item.get("version") is not None][-1] == version


def expect_monotonic_versions(runner: Runner, _true: object) -> None:
    """The versions of publishes never go down."""
    versions = [item["version"] for item in runner.server.publishes() if item.get("version") is not None]
    assert versions == sorted(versions)


def expect_diagnostics_empty(runner: Runner, names: list[str]) -> None:
    """No document had a finding then."""
    for name in names:
        assert [uri for uri, found in _value(runner, name).items() if found] == []


def expect_null(runner: Runner, names: list[str]) -> None:
    """Answered with null."""
    assert {name: _value(runner, name) for name in names} == dict.fromkeys(names)


def expect_hover_refused(runner: Runner, wanted: dict[str, str]) -> None:
    """No answer, or one that says why not."""
    for name, reason in wanted.items():
        text = _value(runner, name)
        assert text is None or (reason in text and not _sources(text))


def expect_alive(runner: Runner, _true: object) -> None:
    """The server still answered at the end; it left with 0 when asked, which `run` insists on."""
    assert runner.server.process.returncode == 0


def expect_one_response_each(runner: Runner, _true: object) -> None:
    """Each request has one answer, no more."""
    numbers = [found.value["rpc_id"] for found in runner.outcomes.values() if isinstance(found.value, dict)]
    assert numbers
    assert {number: len(runner.server.responses(number)) for number in numbers} == dict.fromkeys(numbers, 1)


def expect_allowed_errors(runner: Runner, codes: list[int]) -> None:
    """No other error than these."""
    errors = [item["error"]["code"] for item in runner.server.messages if "error" in item]
    assert set(errors) <= set(codes)


def expect_final_text(runner: Runner, text: str) -> None:
    """The one document's text after all changes."""
    assert list(runner.final_text.values()) == [text]


# --- URIs and work ----------------------------------------------------------------------------------------------------


def expect_one_key(runner: Runner, names: list[str]) -> None:
    """All spellings, one key."""
    assert {name: len(set(_value(runner, name))) for name in names} == dict.fromkeys(names, 1)


def expect_different_keys(runner: Runner, names: list[str]) -> None:
    """As many keys as URIs."""
    assert all(len(set(_value(runner, name))) == len(_value(runner, name)) for name in names)


def expect_paths(runner: Runner, wanted: dict[str, list[str]]) -> None:
    """The paths of URIs."""
    assert {name: _value(runner, name) for name in wanted} == wanted


def expect_max_dirs_read(runner: Runner, most: int) -> None:
    """At most this many directories were looked into (and some were: the tracing works)."""
    assert 0 < len(runner.looked_into) <= most, sorted(runner.looked_into)
