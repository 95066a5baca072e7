"""What is said when a file or directory is refused: what was found, which limit, what to do next."""

from __future__ import annotations

import posixpath
import stat

from waybook.base.errors import DiscoveryError

_SPECIAL = {
    stat.S_IFDIR: "a directory",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFLNK: "a symbolic link",
    stat.S_IFREG: "a regular file",
}


def what_it_is(mode: int) -> str:
    """A file mode in words: "a named pipe", "a directory", ..."""
    return _SPECIAL.get(stat.S_IFMT(mode), "a special file")


def linked_file(path: str, link_target: str) -> DiscoveryError:
    """A symbolic link stands where a regular file belongs; the remedy depends on the name."""
    shown = link_target or "an unknown place"
    return DiscoveryError(
        f"{path} is a symlink to {shown}; links are never followed, so the instructions for its directory "
        "and everything below are refused as a whole.",
        code="symlink",
        path=path,
        hint=_link_remedy(path, link_target),
        link_target=link_target,
    )


def _link_remedy(path: str, link_target: str) -> str:
    name = posixpath.basename(path)
    other = posixpath.basename(link_target)
    if name == "CLAUDE.md" and link_target and not posixpath.isabs(link_target):
        return (
            f"Replace the link by a regular file whose one line is `@{link_target}`: Claude Code imports it from there."
        )
    if name == "AGENTS.md" and other == "CLAUDE.md":
        return (
            f"Replace the link by a regular file: move the text of {link_target} into {path}, "
            f"and leave in {link_target} the one line that imports it (such as `@AGENTS.md`)."
        )
    return f"Replace the link by a regular file that holds the text itself ({path})."


def linked_directory(path: str, link_target: str) -> DiscoveryError:
    """A symbolic link (or junction) stands where a real directory belongs."""
    return DiscoveryError(
        f"{path} is a symlink to {link_target or 'an unknown place'}; "
        "every directory from the workspace root to the file must be a real directory.",
        code="symlink",
        path=path,
        hint="Use the path of the real directory, or replace the link by a real directory.",
        link_target=link_target,
    )


def not_a_directory(path: str, mode: int) -> DiscoveryError:
    """A file stands where a directory belongs."""
    return DiscoveryError(
        f"{path} is {what_it_is(mode)}, where a directory is needed.",
        code="not-a-directory",
        path=path,
        hint="Rename or remove it, or ask about a path inside a real directory.",
        found=what_it_is(mode),
    )


def not_regular(path: str, mode: int) -> DiscoveryError:
    """A directory, pipe, socket or device stands where a regular file belongs; it was not opened."""
    return DiscoveryError(
        f"{path} is {what_it_is(mode)}, not a regular file; it was not opened.",
        code="not-regular",
        path=path,
        hint="Remove it or rename it, or put a regular file in its place.",
        found=what_it_is(mode),
    )


def too_large(path: str, size: int, limit: int) -> DiscoveryError:
    """A file is longer than its limit; nothing of it was read."""
    return DiscoveryError(
        f"{path} has {size:,} bytes; the limit for one file is {limit:,} bytes. Nothing is cut off silently.",
        code="too-large",
        path=path,
        limit=limit,
        hint="Shorten the file, or split it over nearer directories.",
        found=size,
    )


def changed(path: str) -> DiscoveryError:
    """A file was written or replaced while it was being read."""
    return DiscoveryError(
        f"{path} changed while reading; a half-written text is never used.",
        code="changed-while-reading",
        path=path,
        hint="Ask again once the program that writes it has finished.",
    )


def unreadable(path: str, error: OSError) -> DiscoveryError:
    """The operating system would not let us look."""
    denied = isinstance(error, PermissionError)
    return DiscoveryError(
        f"{path} cannot be read: {error.strerror or error}.",
        code="permission-denied" if denied else "unreadable",
        path=path,
        hint="Give yourself permission to read it." if denied else "Check the disk and the path.",
        errno=error.errno or 0,
    )


def missing_directory(path: str) -> DiscoveryError:
    """A directory on the way to the target does not exist."""
    return DiscoveryError(
        f"The directory {path} does not exist in this workspace.",
        code="missing-directory",
        path=path,
        hint="Create it, or ask about a path in an existing directory.",
    )


def special_file(path: str) -> DiscoveryError:
    """A pipe, socket or device where only files and directories belong."""
    return DiscoveryError(
        f"{path} is a pipe, socket or device, not a regular file; it was not opened.",
        code="not-regular",
        path=path,
        hint="Remove it.",
    )


def linked_target(path: str, link_target: str) -> DiscoveryError:
    """The target itself is a symbolic link."""
    return DiscoveryError(
        f"The target {path} is a symlink to {link_target or 'an unknown place'}; what applies depends on the real place.",
        code="symlink",
        path=path,
        hint="Ask about the real file or directory.",
        link_target=link_target,
    )
