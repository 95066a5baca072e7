"""What applies to a target, what is refused, and what the refusal says."""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime

import pytest

from waybook.base.errors import DiscoveryError
from waybook.instructions.discover import discover
from waybook.workspace.guard import Guard
from workspace.trees import Fifo, Link, Sparse, lay

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def found(root: str, target: str) -> list[str]:
    with Guard(root) as guard:
        return [source.path for source in discover(guard, target, NOW).sources]


def ignored(root: str, target: str) -> list[tuple[str, str]]:
    with Guard(root) as guard:
        return [(item.path, item.reason) for item in discover(guard, target, NOW).ignored]


def refused(root: str, target: str) -> DiscoveryError:
    with Guard(root) as guard, pytest.raises(DiscoveryError) as caught:
        discover(guard, target, NOW)
    assert caught.value.hint
    return caught.value


@pytest.mark.parametrize(
    ("target", "wanted"),
    [
        ("packages/web/src/app.ts", ["AGENTS.md", "packages/web/AGENTS.md"]),
        ("README.md", ["AGENTS.md"]),
        (".", ["AGENTS.md"]),
        ("packages/web", ["AGENTS.md", "packages/web/AGENTS.md"]),
        ("packages/web/src/not-yet-saved.ts", ["AGENTS.md", "packages/web/AGENTS.md"]),
        ("packages/web/../web/src/app.ts", ["AGENTS.md", "packages/web/AGENTS.md"]),
    ],
)
def test_root_first_nearest_last_no_sibling(tmp_path, target, wanted):
    """The chain runs from the root to the target's directory; siblings stay out."""
    root = lay(
        tmp_path / "ws",
        {
            "AGENTS.md": "Use tabs.\n",
            "packages/web/AGENTS.md": "Use spaces.\n",
            "packages/server/AGENTS.md": "Use four spaces.\n",
            "packages/web/src/app.ts": "",
            "README.md": "demo\n",
        },
    )
    assert found(root, target) == wanted


def test_every_kind_in_its_order_and_scope(tmp_path):
    """All names of one level come in the fixed order; `.claude/CLAUDE.md` has the project directory's scope."""
    root = lay(
        tmp_path / "ws",
        {
            "CLAUDE.md": "claude\n",
            "AGENTS.md": "agents\n",
            ".claude/CLAUDE.md": "dot claude\n",
            ".prayu/instructions.md": "prayu\n",
            ".prayu/rules/20-tests.md": "tests\n",
            ".prayu/rules/10-style.md": "style\n",
            ".prayu/rules/notes.txt": "no\n",
            ".prayu/other.md": "no\n",
            "svc/.claude/CLAUDE.md": "svc dot claude\n",
            "svc/.prayu/instructions.md": "svc prayu\n",
        },
    )
    with Guard(root) as guard:
        sources = discover(guard, "svc/main.py", NOW).sources
    assert [(source.path, source.scope, source.precedence) for source in sources] == [
        ("AGENTS.md", "", 100),
        ("CLAUDE.md", "", 101),
        (".claude/CLAUDE.md", "", 101),
        (".prayu/instructions.md", "", 102),
        (".prayu/rules/10-style.md", "", 103),
        (".prayu/rules/20-tests.md", "", 104),
        ("svc/.claude/CLAUDE.md", "svc", 111),
        ("svc/.prayu/instructions.md", "svc", 112),
    ]
    assert [source.ordinal for source in sources] == list(range(1, 9))
    assert {source.loaded_at for source in sources} == {"2026-01-01T00:00:00.000000Z"}


