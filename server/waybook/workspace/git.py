"""Which commit and branch a directory is on, and a digest of what is not committed: asked of `git`, never of its porcelain.

A repository's own configuration may name programs (file system monitors, hooks, filters, transports). Only commands that
run none of them are used: references are resolved, the index is compared by the stamps of its files, names are listed.
What changed is read here, without following links. Nothing is written, nothing is fetched.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import subprocess
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

State = Literal["repository", "none", "unavailable"]

SECONDS = 5.0
"""How long all of `git`'s answers are waited for."""
MAX_HASHED_BYTES = 16 << 20
"""Of files that are not committed so much is read; the others enter the digest by size and time of change."""
MAX_NAME = 1024
_SHA256_DIGITS = 64
_SAFE = (
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.untrackedCache=false",
    "core.pager=cat",
    "protocol.allow=never",
    "submodule.recurse=false",
    "diff.external=",
    "safe.bareRepository=explicit",
)
_RAW = ("--raw", "--no-abbrev", "--no-renames", "--ignore-submodules=all", "-z")


@dataclass(frozen=True, slots=True)
class GitIdentity:
    """Where a directory stands in its repository.

    `state`: `none` where there is no repository, `unavailable` where `git` is missing, refuses or takes too long (`reason`
    says which). `branch` is short and empty when the HEAD is `detached`; `head` is the full commit id, empty before the
    first commit; `dirty` is a SHA-256 over what is not committed, empty when all is, and where nobody asked.
    `worktree` names a linked worktree, empty for the main one.
    """

    state: State
    branch: str = ""
    head: str = ""
    dirty: str = ""
    worktree: str = ""
    detached: bool = False
    reason: str = ""


def identify(root: str, *, dirty: bool = True, environ: Mapping[str, str] | None = None) -> GitIdentity:
    """The identity of a directory (absolute); never raises for what a repository or a missing program does.

    `dirty`: also look at what is not committed, which takes longer.
    """
    if not os.path.isdir(root):
        return GitIdentity("none", reason="the directory is not there")
    if not _marked(root):
        return GitIdentity("none")
    env = os.environ if environ is None else environ
    program = shutil.which("git", path=env.get("PATH"))
    if program is None or _below(program, root):
        return GitIdentity("unavailable", reason="git is not installed")
    asked = _ask(program, root, env, dirty=dirty)
    if asked is None:
        return GitIdentity("unavailable", reason=f"git did not answer within {SECONDS:g} seconds")
    return _identity(root, asked)


def _identity(root: str, asked: dict[str, _Answer]) -> GitIdentity:
    places = asked["places"]
    if places.code != 0:
        if b"not a git repository" in places.error:
            return GitIdentity("none")
        return GitIdentity("unavailable", reason=_first_line(places.error))
    own, common, top = (os.fsdecode(line) for line in places.out.split(b"\n")[:3])
    symbolic, head = _line(asked["branch"]), _line(asked["head"])
    branch = symbolic.removeprefix("refs/heads/")
    dirty = ""
    if "cached" in asked:
        failed = next((one for name in ("changed", "untracked") if (one := asked[name]).code != 0), None)
        if head and asked["cached"].code != 0:
            failed = asked["cached"]
        if failed is not None:
            return GitIdentity("unavailable", reason=_first_line(failed.error))
        dirty = _digest(top or root, asked)
    return GitIdentity(
        "repository",
        branch=_plain(branch),
        head=head,
        dirty=dirty,
        worktree="" if os.path.realpath(own) == os.path.realpath(common) else _plain(os.path.basename(own)),
        detached=not symbolic,
    )


@dataclass(frozen=True, slots=True)
class _Answer:
    code: int
    out: bytes
    error: bytes


def _ask(program: str, root: str, env: Mapping[str, str], *, dirty: bool) -> dict[str, _Answer] | None:
    """Every question at once; None when one of them takes too long."""
    questions: dict[str, tuple[str, ...]] = {
        "places": ("rev-parse", "--path-format=absolute", "--git-dir", "--git-common-dir", "--show-toplevel"),
        "branch": ("symbolic-ref", "-q", "HEAD"),
        "head": ("rev-parse", "-q", "--verify", "HEAD^{commit}"),
    }
    if dirty:
        questions["cached"] = ("diff-index", "--cached", *_RAW, "HEAD", "--")
        questions["changed"] = ("diff-files", *_RAW, "--")
        questions["untracked"] = ("ls-files", "--others", "--exclude-standard", "--full-name", "-z", ":/")
    settings = [part for setting in _SAFE for part in ("-c", setting)]
    clean = _environment(env)
    running = {
        name: subprocess.Popen(  # noqa: S603 - a fixed program and fixed arguments; no shell
            [program, "--no-optional-locks", *settings, "-C", root, *question],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=clean,
        )
        for name, question in questions.items()
    }
    end = monotonic() + SECONDS
    try:
        found = {}
        for name, process in running.items():
            out, error = process.communicate(timeout=max(0.0, end - monotonic()))
            found[name] = _Answer(process.returncode, out, error)
    except subprocess.TimeoutExpired:
        return None
    finally:
        for process in running.values():
            if process.poll() is None:
                process.kill()
                process.communicate()
    return found


