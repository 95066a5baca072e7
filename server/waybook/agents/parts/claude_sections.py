"""Claude Code's sections: one for each file and each import, and the rules that wait for a matching file."""

from __future__ import annotations

import re
from posixpath import dirname
from typing import TYPE_CHECKING, Literal, NamedTuple

from waybook.agents.parts import imports
from waybook.agents.parts.frontmatter import FrontMatter, load_yaml, parse
from waybook.agents.parts.globs import alternatives, ignored, split_commas
from waybook.agents.parts.markdown import without
from waybook.agents.parts.settings import texts
from waybook.agents.parts.walk import inside, join, relative, resolve

if TYPE_CHECKING:
    from waybook.agents.model import When
    from waybook.agents.parts.claude_options import Options
    from waybook.agents.parts.trace import Trace

Source = Literal["managed", "user", "project"]

MAX_BYTES = 4 * 1024 * 1024
"""A larger file is dropped as a whole (Claude Code 2.1.332, measured)."""
HOPS = 4
"""Imports in a row (measured)."""

_UNQUOTED = re.compile(r"^([\w-]+:[ \t]+|[ \t]*-[ \t]+)([*&!%@`][^\r\n]*)$", re.MULTILINE)


class _Waiting(NamedTuple):
    path: str
    patterns: tuple[str, ...]
    base: str
    source: Source