class TestOverride:
    """`AGENTS.override.md` against the `AGENTS.md` beside it."""

    def test_takes_the_place_of_its_neighbour_only(self, tmp_path):
        """The neighbour is recorded as overridden; the nearer directory is untouched."""
        root = lay(tmp_path / "ws", {"AGENTS.md": "a\n", "AGENTS.override.md": "o\n", "pkg/AGENTS.md": "p\n"})
        assert found(root, "pkg/x.py") == ["AGENTS.override.md", "pkg/AGENTS.md"]
        assert ignored(root, "pkg/x.py") == [("AGENTS.md", "overridden by AGENTS.override.md")]

    def test_names_the_override_by_its_path(self, tmp_path):
        """In a sub-directory the reason names the override's whole path."""
        root = lay(tmp_path / "ws", {"pkg/AGENTS.md": "a\n", "pkg/AGENTS.override.md": "o\n"})
        assert ignored(root, "pkg") == [("pkg/AGENTS.md", "overridden by pkg/AGENTS.override.md")]

    @pytest.mark.parametrize("blank", ["", " \r\n\t\n", "\ufeff\n"])
    def test_blank_falls_back(self, tmp_path, blank):
        """A blank override leaves a record and `AGENTS.md` counts."""
        root = lay(tmp_path / "ws", {"AGENTS.md": "a\n", "AGENTS.override.md": blank})
        assert found(root, ".") == ["AGENTS.md"]
        assert ignored(root, ".") == [
            ("AGENTS.override.md", "blank override; falls back to AGENTS.md in the same directory")
        ]

    def test_blank_alone(self, tmp_path):
        """A blank override without a neighbour gives no source and no error."""
        root = lay(tmp_path / "ws", {"AGENTS.override.md": ""})
        assert found(root, ".") == []

    def test_ignored_falls_back(self, tmp_path):
        """An ignored override leaves the pattern's reason and `AGENTS.md` counts; a missing one leaves nothing."""
        tree = {".prayu/instructions.ignore": "AGENTS.override.md\n", "AGENTS.md": "a\n", "AGENTS.override.md": "o\n"}
        root = lay(tmp_path / "ws", tree | {"sub/AGENTS.md": "s\n"})
        assert found(root, "sub") == ["AGENTS.md", "sub/AGENTS.md"]
        assert ignored(root, "sub")[1:] == [("AGENTS.override.md", "matched .prayu/instructions.ignore")]

    def test_neighbour_ignored(self, tmp_path):
        """An ignored `AGENTS.md` beside an override says that it is ignored."""
        tree = {".prayu/instructions.ignore": "AGENTS.md\n", "AGENTS.md": "a\n", "AGENTS.override.md": "o\n"}
        root = lay(tmp_path / "ws", tree)
        assert found(root, ".") == ["AGENTS.override.md"]
        assert ignored(root, ".")[1:] == [("AGENTS.md", "matched .prayu/instructions.ignore")]

    def test_a_linked_override_refuses(self, tmp_path):
        """An override is as strict as any source."""
        root = lay(tmp_path / "ws", {"AGENTS.md": "a\n", "AGENTS.override.md": Link("AGENTS.md")})
        assert refused(root, ".").code == "symlink"


def test_ignore_file_with_a_subtree_a_bare_name_and_a_path(tmp_path):
    """A trailing slash hides all below, a bare name matches at any depth, CRLF and comments are handled."""
    root = lay(
        tmp_path / "ws",
        {
            "AGENTS.md": "root\n",
            ".prayu/instructions.ignore": "# drafts\r\n\r\n.prayu/rules/drafts/\r\nlegacy.md\r\nweb/CLAUDE.md\r\n",
            ".prayu/rules/drafts/wip.md": "wip\n",
            ".prayu/rules/drafts/deep/more.md": "more\n",
            ".prayu/rules/legacy.md": "old\n",
            ".prayu/rules/ok.md": "ok\n",
            "web/AGENTS.md": "web\n",
            "web/CLAUDE.md": "web claude\n",
        },
    )
    assert found(root, "web/app.ts") == ["AGENTS.md", ".prayu/rules/ok.md", "web/AGENTS.md"]
    assert [path for path, _ in ignored(root, "web/app.ts")] == [
        ".prayu/instructions.ignore",
        ".prayu/rules/drafts/deep/more.md",
        ".prayu/rules/drafts/wip.md",
        ".prayu/rules/legacy.md",
        "web/CLAUDE.md",
    ]


@pytest.mark.parametrize(("text", "line"), [("!web/CLAUDE.md\n", 1), ("ok.md\n../outside/*.md\n", 2), ("a\n\n/b\n", 3)])
def test_a_bad_pattern_names_its_line(tmp_path, text, line):
    """The ignore file's first bad line refuses every target."""
    error = refused(lay(tmp_path / "ws", {".prayu/instructions.ignore": text, "AGENTS.md": "a\n"}), ".")
    assert (error.code, error.path, error.details["line"]) == (
        "ignore-file-invalid",
        ".prayu/instructions.ignore",
        line,
    )
    assert f"line {line}" in error.message


