"""Every relative link of the pages leads to a file, and to a heading of it; no page is left out of the site."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from functools import cache
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote

import pytest
import yaml
from markdown_it import MarkdownIt

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted(
    [
        *ROOT.glob("*.md"),
        *(ROOT / "docs").glob("*.md"),
        ROOT / "client-nvim/README.md",
        ROOT / "client-vscode/README.md",
    ]
)


def _slug(heading: str) -> str:
    """As GitHub and the site make it."""
    return re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", heading.strip().lower()))


@cache
def _parsed(path: Path) -> tuple[frozenset[str], tuple[str, ...]]:
    """(anchors, link targets) of a page."""
    tokens = MarkdownIt("commonmark").enable("table").parse(path.read_text(encoding="utf-8"))
    anchors, links = set(), []
    for before, token in pairwise(tokens):
        if before.type == "heading_open":
            anchors.add(_slug("".join(child.content for child in token.children or [])))
        for child in token.children or []:
            links += [str(child.attrs[name]) for name in ("href", "src") if name in child.attrs]
    html = re.findall(r'<(?:img|source|a)\b[^>]*?\b(?:src|srcset|href)="([^"]+)"', path.read_text(encoding="utf-8"))
    return frozenset(anchors), tuple(links + html)


def broken(path: Path) -> list[str]:
    """The links of a page that lead nowhere."""
    found = []
    for link in _parsed(path)[1]:
        if re.match(r"[a-z][a-z0-9+.-]*:", link):
            continue
        name, _, anchor = unquote(link).partition("#")
        target = (path.parent / name).resolve() if name else path
        if not target.exists() or (anchor and target.suffix == ".md" and anchor not in _parsed(target)[0]):
            found.append(link)
    return found


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(path: Path) -> None:
    """Files exist, and headings are called so."""
    assert broken(path) == []


def test_a_broken_link_is_noticed(tmp_path: Path) -> None:
    """A missing file and a missing heading."""
    page = tmp_path / "page.md"
    page.write_text('# One\n\n[a](none.md) [b](#one) [c](#two) <img src="none.png"> [d](https://example.com)\n')
    assert broken(page) == ["none.md", "#two", "none.png"]


def test_every_page_is_in_the_site() -> None:
    """A page that no menu names would never be found."""
    text = re.sub(r"!!python/\S+", "", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    listed = re.findall(r"[\w-]+\.md", str(yaml.safe_load(text)["nav"]))
    assert sorted(listed) == sorted(path.name for path in (ROOT / "docs").glob("*.md"))


def test_the_readme_installs_what_the_package_is_called() -> None:
    """The name in the commands is the project's."""
    name = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["name"]
    assert f"{name} setup neovim --write" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_site_is_built_without_a_warning(tmp_path: Path) -> None:
    """Links, headings and the menu, as the site's own builder sees them; nothing in it is fetched from elsewhere."""
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", str(tmp_path / "site")]
    env = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    page = (tmp_path / "site/index.html").read_text(encoding="utf-8")
    assert "Which instructions" in page
    assert re.findall(r'<(?:script|link)[^>]+(?:src|href)="https?:[^"]+"', page) == []
