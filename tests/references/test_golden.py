"""Equal to the recorded behaviour of the original session-reference service, case by case."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from waybook.base.errors import WaybookError
from waybook.references.budget import retain
from waybook.references.mentions import format_mention, parse
from waybook.references.model import Fixed, SourceMessage
from waybook.references.projection import project
from waybook.references.uri import decode_uri, encode_uri

RECORDED = json.loads((Path(__file__).parents[2] / "fixtures/golden/dsh.json").read_text(encoding="utf-8"))
ORIGINS = {"user": "user", "compact": "checkpoint"}


def _outcome(function: Any, *arguments: Any) -> tuple[str, Any]:
    try:
        return "id", function(*arguments)
    except WaybookError as error:
        return "error", error.code


def test_every_group_is_compared() -> None:
    """A group that the record gains must not go unnoticed."""
    assert set(RECORDED) == {"encode", "decode", "format", "parse", "retain"}


@pytest.mark.parametrize("case", RECORDED["encode"], ids=lambda case: repr(case["id"]))
def test_encode(case: dict[str, Any]) -> None:
    """The same URI, which leads back to the id."""
    assert encode_uri(case["id"]) == case["uri"]
    assert decode_uri(case["uri"]) == case["id"]


@pytest.mark.parametrize("case", RECORDED["decode"], ids=lambda case: case["uri"])
def test_decode(case: dict[str, Any]) -> None:
    """The same id or the same error code."""
    kind, value = _outcome(decode_uri, case["uri"])
    assert case.get(kind) == value


@pytest.mark.parametrize("case", RECORDED["format"], ids=lambda case: case["mention"])
def test_format(case: dict[str, Any]) -> None:
    """The same mention, with and without a label."""
    assert format_mention(case["sessionId"], case.get("label")) == case["mention"]


@pytest.mark.parametrize("case", RECORDED["parse"], ids=lambda case: case["input"])
def test_parse(case: dict[str, Any]) -> None:
    """The same readable text and references, or the same error code."""
    kind, value = _outcome(parse, case["input"])
    if kind == "error":
        assert value == case["error"]
        return
    assert value.text == case["text"]
    assert [(item.session_id, item.label) for item in value.references] == [
        (item["sessionId"], item["label"]) for item in case["references"]
    ]


def _message(sequence: int, event: dict[str, Any]) -> SourceMessage:
    data = event["data"]
    content = data["content"] if event["type"] == "user/message" else data["message"]["content"]
    text = "\n".join(block["text"] for block in content if block["type"] == "text")
    origin = ORIGINS[data["source"]["kind"]] if event["type"] == "user/message" else "assistant"
    return SourceMessage(sequence, origin, text)


@pytest.mark.parametrize("case", RECORDED["retain"], ids=lambda case: case["name"])
def test_retain(case: dict[str, Any]) -> None:
    """The same JSON to the byte, and the same account of what was left out."""
    units = project(_message(*item) for item in enumerate(case["events"]))
    found = retain(Fixed("s1", "L", "/w", 7), units, case["max"])
    if case["result"] is None:
        assert found is None
        return
    assert found is not None
    assert found.json == case["json"]
    assert len(found.json.encode()) == case["bytes"]
    assert json.loads(found.json) == case["result"]["data"]
    stats = case["result"]["stats"]
    assert found.stats.compacted == stats["compacted"]
    assert found.stats.original_messages == stats["originalMessages"]
    assert found.stats.retained_messages == stats["retainedMessages"]
    assert found.stats.omitted_messages == stats["omittedMessages"]
    assert found.stats.omitted_bytes == stats["omittedBytes"]
    assert found.stats.truncated == stats["truncated"]