def _environment(env: Mapping[str, str]) -> dict[str, str]:
    """The environment without what would send `git` elsewhere, ask questions or run programs."""
    kept = {name: value for name, value in env.items() if not name.startswith(("GIT_", "LC_", "LANG"))}
    return {
        **kept,
        "LC_ALL": "C",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ALLOW_PROTOCOL": "",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
    }


def _digest(top: str, asked: dict[str, _Answer]) -> str:
    """A SHA-256 over the staged entries, the changed files and the new ones; "" when there are none.

    A file whose stamps changed while its bytes are those of the index is no change.
    """
    left = MAX_HASHED_BYTES
    lines: list[bytes] = []
    if asked["cached"].code == 0:
        lines += [b"staged " + about + b" " + path for about, path in _raw(asked["cached"].out)]
    for about, path in _raw(asked["changed"].out):
        before, after, known = about.lstrip(b":").split(b" ")[:3]
        blob, content, left = _content(top, path, left, sha256=len(known) == _SHA256_DIGITS)
        if known != blob or before != after:
            lines.append(b"changed " + path + b" " + content)
    for path in filter(None, asked["untracked"].out.split(b"\0")):
        _, content, left = _content(top, path, left)
        lines.append(b"new " + path + b" " + content)
    return hashlib.sha256(b"\0".join(sorted(lines))).hexdigest() if lines else ""


def _raw(out: bytes) -> Iterable[tuple[bytes, bytes]]:
    """(what is said, path) of each entry of git's raw format."""
    parts = out.split(b"\0")
    return zip(parts[0:-1:2], parts[1::2], strict=False)


def _content(top: str, path: bytes, left: int, *, sha256: bool = False) -> tuple[bytes, bytes, int]:
    """A file's blob id, what stands for its content in the digest, and how many bytes may still be read."""
    full = os.path.join(os.fsencode(top), path)
    try:
        found = os.lstat(full)
        if stat.S_ISLNK(found.st_mode):
            data = os.readlink(full)
        elif stat.S_ISREG(found.st_mode) and found.st_size <= left:
            data = _bytes(full, left)
        elif stat.S_ISREG(found.st_mode):
            return b"", f"large {found.st_size} {found.st_mtime_ns}".encode(), left
        else:
            return b"", b"no file", left
    except OSError:
        return b"", b"gone", left
    kind = "link" if stat.S_ISLNK(found.st_mode) else "program" if found.st_mode & stat.S_IXUSR else "file"
    blob = hashlib.new("sha256" if sha256 else "sha1", b"blob %d\0" % len(data) + data, usedforsecurity=False)
    return blob.hexdigest().encode(), f"{kind} {hashlib.sha256(data).hexdigest()}".encode(), left - len(data)


def _bytes(path: bytes, limit: int) -> bytes:
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, flags)
    with os.fdopen(descriptor, "rb") as file:
        return file.read(limit)


def _line(answer: _Answer) -> str:
    return os.fsdecode(answer.out.strip()) if answer.code == 0 else ""


def _plain(name: str) -> str:
    """A name as text that a database takes."""
    text = name.encode("utf-8", "surrogateescape").decode("utf-8", "replace").replace("\0", "�")
    return text if len(text.encode()) <= MAX_NAME else hashlib.sha256(text.encode()).hexdigest()


def _first_line(error: bytes) -> str:
    lines = error.decode("utf-8", "replace").strip().splitlines()
    return lines[0][:200] if lines else "git failed without a word"


def _marked(root: str) -> bool:
    """Whether a `.git` stands in a directory or above it: without one no program has to be asked."""
    here = os.path.abspath(root)
    while not os.path.lexists(os.path.join(here, ".git")):
        parent = os.path.dirname(here)
        if parent == here:
            return False
        here = parent
    return True


def _below(path: str, root: str) -> bool:
    return os.path.realpath(path).startswith(os.path.realpath(root).rstrip(os.sep) + os.sep)
