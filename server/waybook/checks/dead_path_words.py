"""What tells that a path is not meant to exist: names that tools make, stand-ins, and sentences that speak of change."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from waybook.analysis.prose_paths import Mention

_MADE = frozenset(
    [
        ".angular",
        ".astro",
        ".cache",
        ".coverage",
        ".dart_tool",
        ".eggs",
        ".gradle",
        ".idea",
        ".mypy_cache",
        ".next",
        ".nox",
        ".nuxt",
        ".nyc_output",
        ".output",
        ".parcel-cache",
        ".pnpm-store",
        ".pytest_cache",
        ".ruff_cache",
        ".svelte-kit",
        ".terraform",
        ".tox",
        ".turbo",
        ".venv",
        ".vercel",
        ".vite",
        ".vs",
        ".vscode-test",
        ".wrangler",
        ".yarn",
        "__generated__",
        "__pycache__",
        "_build",
        "artifacts",
        "bin",
        "bower_components",
        "build",
        "cache",
        "coverage",
        "debug",
        "deps",
        "dist",
        "distribution",
        "env",
        "generated",
        "htmlcov",
        "lib-cov",
        "log",
        "logs",
        "node_modules",
        "obj",
        "out",
        "output",
        "outputs",
        "pkg-info",
        "playwright-report",
        "release",
        "reports",
        "screenshots",
        "site-packages",
        "target",
        "temp",
        "test-results",
        "third-party",
        "third_party",
        "tmp",
        "vendor",
        "venv",
        "worktrees",
    ]
)
_MADE_FILES = re.compile(
    r"(?:^|/)(?:\.env(?:\.[\w.]+)?|[^/]*\.local(?:\.[\w]+)?|[^/]*\.(?:log|lock|sqlite3?|db|pem|key|tmp|pid|sock|wasm|tsbuildinfo|pyc|so|dll|exe"
    r"|o|a|class|jar|min\.js|map|d\.ts|tgz|zip|gz|whl|bak|orig|swp|har|profraw|snap|coverage|csv|tsv|parquet|pkl|pickle|np[yz]|h5|hdf5|pth?|onnx|safetensors|ckpt|bin|gguf|feather|arrow|jsonl|ndjson|mp4"
    r"|wav|mov|apk|ipa|aab|dmg|msi|rpm|deb))$|\.local/|\.egg-info|generated|\.gen\.",
    re.IGNORECASE,
)
_STAND_IN = re.compile(
    r"(?:^|[/._\-])(?:foo(?:bar|baz)?|bar|baz|qux|xxx+|yyy+|nnn+|yyyy|abc|xyz|your\w*|examples?file|sample|example|placeholder)\d*(?:[/._\-]|$)"
    r"|(?:^|/)my[-_]\w|(?:^|/)(?-i:My[A-Z]|my[A-Z])|(?:^|/)path/to(?:/|$)"
    r"|(?:^|/)(?:x+|y|n|name|some\w*|new|feature|component|module|file|filename|package|folder|dir|directory|page|slug|id|hash|mm|dd)"
    r"(?:\.\w+)*(?:/|$)",
    re.IGNORECASE,
)
_CHANGE = re.compile(
    r"\b(?:creat|generat|add(?:s|ed|ing)?\b|new\b|writ(?:e|es|ing|ten)\b|emit|output|produc|sav(?:e|es|ed|ing)\b|stor(?:e|es|ed)\b"
    r"|scaffold|remov|delet|renam|mov(?:e|es|ed|ing)\b|migrat|replac|formerly|former\b|previous|old\b|legacy|deprecat|obsolete"
    r"|no longer|doesn'?t exist|does not exist|not exist|missing|absent|instead of|e\.g|i\.e|for example|for instance|such as|like\b"
    r"|example|sample|placeholder|hypothetical|pattern|template|future|planned|plan\b|will be|would be|todo|optional|if (?:it |they )?exist"
    r"|if present|when present|gitignore|ignored|not committed|uncommitted|local only|locally|untracked|runtime|cach|download|upload"
    r"|\bput\b|\bplaced?\b|implement|\bgo(?:es)? (?:in|to|under|into)\b|belongs?\b|mirror|correspond|naming|named\b|convention"
    r"|never\b|don'?t\b|do not\b|avoid|must not|upstream|external|another repo|other repo|sibling repo|submodule|install|symlink)|\u2192|->|=>",
    re.IGNORECASE,
)
_CHAPTER = re.compile(
    r"example|template|sample|planned|future|proposed|roadmap|migrat|legacy|deprecat|naming|generated|示例|例子|模板|计划",
    re.IGNORECASE,
)
"""Chapters about files that need not be there."""
_CHANGE_CJK = re.compile(
    "创建|新建|生成|新增|添加|删除|移除|移动|重命名|例如|比如|示例|输出|不存在|如果存在|可选|写入|旧"
)


def is_made_by_tools(path: str) -> bool:
    """Whether a path is one that builds and tools make, or that stays on one's own machine."""
    parts = path.casefold().split("/")
    return any(part in _MADE for part in parts) or _MADE_FILES.search(path) is not None


def is_stand_in(path: str) -> bool:
    """Whether a path stands for any such file (`path/to/x`, `my-feature/index.ts`)."""
    return _STAND_IN.search(path) is not None


def is_example(mention: Mention) -> bool:
    """Whether a mention stands for any such file, or its sentence speaks of a file that need not be there."""
    if is_stand_in(mention.path) or not mention.path.isascii():
        return True
    if mention.kind == "link":
        return False
    if _CHAPTER.search(mention.block.heading):
        return True
    around = _outside_code(mention)
    return _CHANGE.search(around) is not None or _CHANGE_CJK.search(around) is not None


def _outside_code(mention: Mention) -> str:
    """The words of the block that are not code: a file's own name says nothing about it."""
    return " ".join(piece.text for piece in mention.block.pieces if piece.kind == "text")