@pytest.mark.parametrize(
    ("value", "code"),
    [(Link("AGENTS.md"), "symlink"), (b"a" * 16_385, "too-large"), (b"\xff\n", "not-utf8"), (b"a\0\n", "nul")],
)
def test_a_bad_ignore_file_refuses(tmp_path, value, code):
    """The ignore file is read as strictly as a source."""
    error = refused(lay(tmp_path / "ws", {".prayu/instructions.ignore": value, "AGENTS.md": "a\n"}), ".")
    assert (error.code, error.path) == (code, ".prayu/instructions.ignore")


def test_ignored_names_the_recorded_program_did_not_know_are_recorded_only_when_present(tmp_path):
    """Otherwise recorded fingerprints with broad patterns could not come out."""
    root = lay(tmp_path / "ws", {".prayu/instructions.ignore": "*/CLAUDE.md\n", "a/.claude/x": "", ".claude/x": ""})
    assert [path for path, _ in ignored(root, "a")] == [".prayu/instructions.ignore", "a/CLAUDE.md"]
    (tmp_path / "ws/.claude/CLAUDE.md").write_text("c\n")
    assert [path for path, _ in ignored(root, "a")][1:] == [".claude/CLAUDE.md", "a/CLAUDE.md"]


def test_wrong_case_is_no_source(tmp_path):
    """Only the exact names count; a rule's suffix may have any case."""
    root = lay(
        tmp_path / "ws",
        {"AGENTS.md": "r\n", "docs/agents.md": "page\n", "svc/AGENTS.MD": "s\n", "svc/.prayu/rules/R.MD": "rule\n"},
    )
    assert found(root, "docs/page.md") == ["AGENTS.md"]
    assert found(root, "svc/x.py") == ["AGENTS.md", "svc/.prayu/rules/R.MD"]


class TestLinks:
    """A link anywhere on the way refuses the whole discovery, and only there."""

    def test_claude_linked_to_agents(self, tmp_path):
        """The most common failure names the link, where it leads, and the one-line remedy; then it clears."""
        root = lay(tmp_path / "ws", {"AGENTS.md": "guide\n", "CLAUDE.md": Link("AGENTS.md"), "src/a.py": ""})
        error = refused(root, "src/a.py")
        assert (error.code, error.path, error.details["link_target"]) == ("symlink", "CLAUDE.md", "AGENTS.md")
        assert error.message.startswith("CLAUDE.md is a symlink to AGENTS.md")
        assert "regular file" in error.hint
        assert "`@AGENTS.md`" in error.hint
        (tmp_path / "ws/CLAUDE.md").unlink()
        (tmp_path / "ws/CLAUDE.md").write_text("@AGENTS.md\n")
        assert found(root, "src/a.py") == ["AGENTS.md", "CLAUDE.md"]

    def test_agents_linked_to_claude(self, tmp_path):
        """The reverse link: the text moves to AGENTS.md."""
        root = lay(tmp_path / "ws", {"CLAUDE.md": "guide\n", "AGENTS.md": Link("CLAUDE.md")})
        assert "move the text of CLAUDE.md into AGENTS.md" in refused(root, ".").hint

    @pytest.mark.parametrize(
        ("target", "path"),
        [
            ("alias/a.py", "alias"),
            ("r1/a.py", "r1/.prayu/rules"),
            ("r2/a.py", "r2/.prayu/rules/evil.md"),
            ("r3/a.py", "r3/.prayu"),
            ("r4/a.py", "r4/AGENTS.md"),
            ("r5/a.py", "r5/.claude"),
            ("loop/self/self/a.py", "loop/self"),
            ("r6/linked.py", "r6/linked.py"),
        ],
    )
    def test_every_kind_of_link(self, tmp_path, target, path):
        """Directories, rules, dangling links, loops and the target itself."""
        root = lay(
            tmp_path / "ws",
            {
                "AGENTS.md": "root\n",
                "real/AGENTS.md": "real\n",
                "alias": Link("real"),
                "r1/.prayu/rules": Link("../../real"),
                "r2/.prayu/rules/ok.md": "ok\n",
                "r2/.prayu/rules/evil.md": Link("/etc/hostname"),
                "r3/.prayu": Link("../real"),
                "r4/AGENTS.md": Link("nowhere.md"),
                "r5/.claude": Link("../real"),
                "loop/self": Link("."),
                "r6/linked.py": Link("../real/AGENTS.md"),
            },
        )
        error = refused(root, target)
        assert (error.code, error.path) == ("symlink", path)
        assert "symlink" in error.message
        assert found(root, "loop/a.py") == ["AGENTS.md"]
        assert found(root, "real/a.py") == ["AGENTS.md", "real/AGENTS.md"]


