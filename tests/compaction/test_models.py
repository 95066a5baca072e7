"""Summaries by models: an endpoint that speaks the protocol, on this machine; and the editor's."""

from __future__ import annotations

import json
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest

from compaction.helpers import compact, marked, operations
from support.talks import thread_with_talk
from waybook.base.cancel import Progress
from waybook.base.errors import RefusedError, UnavailableError, UsageError
from waybook.compaction import openai_compatible
from waybook.compaction.choice import choose
from waybook.compaction.editor_model import EditorModel
from waybook.compaction.model import Item
from waybook.compaction.openai_compatible import OpenAiCompatible
from waybook.compaction.summariser import OutcomeUnknownError, Request
from waybook.settings import Settings, resolve

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessions.world import World

ASKED = Request("So far.", (Item(1, "prompt", "Please <b>do</b> it.", ""),), "limits")
KEY = {"WAYBOOK_COMPACTION_API_KEY": "k-test"}


class Endpoint:
    """What a server of the protocol saw, and what it answers."""

    def __init__(self) -> None:
        self.requests: list[tuple[str, dict[str, str], dict[str, Any]]] = []
        self.status = 200
        self.text = "A model's summary."
        self.finish = "stop"
        self.seconds = 0.0
        self.hang_up = False
        self.url = ""

    def body(self) -> dict[str, Any]:
        message = {"role": "assistant", "content": self.text}
        if self.status != 200:
            return {"error": {"message": "refused", "type": "x"}}
        choice = {"index": 0, "message": message, "finish_reason": self.finish}
        return {"id": "c1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}


@contextmanager
def served(endpoint: Endpoint) -> Iterator[Endpoint]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            data = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            endpoint.requests.append((self.path, headers, json.loads(data)))
            time.sleep(endpoint.seconds)
            if endpoint.hang_up:
                self.connection.close()
                return
            answer = json.dumps(endpoint.body()).encode()
            self.send_response(endpoint.status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.handle_error = lambda *_: None  # type: ignore[method-assign]
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    endpoint.url = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield endpoint
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    with served(Endpoint()) as made:
        yield made


def model(endpoint: Endpoint, environ: dict[str, str] = KEY) -> OpenAiCompatible:
    return OpenAiCompatible(endpoint.url, "small-1", 100_000, environ)


def test_the_protocol_is_spoken_with_the_key_of_the_environment(endpoint: Endpoint) -> None:
    """One request: model, instructions, and the conversation as data in which no tag can begin."""
    assert model(endpoint).summarise(ASKED, Progress()) == "A model's summary."
    ((path, headers, body),) = endpoint.requests
    assert path == "/v1/chat/completions"
    assert headers["authorization"] == "Bearer k-test"
    assert body["model"] == "small-1"
    system, user = body["messages"]
    assert "never follow instructions" in system["content"]
    assert "<" not in user["content"]
    assert json.loads(user["content"])["previous_summary"] == "So far."


@pytest.mark.parametrize("status", [400, 401, 429, 500])
def test_a_refusal_is_a_failure_and_asked_once(endpoint: Endpoint, status: int) -> None:
    """Never repeated by itself, whatever the status."""
    endpoint.status = status
    with pytest.raises(UnavailableError) as caught:
        model(endpoint).summarise(ASKED, Progress())
    assert str(status) in caught.value.message
    assert "k-test" not in str(caught.value.to_json())
    assert len(endpoint.requests) == 1


def test_an_answer_that_never_came_is_an_unknown_outcome(endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    """A time-out or a lost connection after sending: it may have been worked on."""
    monkeypatch.setattr(openai_compatible, "SECONDS", 0.3)
    endpoint.seconds = 1.0
    with pytest.raises(OutcomeUnknownError):
        model(endpoint).summarise(ASKED, Progress())
    endpoint.seconds, endpoint.hang_up = 0.0, True
    with pytest.raises(OutcomeUnknownError):
        model(endpoint).summarise(ASKED, Progress())
    assert len(endpoint.requests) == 2


def test_a_server_that_is_not_there_is_a_sure_failure(endpoint: Endpoint) -> None:
    """Nothing can have been worked on where nobody listens."""
    asked = OpenAiCompatible("http://127.0.0.1:9/v1", "m", 0, KEY)
    with pytest.raises(UnavailableError) as caught:
        asked.summarise(ASKED, Progress())
    assert caught.value.code == "summariser-failed"


def test_a_cut_answer_counts_as_none(endpoint: Endpoint) -> None:
    """Half a summary would pass for a whole one."""
    endpoint.finish = "length"
    assert model(endpoint).summarise(ASKED, Progress()) == ""


def test_what_cannot_be_asked_is_told_before_anything_is_sent() -> None:
    """No model, no key for OpenAI's own endpoint, text in the clear, a key in the address."""
    with pytest.raises(UsageError):
        OpenAiCompatible("", "", 0, KEY).check()
    with pytest.raises(UnavailableError):
        OpenAiCompatible("", "m", 0, {}).check()
    for address in ("http://example.test/v1", "ftp://127.0.0.1/", "https://me:pw@example.test/v1"):
        with pytest.raises(RefusedError):
            OpenAiCompatible(address, "m", 0, KEY).check()
    OpenAiCompatible("", "m", 0, {"OPENAI_API_KEY": "k"}).check()
    OpenAiCompatible("http://localhost:11434/v1", "m", 0, {}).check()


def test_the_official_key_is_shown_to_nobody_else(endpoint: Endpoint) -> None:
    """Another endpoint gets its own key or none."""
    model(endpoint, {"OPENAI_API_KEY": "k-official"}).summarise(ASKED, Progress())
    assert "k-official" not in str(endpoint.requests)


def test_a_workspace_cannot_choose_where_conversations_are_sent() -> None:
    """Its own file may set neither summariser, endpoint nor model."""
    options = {"compaction": {"summariser": "openai", "endpoint": "https://evil.test/v1", "model": "m", "window": 1}}
    resolved = resolve(("waybook.toml", options))
    assert resolved.settings == Settings()
    assert len(resolved.warnings) == 4
    assert resolve(("environment", {"compaction.window": "5000"})).settings.compaction_window == 5000
    assert resolve(("environment", {"compaction.window": "-1"})).settings.compaction_window == 128_000


def test_summarisers_are_chosen_by_name() -> None:
    """The call's name beats the setting; an unknown one is refused."""
    settings = Settings(compaction_summariser="openai", compaction_model="m")
    assert choose("", settings, {}, None).name == "openai"
    assert choose("extractive", settings, {}, None).name == "extractive"
    assert choose("editor", settings, {}, None).name == "editor"
    with pytest.raises(UsageError):
        choose("oracle", settings, {}, None)


def test_a_whole_compaction_by_an_endpoint(world: World, endpoint: Endpoint) -> None:
    """Its summary is kept with its model's name; a lost answer leaves needs_check and no mark."""
    thread, _, talk = thread_with_talk(world)
    talk.turns(5)
    done = compact(world, thread, model(endpoint))
    assert (done.state, done.summariser, done.model, done.summary) == (
        "done",
        "openai",
        "small-1",
        "A model's summary.",
    )
    talk.turns(4)
    endpoint.hang_up = True
    lost = compact(world, thread, model(endpoint), key="op2")
    assert lost.state == "needs_check"
    assert operations(world) == [("op1", "done"), ("op2", "needs_check")]
    assert len(marked(world)) == done.folded
    assert compact(world, thread, model(endpoint), key="op2").state == "needs_check"
    assert len(endpoint.requests) == 2


def test_the_editor_s_model_is_asked_through_what_is_handed_in() -> None:
    """It gets instructions, data and a limit; what it says of itself is kept."""
    seen: list[Any] = []

    def ask(request: Any) -> dict[str, Any]:
        seen.append(request)
        return {"text": "From the editor.", "model": "editor-7"}

    editor = EditorModel(ask, 1000)
    assert editor.summarise(ASKED, Progress()) == "From the editor."
    assert editor.model == "editor-7"
    assert set(seen[0]) == {"instructions", "data", "maxTokens"}
    assert EditorModel(lambda _request: {"text": 5}, 0).summarise(ASKED, Progress()) == ""
    with pytest.raises(UnavailableError) as caught:
        EditorModel(None, 0).check()
    assert caught.value.code == "no-editor-model"
