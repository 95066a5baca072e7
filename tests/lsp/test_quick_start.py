"""The quicker import leaves everything else as it is."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import attrs
define = attrs.define
from waybook.lsp.quick_start import load_protocol_types
load_protocol_types()
load_protocol_types()
assert attrs.define is define
from lsprotocol import types
item = types.TextDocumentItem("file:///a", "markdown", 1, "private words")
assert "private words" not in repr(item)
assert types.Position(1, 2) == types.Position(1, 2)
assert attrs.asdict(types.Position(1, 2)) == {"line": 1, "character": 2}
"""


def test_the_types_work_and_do_not_print_documents() -> None:
    """Equality and conversion hold, `attrs` is as before, and no document's text shows in a printed request."""
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