def test_special_files_are_refused_before_opening(tmp_path):
    """A named pipe and a directory are refused at once; other targets work."""
    root = lay(
        tmp_path / "ws",
        {
            "a/AGENTS.md": Fifo(),
            "b/AGENTS.md/keep.txt": "x",
            "c/AGENTS.md": "fine\n",
            "d/.prayu/rules/p.md": Fifo(),
            "e/.prayu": "a file\n",
        },
    )
    begun = time.monotonic()
    assert (refused(root, "a/x.py").code, refused(root, "a/x.py").path) == ("not-regular", "a/AGENTS.md")
    assert time.monotonic() - begun < 2
    assert "a directory, not a regular file" in refused(root, "b/x.py").message
    assert refused(root, "d/x.py").code == "not-regular"
    assert refused(root, "e/x.py").code == "not-a-directory"
    assert found(root, "c/x.py") == ["c/AGENTS.md"]


@pytest.mark.parametrize("text", ["", " \r\n\t\n", "\ufeff\n", "\u3000\n"])
def test_an_empty_file_refuses_its_directory_only(tmp_path, text):
    """Empty, blank and BOM-only files are named; other directories are unaffected."""
    root = lay(tmp_path / "ws", {"AGENTS.md": "root\n", "f/CLAUDE.md": text, "b/x.py": ""})
    error = refused(root, "f/x.ts")
    assert (error.code, error.path) == ("empty", "f/CLAUDE.md")
    assert found(root, "b/x.py") == ["AGENTS.md"]


class TestLimits:
    """Sizes are bytes, decided from the status; nothing is ever cut."""

    def test_one_file(self, tmp_path):
        """65,536 bytes pass; one more fails, also when it has fewer characters; 200 MiB fails without being read."""
        root = lay(
            tmp_path / "ws",
            {
                "ok/AGENTS.md": "x" * 65_535 + "\n",
                "over/AGENTS.md": "x" * 65_536 + "\n",
                "multi/AGENTS.md": "é" * 32_768 + "\n",
                "huge/AGENTS.md": Sparse(209_715_200),
            },
        )
        assert found(root, "ok") == ["ok/AGENTS.md"]
        for name, size in (("over", 65_537), ("multi", 65_537), ("huge", 209_715_200)):
            error = refused(root, name)
            assert (error.code, error.limit, error.details["found"]) == ("too-large", 65_536, size)
            assert f"{size:,}" in error.message

    def test_total(self, tmp_path):
        """262,144 bytes in all pass; more are refused with the real total, and the chain one level up passes."""
        guide = "y" * 61_439 + "\n"
        fit = "y" * 65_535 + "\n"
        tree = {f"fit/{'a/' * depth}AGENTS.md": fit for depth in range(4)}
        tree |= {f"over/{'a/' * depth}AGENTS.md": guide for depth in range(5)}
        root = lay(tmp_path / "ws", tree)
        assert len(found(root, "fit/a/a/a/x.py")) == 4
        assert len(found(root, "over/a/a/a/y.py")) == 4
        error = refused(root, "over/a/a/a/a/x.py")
        assert (error.code, error.limit, error.details["total"]) == ("total-too-large", 262_144, 307_200)
        assert error.path == "over/a/a/a/a/AGENTS.md"
        assert "307,200" in error.message

    def test_count(self, tmp_path):
        """64 sources pass, 65 are refused: in one directory and along a chain."""
        rules = {f"r/.prayu/rules/{number:03}.md": f"rule {number}\n" for number in range(64)}
        root = lay(tmp_path / "ws", rules | {"r/sub/AGENTS.md": "one more\n"})
        assert len(found(root, "r/x.py")) == 64
        error = refused(root, "r/sub/x.py")
        assert (error.code, error.limit, error.path, error.details["found"]) == (
            "too-many-files",
            64,
            "r/sub/AGENTS.md",
            65,
        )
        (tmp_path / "ws/r/.prayu/rules/064.md").write_text("rule 64\n")
        assert refused(root, "r/x.py").code == "too-many-files"

    @pytest.mark.parametrize(("folders", "passes"), [(31, True), (32, False)])
    def test_rule_depth(self, tmp_path, folders, passes):
        """32 path parts below `rules` pass, 33 are refused."""
        root = lay(tmp_path / "ws", {f".prayu/rules/{'q/' * folders}r.md": "rule\n"})
        if passes:
            assert len(found(root, ".")) == 1
        else:
            error = refused(root, ".")
            assert (error.code, error.limit) == ("too-deep", 32)

    def test_target_depth_counts_directories(self, tmp_path):
        """A file in the 32nd directory is a target, one directory further is not, existing or not."""
        root = lay(tmp_path / "ws", {f"{'n/' * 33}keep": ""})
        assert found(root, "n/" * 32 + "x.py") == []
        assert refused(root, "n/" * 33 + "x.py").code == "too-deep"
        assert refused(root, "m/" * 40 + "x.py").code == "too-deep"


