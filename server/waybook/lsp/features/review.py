"""Drift is confirmed only after its differences were shown: in the editor's own way, with two fingerprints to bind it."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from waybook.base.errors import ConflictError, UnavailableError
from waybook.base.records import to_json
from waybook.base.uris import path_to_uri
from waybook.lsp.features.commands import run_command

if TYPE_CHECKING:
    from collections.abc import Mapping

    from waybook.lsp.language_server import Server

CONFIRM = "Confirm"
CANCEL = "Cancel"


async def review_drift(
    ls: Server, argument: Mapping[str, Any], token: types.ProgressToken | None = None
) -> dict[str, Any]:
    """Show what changed since the baseline; gives the drift as `instructions.drift` does, with the whole `diff`."""
    drift = await run_command(ls, "instructions.drift", _without_scope(argument), token)
    body: dict[str, Any] = to_json(drift)
    body["diff"] = difference(drift)
    body["shown"] = await _show(ls, body["diff"]) if drift.stale else False
    return body


async def confirm_drift(
    ls: Server, argument: Mapping[str, Any], token: types.ProgressToken | None = None
) -> dict[str, Any]:
    """Show the differences, ask, and confirm exactly what was shown. Gives {confirmed, ...}.

    The whole workspace is confirmed; only while some directory is refused, `scope` alone.
    """
    if not ls.client.message_actions:
        raise UnavailableError(
            "This editor cannot ask a question, so nothing was confirmed.",
            hint="Review with waybook.reviewDrift, then call waybook.instructions.confirm with both fingerprints.",
        )
    body = await review_drift(ls, argument, token)
    if not body["stale"]:
        return {"confirmed": False, "stale": False}
    names = [f"{item['change']} {item['path']}" for item in body["files"]] or [
        "the list of ignored files or the limits"
    ]
    question = f"Confirm as reviewed since revision {body['revision']}? {'; '.join(names)}."
    if not body["shown"]:
        question += f"\n\n{body['diff']}"
    chosen = await ls.protocol.ask(
        types.WINDOW_SHOW_MESSAGE_REQUEST,
        types.ShowMessageRequestParams(
            types.MessageType.Info, question, [types.MessageActionItem(CONFIRM), types.MessageActionItem(CANCEL)]
        ),
    )
    title = chosen.get("title") if isinstance(chosen, dict) else getattr(chosen, "title", None)
    if title != CONFIRM:
        return {"confirmed": False, "stale": True}
    done = await run_command(ls, "instructions.confirm", _expected(body, argument), token)
    return {"confirmed": True, **to_json(done)}


def _expected(body: Mapping[str, Any], argument: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters that confirm what was shown, and nothing else."""
    if body["expected_live_fingerprint"]:
        pinned, live, scope = body["expected_fingerprint"], body["expected_live_fingerprint"], ""
    else:
        wanted = argument.get("scope", "")
        found = next((item for item in body["scopes"] if item["scope"] == wanted and item["state"] != "refused"), None)
        if found is None:
            refused = ", ".join(item["scope"] or "." for item in body["scopes"] if item["state"] == "refused")
            raise ConflictError(
                f"The workspace cannot be confirmed as a whole: discovery is refused for {refused}.",
                hint="Mend what is refused, or confirm a single directory.",
            )
        pinned, live, scope = found["fingerprint"], found["live_fingerprint"], found["scope"] or "."
    parameters = {"expected_fingerprint": pinned, "expected_live_fingerprint": live, "confirm": True}
    return {"workspace": body["workspace"], **parameters, **({"scope": scope} if scope else {})}


def _without_scope(argument: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in argument.items() if key != "scope"}


def difference(drift: Any) -> str:
    """The differences of every file as one text."""
    parts = [change.difference or f"# {change.change}: {change.path}" for change in drift.files]
    return (
        "\n".join(parts) + "\n"
        if parts
        else "# No text changed: the list of ignored files, the order or the limits did.\n"
    )


async def _show(ls: Server, text: str) -> bool:
    """Open the differences beside the editor's files; False when the client cannot."""
    if not ls.client.show_document:
        return False
    path = await ls.work(lambda: _written(text))
    params = types.ShowDocumentParams(path_to_uri(path), external=False, take_focus=True)
    answer = await ls.protocol.ask(types.WINDOW_SHOW_DOCUMENT, params)
    return bool(getattr(answer, "success", False))


def _written(text: str) -> str:
    """A file that is the person's alone, in a directory of its own."""
    path = Path(tempfile.mkdtemp(prefix="waybook-")) / "drift.diff"
    path.write_text(text, encoding="utf-8", newline="")
    path.chmod(0o600)
    return str(path)
