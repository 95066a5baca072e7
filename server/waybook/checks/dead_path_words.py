"""What tells that a path is not meant to exist: names that tools make, stand-ins, and sentences that speak of change."""

from __future__ import annotations

import re

from waybook.analysis.prose_paths import Mention

_MADE = frozenset(
    """
    .angular .astro .cache .coverage .dart_tool .eggs .gradle .idea .mypy_cache .next .nox .nuxt .nyc_output .output
    .parcel-cache .pnpm-store .pytest_cache .ruff_cache .svelte-kit .terraform .tox .turbo .venv .vercel .vite .vs
    .vscode-test .wrangler .yarn __generated__ __pycache__ _build artifacts bin bower_components build cache coverage
    debug deps dist distribution env generated htmlcov lib-cov log logs node_modules obj out output outputs pkg-info
    playwright-report release reports screenshots site-packages target temp test-results tmp vendor venv worktrees
    """.split()
)
_MADE_FILES = re.compile(
    r"(?:^|/)(?:\.env(?:\.[\w.]+)?|[^/]*\.local(?:\.[\w]+)?|[^/]*\.(?:log|lock|sqlite3?|db|pem|key|tmp|pid|sock|wasm|tsbuildinfo|pyc|so|dll|exe"
    r"|o|a|class|jar|min\.js|map|d\.ts|tgz|zip|gz|whl|bak|orig|swp|har|profraw|snap|coverage))$|\.local/|\.egg-info|generated|\.gen\.",
    re.IGNORECASE,
)
_STAND_IN = re.compile(
    r"(?:^|[/._\-])(?:foo|bar|baz|qux|x|y|xx|xxx+|yyy+|nnn+|abc|xyz|my|your|some|example|examples?file|sample|placeholder|name|path|to"
    r"|new|feature|component|module|file|filename|package|folder|dir|your[\w-]+|my[\w-]+|foo[\w-]*|yyyy|mm|dd|date|slug|id|hash)"
    r"(?:[/._\-]|$)",
    re.IGNORECASE,
)
_CHANGE = re.compile(
    r"\b(?:creat|generat|add(?:s|ed|ing)?\b|new\b|writ(?:e|es|ing|ten)\b|emit|output|produc|sav(?:e|es|ed|ing)\b|stor(?:e|es|ed)\b"
    r"|scaffold|remov|delet|renam|mov(?:e|es|ed|ing)\b|migrat|replac|formerly|former\b|previous|old\b|legacy|deprecat|obsolete"
    r"|no longer|doesn'?t exist|does not exist|not exist|missing|absent|instead of|e\.g|i\.e|for example|for instance|such as|like\b"
    r"|example|sample|placeholder|hypothetical|pattern|template|future|planned|plan\b|will be|would be|todo|optional|if (?:it |they )?exist"
    r"|if present|when present|gitignore|ignored|not committed|uncommitted|local only|locally|untracked|runtime|cach|download|upload"
    r"|never\b|don'?t\b|do not\b|avoid|must not|upstream|external|another repo|other repo|sibling repo|submodule|install|symlink)",
    re.IGNORECASE,
)
_CHANGE_CJK = re.compile("创建|新建|生成|新增|添加|删除|移除|移动|重命名|例如|比如|示例|输出|不存在|如果存在|可选|写入|旧")


def is_made_by_tools(path: str) -> bool:
    """Whether a path is one that builds and tools make, or that stays on one's own machine."""
    parts = path.casefold().split("/")
    return any(part in _MADE for part in parts) or _MADE_FILES.search(path) is not None


def is_example(mention: Mention) -> bool:
    """Whether a mention stands for any such file, or its sentence speaks of a file that need not be there."""
    if _STAND_IN.search(mention.path) or not mention.path.isascii():
        return True
    if mention.kind == "link":
        return False
    around = _outside_code(mention)
    return _CHANGE.search(around) is not None or _CHANGE_CJK.search(around) is not None


def _outside_code(mention: Mention) -> str:
    """The words of the block that are not code: a file's own name says nothing about it."""
    return " ".join(piece.text for piece in mention.block.pieces if piece.kind == "text")