@pytest.mark.parametrize(
    ("raw", "code", "offset"),
    [
        (b"Use \x93curly\x94 quotes.\n", "not-utf8", 4),
        ("\ufeffUse tabs.\r\n".encode("utf-16-le"), "not-utf8", 0),
        (b"Use tabs.\n\0\0\0\0\n", "nul", 10),
        (b"lone surrogate \xed\xa0\x80\n", "not-utf8", 15),
        (b"overlong \xc0\xaf\n", "not-utf8", 9),
    ],
)
def test_wrong_encodings_tell_the_byte(tmp_path, raw, code, offset):
    """The file, the reason and the offset of the first bad byte are named; nothing is replaced."""
    error = refused(lay(tmp_path / "ws", {"a/AGENTS.md": raw}), "a/x.py")
    assert (error.code, error.path, error.details["byte_offset"]) == (code, "a/AGENTS.md", offset)
    assert str(offset) in error.message


def test_false_drift(tmp_path):
    """Touching, CRLF, a BOM and an equal new file keep the fingerprint; one changed letter does not."""
    root = lay(tmp_path / "ws", {"AGENTS.md": "# Guide\nRun the tests.\n"})
    path = tmp_path / "ws/AGENTS.md"

    def fingerprint() -> str:
        with Guard(root) as guard:
            return discover(guard, "x.py", NOW).fingerprint

    first = fingerprint()
    os.utime(path, (1, 1))
    assert fingerprint() == first
    path.write_bytes(b"# Guide\r\nRun the tests.\r\n")
    assert fingerprint() == first
    path.write_bytes(b"\xef\xbb\xbf# Guide\nRun the tests.\n")
    assert fingerprint() == first
    path.write_bytes("# Guide\nRun\u200b the tests.\n".encode())
    assert fingerprint() != first
    path.write_bytes(b"# Guide\nRun the test.\n")
    assert fingerprint() != first


def test_one_pass_reads_an_ancestor_once(tmp_path, monkeypatch):
    """Many targets of one workspace share their ancestors' reads, and a refusal is remembered too."""
    root = lay(
        tmp_path / "ws",
        {"AGENTS.md": "root\n"} | {f"p{number}/AGENTS.md": "p\n" for number in range(300)} | {"bad/AGENTS.md": ""},
    )
    reads: list[str] = []
    with Guard(root) as guard:
        original = guard.read
        monkeypatch.setattr(
            guard, "read", lambda folder, name, limit: reads.append(folder) or original(folder, name, limit)
        )
        for number in range(300):
            assert len(discover(guard, f"p{number}/x", NOW).sources) == 2
        for _ in range(2):
            with pytest.raises(DiscoveryError):
                discover(guard, "bad/x", NOW)
    assert reads.count("") == 3  # the override, AGENTS.md and CLAUDE.md, once each
    assert reads.count("bad") == 2


def test_siblings_cost_nothing(tmp_path, monkeypatch):
    """No directory is listed on the way to a target, whatever lies beside it."""
    root = lay(tmp_path / "ws", {"AGENTS.md": "root\n", "src/app/AGENTS.md": "app\n"})
    monkeypatch.setattr(os, "scandir", lambda *_: pytest.fail("a directory was listed"))
    monkeypatch.setattr(os, "listdir", lambda *_: pytest.fail("a directory was listed"))
    assert found(root, "src/app/x.ts") == ["AGENTS.md", "src/app/AGENTS.md"]
