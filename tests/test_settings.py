"""Options as sent become settings: layers, origins, warnings, and what a workspace may not set."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waybook.settings import Settings, dotted, flatten, from_environment, resolve

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=10,
)
NAMES = [dotted(item.name) for item in fields(Settings)]


def test_defaults() -> None:
    """Nothing sent: every value is the default and says so."""
    resolved = resolve()
    assert resolved.settings == Settings()
    assert set(resolved.origin.values()) == {"default"}
    assert resolved.warnings == ()


def test_the_stronger_layer_wins_and_is_named() -> None:
    """Weakest first; a layer that says nothing about a setting changes nothing."""
    resolved = resolve(
        ("waybook.toml", {"drift": {"against": "run"}, "exclude": ["a"]}),
        ("environment", {"drift.run": "run_1"}),
        ("initializationOptions", {"drift": {"against": "baseline"}}),
    )
    settings, origin = resolved.settings, resolved.origin
    assert (settings.drift_against, origin["drift_against"]) == ("baseline", "initializationOptions")
    assert (settings.drift_run, origin["drift_run"]) == ("run_1", "environment")
    assert (settings.exclude, origin["exclude"]) == (("a",), "waybook.toml")


def test_a_bad_value_is_passed_over_with_a_warning() -> None:
    """The weaker layer's value stands, and the warning names layer, setting and what is expected."""
    resolved = resolve(
        ("environment", {"drift.against": "run"}), ("workspace/configuration", {"drift": {"against": "moon"}})
    )
    assert resolved.settings.drift_against == "run"
    (warning,) = resolved.warnings
    assert "workspace/configuration" in warning
    assert "drift.against" in warning
    assert "baseline, run" in warning


def test_a_trust_setting_that_cannot_be_read_counts_as_the_safer_one() -> None:
    """The editor meant to say something about fetching; whatever it was, nothing is fetched."""
    resolved = resolve(("environment", {"tokens.download": "yes"}), ("editor", {"tokens": {"download": "nope!"}}))
    assert resolved.settings.tokens_download is False
    assert (resolved.origin["tokens_download"], len(resolved.warnings)) == ("default", 1)
    assert resolve(("environment", {"tokens.download": "yes"})).settings.tokens_download is True


def test_an_unknown_setting_is_a_warning() -> None:
    """A typing error does not pass in silence."""
    assert resolve(("editor", {"drift": {"agianst": "run"}})).warnings == (
        "editor: there is no setting 'drift.agianst'.",
    )


@pytest.mark.parametrize("name", [dotted(item.name) for item in fields(Settings) if not item.metadata["workspace"]])
def test_a_workspace_cannot_set_what_is_not_its_own(name: str) -> None:
    """Where the database is, what may be fetched, how much is logged: never from a file in the repository."""
    values = {
        "data_dir": "/x",
        "cache_dir": "/x",
        "docs.url": "https://example.invalid",
        "store": "sqlite:///x",
        "log.level": "debug",
        "tokens.download": True,
    }
    value = values.get(name, {dotted(item.name): getattr(Settings(), item.name) for item in fields(Settings)}[name])
    resolved = resolve(("waybook.toml", {name: value}))
    assert resolved.settings == Settings()
    assert "cannot be set by a workspace" in resolved.warnings[0]
    assert resolve(("environment", {name: value})).warnings == ()


@pytest.mark.parametrize(
    ("value", "expected"),
    [(True, True), ("yes", True), ("ON", True), ("0", False), ("off", False), (1, None), ("maybe", None)],
)
def test_flags(value: Any, expected: bool | None) -> None:  # noqa: FBT001 - a table
    """JSON booleans and the words people put into environments; anything else is no flag."""
    resolved = resolve(("editor", {"diagnostics": {"open_files_only": value}}))
    assert resolved.settings.diagnostics_open_files_only is (expected or False)
    assert bool(resolved.warnings) is (expected is None)


def test_lists_and_severities() -> None:
    """A comma-separated text is a list; severities are a map of known words."""
    settings = resolve(
        ("environment", {"exclude": "gen, vendor ,"}), ("editor", {"checks": {"severity": {"dead-path": "off"}}})
    ).settings
    assert settings.exclude == ("gen", "vendor")
    assert settings.checks_severity == {"dead-path": "off"}
    assert resolve(("editor", {"checks": {"severity": {"dead-path": "loud"}}})).warnings
    assert resolve(("editor", {"exclude": [1]})).warnings


def test_the_environment_uses_one_name_for_each_setting() -> None:
    """`WAYBOOK_` and the field's name in capitals."""
    assert from_environment({"WAYBOOK_DRIFT_AGAINST": "run", "WAYBOOK_DATA_DIR": "/d", "PATH": "x"}) == {
        "drift.against": "run",
        "data_dir": "/d",
    }


def test_flatten_takes_nested_and_dotted_names() -> None:
    """Editors send both."""
    assert flatten({"drift": {"against": "run"}, "tokens.encoding": "x"}) == {
        "drift.against": "run",
        "tokens.encoding": "x",
    }


@given(st.dictionaries(st.sampled_from(NAMES) | st.text(max_size=8), JSON, max_size=5))
def test_nothing_that_is_sent_stops_the_program(options: dict[str, Any]) -> None:
    """Any JSON: settings of the right types come out, and every option is either taken or warned about."""
    resolved = resolve(("editor", options))
    for item in fields(Settings):
        assert isinstance(getattr(resolved.settings, item.name), type(getattr(Settings(), item.name)))
    taken = sum(origin == "editor" for origin in resolved.origin.values())
    assert taken + len(resolved.warnings) == len(flatten(options))
