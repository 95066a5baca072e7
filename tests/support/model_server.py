"""A small server on this machine that speaks the chat-completions protocol and follows a script."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@dataclass
class ModelServer:
    """What was asked, byte for byte; `url` is its address."""

    url: str = ""
    bodies: list[bytes] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)

    @property
    def requests(self) -> list[dict[str, Any]]:
        """Every request as JSON."""
        return [json.loads(body) for body in self.bodies]


def says(content: str = "", *calls: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    """An answer with words and calls; the ids repeat from answer to answer, as some servers' do."""
    return {
        "role": "assistant",
        "content": content,
        "reasoning_content": "PRIVATE-THOUGHT",
        **(
            {
                "tool_calls": [
                    {
                        "id": f"call_{number}",
                        "type": "function",
                        "function": {"name": name, "arguments": json.dumps(arguments)},
                    }
                    for number, (name, arguments) in enumerate(calls)
                ]
            }
            if calls
            else {}
        ),
    }


@contextmanager
def serving(brain: Callable[[dict[str, Any]], dict[str, Any] | int]) -> Iterator[ModelServer]:
    """A server that answers what `brain` says to a request: a message, or an HTTP status."""
    seen = ModelServer()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            seen.bodies.append(body)
            seen.keys.append(self.headers.get("Authorization", ""))
            answer = brain(json.loads(body))
            status = answer if isinstance(answer, int) else 200
            payload = json.dumps(
                {"error": {"message": "scripted"}}
                if isinstance(answer, int)
                else {
                    "id": "x",
                    "object": "chat.completion",
                    "created": 0,
                    "model": "m",
                    "choices": [
                        {
                            "index": 0,
                            "finish_reason": "tool_calls" if answer.get("tool_calls") else "stop",
                            "message": answer,
                        }
                    ],
                }
            ).encode()
            try:
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(payload)))
                self.end_headers()
                self.wfile.write(payload)
            except OSError:
                return  # the client went away, as a cancelled one does

        def log_message(self, *_: Any) -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    seen.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield seen
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