class Sections:
    """Adds files to a trace as Claude Code makes sections of them; `stage` is when what is added next arrives."""

    def __init__(self, trace: Trace, options: Options) -> None:
        self.trace = trace
        self.options = options
        self.stage: When = "start"
        self.displaced_by: str | None = None
        self._waiting: list[_Waiting] = []
        self._sources: dict[str, Source] = {}

    def has_text(self, path: str) -> bool:
        """Whether a file would give text: it is there, not excluded, not too large, and more than comments."""
        box = self.trace.box
        if not box.is_file(path) or box.size(path) > MAX_BYTES:
            return False
        return bool(self._body(path).strip()) and not self.options.excluded(path)

    def same_text(self, path: str) -> str | None:
        """An earlier file with the same text, for AGENTS files that count beside CLAUDE files."""
        return self.trace.state.get(("text", self._body(path).strip())) if self.trace.box.is_file(path) else None

    def _body(self, path: str) -> str:
        key = ("claude body", path)
        body: str | None = self.trace.box.memo.get(key)
        if body is None:
            text = self.trace.text(path)
            body = text[parse(text).end :]
            body = without(body, "comment") if "<!--" in body else body
            self.trace.box.memo[key] = body
        return body

    def file(self, path: str, source: Source, why: str) -> bool:
        """Add a CLAUDE or AGENTS file and its imports; whether it gives text that counts."""
        if not self.trace.present(path) or self._dropped(path, source):
            return False
        if not self._body(path).strip():
            self.trace.miss(path, "empty", "There is no text in it besides comments.")
            return False
        if self.trace.once(path):
            self._section(path, why, None)
            self._sources[path] = source
            self._imports(path, source)
        return (
            self._sources.get(path, source) == source
        )  # the user's file, met again on the way up, is still the user's

    def _dropped(self, path: str, source: Source) -> bool:
        glob = self.options.excluded(path) if source != "managed" else None
        if glob:
            self.trace.miss(path, "excluded", f"claudeMdExcludes takes it: {glob}", "claudeMdExcludes")
        elif self.trace.box.size(path) > MAX_BYTES:
            self.trace.miss(path, "over_budget", "Files above 4 MiB are dropped as a whole.")
        else:
            return False
        return True

    def _section(self, path: str, why: str, importer: str | None) -> None:
        self.trace.state.setdefault(("text", self._body(path).strip()), path)
        cut = None
        if self.stage == "lazy" and self.trace.box.size(path) > self.options.touch_cut:
            text = self.trace.text(path)
            if len(text) > self.options.touch_cut:
                cut = len(text[: self.options.touch_cut].encode("utf-8", "surrogatepass"))
                why += f" Cut after {self.options.touch_cut:,} characters, as every touched file is."
        self.trace.load(path, why, self.stage, cut_at=cut, imported_by=importer)

    def _imports(self, path: str, source: Source, hops: int = HOPS) -> None:
        """Each imported file is a section of its own after its importer, once in all."""
        for given in imports.claude(self._body(path)) if hops else ():
            target = resolve(dirname(path), given, self.trace.home)
            if not self.trace.box.is_file(target) or self.trace.loaded(target):
                continue
            if source == "project" and not self.options.external and not inside(target, self.trace.cwd):
                self.trace.note(
                    "Imports from outside the working directory need one approval; without it they are dropped."
                )
                why = f"{self.trace.show(path)} imports it from outside the working directory, which needs approval."
                self.trace.miss(target, "outside", why, path)
            elif not self._dropped(target, source) and self._body(target).strip():
                self._section(target, "Imported: a section of its own after its importer.", path)
                self._imports(target, source, hops - 1)

    # --- rules --------------------------------------------------------------------------------------------------------

    def rules(self, folder: str, source: Source) -> None:
        """Add the rules of a folder that have no `paths`; the others wait for a matching file."""
        if not self.trace.box.is_dir(folder):
            return
        found = self._rule_files(folder, source, set())
        if len(found) > 1:
            self.trace.unordered(folder)
        for path in found:
            if (
                self.trace.loaded(path)
                or self._sources.setdefault(path, source) != source
                or self._dropped(path, source)
            ):
                continue
            self._rule(path, source, dirname(dirname(folder)))

    def _rule_files(self, folder: str, source: Source, seen: set[str]) -> list[str]:
        box = self.trace.box
        real = box.real(folder)
        if real is None or real in seen or not box.is_dir(folder):
            return []
        seen.add(real)
        found: list[str] = []
        for name, kind in box.entries(folder).items():
            path = join(folder, name)
            if kind == "link" and source == "project" and not self.options.external:
                leads_to = box.real(path)
                if leads_to is None or not inside(leads_to, self.trace.cwd):
                    self.trace.miss(path, "link", "The link leaves the working directory, which needs approval.")
                    continue
            if box.is_dir(path):
                found += self._rule_files(path, source, seen)
            elif name.endswith(".md") and box.is_file(path):
                found.append(path)
        return found

    def _rule(self, path: str, source: Source, owner: str) -> None:
        text = self.trace.text(path)
        front = parse(text)
        patterns = _paths(front)
        if patterns is None:
            self.trace.miss(path, "excluded", f"Its front matter cannot be read: {front.error}.")
        elif not self._body(path).strip():
            self.trace.miss(path, "empty", "There is no text in it besides comments.")
        elif patterns:
            base = owner if source == "project" else self.trace.cwd
            self._waiting.append(_Waiting(path, patterns, base, source))
            self._imports(path, source)
        else:
            self._section(path, "A rule without `paths`.", None)
            self._imports(path, source)

    def conditional(self) -> None:
        """Add the waiting rules that the target matches; note the others."""
        target = self.trace.target or ""
        for rule in self._waiting:
            seen = relative(target, rule.base)
            if inside(target, rule.base) and ignored(rule.patterns, seen, fold=True):
                if self.trace.once(rule.path):
                    self._section(rule.path, f"A rule whose `paths` match the touched file ({seen}).", None)
            else:
                self.trace.miss(rule.path, "conditional", f"Its `paths` do not match {seen}.")
        self._waiting = []

    def give_up(self) -> None:
        """Note every waiting rule: no file below the working directory was touched."""
        for rule in self._waiting:
            self.trace.miss(rule.path, "conditional", "It waits for a touched file that its `paths` match.")


def _paths(front: FrontMatter) -> tuple[str, ...] | None:
    """The patterns of a rule: none means always; `None` for YAML that cannot be read even with its globs quoted."""
    data = front.data
    if front.error:
        quoted = _UNQUOTED.sub(lambda found: f"{found[1]}{_quote(found[2].rstrip())}", front.raw)
        data, error = load_yaml(quoted)
        if error:
            return None
    value = data.get("paths")
    given = (
        split_commas(value)
        if isinstance(value, str)
        else [part for text in texts(value) for part in split_commas(text)]
    )
    patterns = [single for pattern in given for single in alternatives(pattern)]
    patterns = [shorter for pattern in patterns if (shorter := pattern.removesuffix("/**"))]
    return () if all(pattern == "**" for pattern in patterns) else tuple(patterns)


def _quote(value: str) -> str:
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
