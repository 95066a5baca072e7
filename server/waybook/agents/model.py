"""Records of one question to one agent: which instruction files reach its model, when, and which do not.

Frozen and free of input and output. `to_json` gives the form that every face prints.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping  # noqa: TC003 - pydantic may read the fields of these records
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from waybook.workspace.box import Box

When = Literal["start", "lazy", "listed"]
"""In the first request; added when a tool touches the target; only the path is told to the model."""

Reason = Literal[
    "shadowed", "displaced", "over_budget", "conditional", "wrong_name", "outside", "empty", "excluded", "link",
]  # fmt: skip
"""Why a file does not arrive: a file of the same place took its slot (`shadowed`); files elsewhere, or the same text or
file, make it unwanted (`displaced`); a size limit (`over_budget`); a condition that the target does not meet
(`conditional`); a name the agent does not read (`wrong_name`); a place it does not look at, or may not (`outside`);
nothing in it (`empty`); settings, arguments or front matter (`excluded`); a link that is not followed (`link`)."""

Confidence = Literal["measured", "source", "documented", "reported"]
"""Measured on the published program; read in its source; said by its vendor; said by third parties."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked. Paths are absolute, as inside `root`.

    `cwd` is where the agent was started (default: the workspace); `target` the file it then reads or edits, if any: it
    need not exist, may be a directory, and may lie outside the workspace. `root` is the directory that stands for the
    file system's root. `args` and `env` are the agent's own; `settings` holds what no file tells: `trusted` (whether
    the folder is trusted; unset: as the agent's files say, else yes).
    """

    workspace: str
    cwd: str = ""
    target: str | None = None
    home: str = "/nonexistent"
    root: str = "/"
    args: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    env: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Loaded:
    """One file that arrives. `path` is relative to the workspace, `~/...` in the home, absolute elsewhere.

    `bytes` is the file's size; `complete` says whether all of its text arrives; `cut_at` is the number of bytes (from
    the start) that do, where a limit cuts; `imported_by` the file that imports it, in the form of `path`.
    """

    path: str
    abs_path: str
    when: When
    complete: bool
    bytes: int
    cut_at: int | None
    imported_by: str | None
    why: str

    @property
    def delivered(self) -> int:
        """The bytes of the file that arrive: none when only its path is listed."""
        if self.when == "listed":
            return 0
        return self.bytes if self.cut_at is None else self.cut_at


@dataclass(frozen=True, slots=True)
class NotLoaded:
    """One file that exists and does not arrive; `by` is the file or setting that is to blame, if one is."""

    path: str
    abs_path: str
    reason: Reason
    by: str | None
    why: str


@dataclass(frozen=True, slots=True)
class Loading:
    """One agent's answer. `chain` is in the order of the request to the model, `lazy` files after those of the start.

    `unordered` names the folders (absolute) inside which the agent takes the file system's own order.
    """

    agent: str
    version: str
    confidence: Confidence
    chain: tuple[Loaded, ...]
    not_loaded: tuple[NotLoaded, ...]
    notes: tuple[str, ...]
    unordered: tuple[str, ...] = ()

    @property
    def bytes(self) -> int:
        """The bytes of instructions that arrive in all."""
        return sum(item.delivered for item in self.chain)

    def to_json(self) -> dict[str, Any]:
        """The answer in the order every face prints."""
        return {
            "agent": self.agent,
            "version": self.version,
            "confidence": self.confidence,
            "chain": [_fields(item) for item in self.chain],
            "not_loaded": [_fields(item) for item in self.not_loaded],
            "notes": list(self.notes),
            "bytes": self.bytes,
        }


def _fields(record: Loaded | NotLoaded) -> dict[str, Any]:
    return {name: getattr(record, name) for name in record.__slots__}


@dataclass(frozen=True, slots=True)
class Rule:
    """One loading rule in our words, and how sure we are of it."""

    text: str
    confidence: Confidence


@dataclass(frozen=True, slots=True)
class Profile:
    """How one agent loads instruction files.

    `version` is the release that was measured, or the date of the documents; `names` are the files it reads in a
    directory of a project (with their folder, if they have one); `reach` says in one sentence where it looks.
    """

    id: str
    name: str
    version: str
    confidence: Confidence
    names: tuple[str, ...]
    reach: str
    rules: tuple[Rule, ...]
    run: Callable[[Request, Box], Loading]
    folded: bool = False
    """Whether the names match without regard to case."""

    def load(self, request: Request, box: Box | None = None) -> Loading:
        """The files that this agent loads for a request. Never raises for what is on the disk.

        A `box` made for the same root may be shared by any number of agents and targets of one pass.
        """
        if box is None:
            from waybook.workspace.box import Box

            box = Box(request.root)
        return self.run(request, box)
