"""The digest of the program changes with its sources and with nothing else."""

from __future__ import annotations

import os

from waybook.workspace.program import program_digest


def test_another_source_is_another_program(tmp_path):
    (tmp_path / "a.py").write_text("1")
    (tmp_path / "__pycache__").mkdir()
    before = program_digest(str(tmp_path))
    (tmp_path / "__pycache__/a.pyc").write_text("")
    assert program_digest(str(tmp_path)) == before
    os.utime(tmp_path / "a.py", ns=(1, 1))
    assert program_digest(str(tmp_path)) != before
