"""The bundled corpus: what every check says about realistic instruction files, file by file.

Each directory of fixtures/corpus is a repository: `tree.txt` lists the files it has, `files/` holds the text of its
instruction files, and `expected.json` maps each of these to its findings.
"""

import json
import re
from pathlib import Path

import pytest

from support.fakes import expand
from support.markers import all_findings, view_of

CORPUS = Path(__file__).parents[2] / "fixtures" / "corpus"
REPOSITORIES = sorted(path.name for path in CORPUS.iterdir() if path.is_dir())
CHARACTER = re.compile(r"\{U\+([0-9A-F]{4,6})\}")


def lay(name, root):
    """Build one repository: empty files for the tree, the written text for its instruction files."""
    source = CORPUS / name
    for line in (source / "tree.txt").read_text(encoding="utf-8").splitlines():
        path = root / line
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    for path in sorted((source / "files").rglob("*.md")):
        target = root / path.relative_to(source / "files")
        target.parent.mkdir(parents=True, exist_ok=True)
        text = CHARACTER.sub(lambda match: chr(int(match[1], 16)), expand(path.read_text(encoding="utf-8")))
        target.write_text(text, encoding="utf-8", newline="")


def said(root):
    """What all checks say: by file, each finding's code, line (from 1), marked text and message."""
    view = view_of(root)
    found = {path: [] for path in sorted(view.documents)}
    for item in all_findings(view):
        document = view.documents[item.path]
        marked = document.text[item.span.start : item.span.end]
        found[item.path].append(
            {
                "code": item.code,
                "line": document.lines.line_of(item.span.start) + 1,
                "marked": "" if item.code in {"secret-in-instructions", "shadowed-file"} else marked,
                "message": item.message,
            }
        )
    return found


@pytest.mark.parametrize("name", REPOSITORIES)
def test_each_file_has_exactly_its_findings(name, tmp_path):
    """Nothing is missed that was found once, and nothing else is said."""
    lay(name, tmp_path)
    expected = json.loads((CORPUS / name / "expected.json").read_text(encoding="utf-8"))
    assert said(tmp_path) == expected


def test_the_corpus_is_large_enough():
    """Forty files or more, in several languages of people and of programs."""
    assert sum(1 for name in REPOSITORIES for _ in (CORPUS / name / "files").rglob("*.md")) >= 40
