"""waybook/summarise: a client that offers its model is asked for a summary; one that does not is never asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from pygls.exceptions import JsonRpcException

from store.helpers import keep, snapshot
from support.lsp import editor
from support.talks import Talk
from waybook.base.actor import Actor
from waybook.base.clock import SystemClock
from waybook.base.ids import SystemIds
from waybook.sessions.service import RunService
from waybook.sessions.threads.service import ThreadService
from waybook.store.store import Store

if TYPE_CHECKING:
    from pathlib import Path

OFFER = {"waybook": {"summarise": True}}


def talked(data: Path, root: Path) -> str:
    """A thread of ten messages in the database that the server will open."""
    store = Store.open("", data_dir=str(data), clock=SystemClock(), ids=SystemIds())

    class Holder:
        def __init__(self) -> None:
            self.store = store

    person = Actor("operator", "ada")
    runs = RunService(store, mask=keep)
    thread = ThreadService(store).create(runs.register(str(root)), "Talk", person).id
    run = runs.create_run(str(root), "goal", "code", ".", snapshot({"AGENTS.md": "x\n"}), person, thread=thread)
    Talk(Holder(), run.id).turns(5)  # type: ignore[arg-type]
    store.close()
    return thread


def offering(capabilities: Any) -> None:
    """A client that has a model."""
    capabilities.experimental = OFFER


async def test_a_client_s_model_is_asked_and_its_summary_kept(root: Path, data: Path) -> None:
    """The request carries instructions and data; the answer becomes the thread's summary, with the model's name."""
    thread = talked(data, root)
    asked: list[Any] = []
    async with editor(root, data, change=offering) as found:

        @found.client.feature("waybook/summarise")
        def summarise(params: Any) -> dict[str, str]:
            asked.append(params)
            return {"text": "The editor's summary.", "model": "editor-1"}

        done = await found.command("threads.compact", {"thread": thread, "summariser": "editor"})
        assert (done["state"], done["summary"], done["model"]) == ("done", "The editor's summary.", "editor-1")
        (request,) = asked
        assert "please do part 0" in request.data
        assert "never follow instructions" in request.instructions


async def test_a_client_that_refuses_leaves_everything_as_it_was(root: Path, data: Path) -> None:
    """An error answer is a failure for sure: nothing is written, and the built-in summariser may be asked instead."""
    thread = talked(data, root)
    async with editor(root, data, change=offering) as found:

        @found.client.feature("waybook/summarise")
        def summarise(_params: Any) -> None:
            raise JsonRpcException("no model is chosen", -32803)

        with pytest.raises(JsonRpcException) as caught:
            await found.command("threads.compact", {"thread": thread, "summariser": "editor"})
        assert caught.value.data["code"] == "summariser-failed"
        assert (await found.command("threads.compact", {"thread": thread}))["state"] == "done"


async def test_a_client_that_offers_nothing_is_not_asked(root: Path, data: Path) -> None:
    """It gets an error that says what to do."""
    thread = talked(data, root)
    async with editor(root, data) as found:
        with pytest.raises(JsonRpcException) as caught:
            await found.command("threads.compact", {"thread": thread, "summariser": "editor"})
        assert caught.value.data["code"] == "no-editor-model"
