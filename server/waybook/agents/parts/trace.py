"""Collecting one agent's answer: what loads, what does not, and under which name each file is shown."""

from __future__ import annotations

from functools import lru_cache
from posixpath import basename, dirname, normpath
from typing import TYPE_CHECKING, Any

from waybook.agents.model import Loaded, Loading, NotLoaded, Profile, Reason, Request, When
from waybook.agents.parts.known import on_the_way
from waybook.agents.parts.walk import ancestors, down, inside, join, relative, resolve

if TYPE_CHECKING:
    from waybook.workspace.box import Box


_UTF16 = {b"\xff\xfe", b"\xfe\xff"}


class Trace:
    """One agent's answer in the making.

    `cwd` is the real working directory (a process never sees the link that led there), `target` the real path of the
    touched file, `touched` the directory it is in; both are `None` without a target.
    """

    def __init__(self, profile: Profile, request: Request, box: Box, *, cwd: str | None = None) -> None:
        self.profile = profile
        self.request = request
        self.box = box
        self.home = normpath(request.home)
        self.workspace = normpath(request.workspace)
        key = ("places", self.workspace, self.home, cwd or request.cwd, request.target)
        if key not in box.memo:
            box.memo[key] = _places(box, *key[1:])
        self.cwd: str
        self.target: str | None
        self.touched: str | None
        self.cwd, self.target, self.touched = box.memo[key]
        self._shown: dict[str, str] = box.memo.setdefault(("shown", self.workspace, self.home), {})
        self._chain: list[Loaded] = []
        self._missed: list[NotLoaded] = []
        self._notes: list[str] = []
        self._unordered: list[str] = []
        self._arrived: set[str] = set()
        self._told: set[str] = set()
        self._refused: set[str] = set()
        self._seen: dict[str, str] = {}
        self._texts: dict[str, str] = {}
        self.state: dict[Any, Any] = {}

    # --- what the agent's files say -----------------------------------------------------------------------------------

    def show(self, path: str) -> str:
        """The path as people read it: relative to the workspace, `~/...` in the home, absolute elsewhere."""
        shown = self._shown.get(path)
        if shown is None:
            shown = path
            if inside(path, self.workspace):
                shown = relative(path, self.workspace)
            elif inside(path, self.home):
                shown = f"~/{relative(path, self.home)}"
            self._shown[path] = shown
        return shown

    def text(self, path: str) -> str:
        """A file's text, empty where there is none."""
        return self.box.text(path) or ""

    def blank(self, path: str) -> bool:
        """Whether a file has no text but spaces and line ends."""
        return self.box.blank(path)

    def present(self, path: str) -> bool:
        """Whether a regular file is there; a broken link or a folder of that name is noted as the reason why not."""
        kind = self.box.kind(path)
        if kind == "file":
            return True
        if not kind and self.box.broken and self.box.is_broken(path):
            self.miss(path, "link", "The link leads nowhere, so the file is as absent.")
        return False

    # --- the answer ---------------------------------------------------------------------------------------------------

    def load(
        self,
        path: str,
        why: str,
        when: When = "start",
        *,
        complete: bool = True,
        cut_at: int | None = None,
        imported_by: str | None = None,
        decoded: bool = False,
    ) -> None:
        """Add a file to the chain; one in UTF-16 is noted instead, for the agents take every file for UTF-8."""
        if not decoded and (self.box.read(path) or b"")[:2] in _UTF16:
            why = f"The file is UTF-16, and {self.profile.name} reads UTF-8: nothing readable arrives."
            self.miss(path, "empty", why)
            return
        size = self.box.size(path)
        by = self.show(imported_by) if imported_by else None
        item = Loaded(self.show(path), path, when, complete and cut_at is None, size, cut_at, by, why)
        self._chain.append(item)
        self._arrived.add(path)
        self._told.add(path)
        self._seen.setdefault(self.box.real(path) or path, path)

    def miss(self, path: str, reason: Reason, why: str, by: str | None = None) -> None:
        """Note that a file which exists does not arrive; the first reason given for a path stands."""
        if path not in self._refused:
            self._refused.add(path)
            self._told.add(path)
            shown = self.show(by) if by and by.startswith("/") else by
            self._missed.append(NotLoaded(self.show(path), path, reason, shown, why))

    def note(self, text: str) -> None:
        """Add a remark about the whole answer, once."""
        if text not in self._notes:
            self._notes.append(text)

    def unordered(self, folder: str) -> None:
        """Say that the agent takes a folder's files in the file system's own order."""
        self._unordered.append(folder)
        self.note(f"The order inside {self.show(folder)} is the file system's own and not specified.")

    def has(self, path: str) -> bool:
        """Whether the chain already has a file under this very path."""
        return path in self._arrived

    def loaded(self, path: str) -> str | None:
        """The path under which the very same file (after links) already arrived, if it did."""
        return self._seen.get(self.box.real(path) or path)

    def same_text(self, path: str) -> str | None:
        """The path of an earlier file with the same text, if there is one; the first of a text is remembered."""
        first = self._texts.setdefault(self.text(path).strip(), path)
        return None if first == path else first

    def once(self, path: str) -> bool:
        """Whether a file is new to the chain; if not, it is noted as displaced by the path it arrived under."""
        first = self.loaded(path)
        if first is None:
            return True
        if first != path:
            self.miss(path, "displaced", f"It is the same file as {self.show(first)}, which counts once.", first)
        return False

    def loading(self) -> Loading:
        """The answer, with a reason for every other known instruction file on the way from the workspace down."""
        self._explain_rest()
        profile = self.profile
        missed = tuple(item for item in self._missed if item.abs_path not in self._arrived)
        return Loading(
            profile.id,
            profile.version,
            profile.confidence,
            tuple(self._chain),
            missed,
            tuple(self._notes),
            tuple(self._unordered),
        )

    def _explain_rest(self) -> None:
        if not self.profile.names:
            return  # nothing is known about this agent, so nothing is claimed either
        bottom = self.touched or self.cwd
        exact, folded = _names(self.profile.names)
        for place, name in on_the_way(self.box, self.workspace, bottom):
            path = join(place, name)
            if path not in self._told:
                reason, why, by = self._reason(path, name, exact, folded)
                self.miss(path, reason, why, by)

    def _reason(self, path: str, name: str, exact: set[str], folded: dict[str, str]) -> tuple[Reason, str, str | None]:
        agent = self.profile.name
        first = self.loaded(path)
        if first is not None:
            return "displaced", f"It is the same file as {self.show(first)}, which arrives.", first
        if name in exact or (self.profile.folded and name.casefold() in folded):
            if not self.box.kind(path):
                return "link", "The link leads nowhere, so the file is as absent.", None
            return "outside", f"{agent} does not look here: {self.profile.reach}", None
        if name.casefold() in folded:
            return "wrong_name", f"{agent} reads {folded[name.casefold()]} in exactly this spelling.", None
        return "wrong_name", f"{agent} does not read files named {basename(name)} here.", None


def _places(box: Box, workspace: str, home: str, cwd: str, target: str | None) -> tuple[str, str | None, str | None]:
    """The real working directory, the real target, and the directory that the target touches."""
    start = resolve(workspace, cwd or ".", home)
    real = box.real(start) or start
    if not target:
        return real, None, None
    file = _real_target(box, resolve(real, target, home))
    touched = file if box.is_dir(file) else dirname(file)
    for place in down(workspace, touched):
        box.entries(place)  # every agent looks for many names here: one listing answers them all
    return real, file, touched


@lru_cache(maxsize=64)
def _names(names: tuple[str, ...]) -> tuple[set[str], dict[str, str]]:
    return set(names), {name.casefold(): name for name in names}


def _real_target(box: Box, path: str) -> str:
    """The target after links; where it does not exist, its nearest existing directory after links decides."""
    missing = ""
    for place in ancestors(path):
        real = box.real(place)
        if real is not None:
            return f"{real.rstrip('/')}{missing}" or "/"
        missing = f"/{basename(place)}{missing}"
    return path
