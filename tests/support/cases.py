"""The field cases as data: `fixtures/cases/*.json`, their trees on the disk, and their placeholders.

A tree value is a text, or one of {"symlink": target}, {"bytes_base64": data}, {"repeat": [unit, count], "suffix": text},
{"sparse": bytes}, {"fifo": true}, {"gen": "dirs", "pattern", "count", "files"}. Paths are relative to the workspace;
`../x` lies beside it. Token-like text is put together here, so that no scanner stumbles over the fixtures.
"""

from __future__ import annotations

import base64
import json
import os
from pathlib import Path
from typing import Any

CASES = Path(__file__).resolve().parent.parent.parent / "fixtures/cases"
FAKES = {"FAKE_GITHUB": "ghp" + "_" + "A1b2C3d4E5f6G7h8J9k0L1m2N3p4Q5r6S7t8"}


def case_ids() -> list[str]:
    """The ids of all cases, sorted."""
    return sorted(path.stem for path in CASES.glob("C*.json"))


def load_case(case_id: str) -> dict[str, Any]:
    """One case as it stands in its file."""
    case: dict[str, Any] = json.loads((CASES / f"{case_id}.json").read_text(encoding="utf-8"))
    return case


def expand(value: Any, names: dict[str, str]) -> Any:
    """Replace every `${NAME}` in the texts of a JSON value."""
    if isinstance(value, str):
        for name, text in names.items():
            value = value.replace("${" + name + "}", text)
        return value
    if isinstance(value, list):
        return [expand(item, names) for item in value]
    if isinstance(value, dict):
        return {key: expand(item, names) for key, item in value.items()}
    return value


def build(tree: dict[str, Any], workspace: Path) -> None:
    """Make the files of a tree."""
    workspace.mkdir(parents=True, exist_ok=True)
    for relative, value in tree.items():
        if isinstance(value, dict) and value.get("gen") == "dirs":
            for number in range(value["count"]):
                directory = workspace / value["pattern"].format(i=number)
                directory.mkdir(parents=True)
                for name, text in value["files"].items():
                    (directory / name).write_text(text)
            continue
        path = Path(os.path.normpath(workspace / relative))
        path.parent.mkdir(parents=True, exist_ok=True)
        _place(path, value)


def _place(path: Path, value: Any) -> None:
    if isinstance(value, str):
        path.write_bytes(value.encode())
    elif "symlink" in value:
        path.symlink_to(value["symlink"])
    elif "bytes_base64" in value:
        path.write_bytes(base64.b64decode(value["bytes_base64"]))
    elif "repeat" in value:
        unit, count = value["repeat"]
        path.write_bytes((unit * count + value.get("suffix", "")).encode())
    elif "sparse" in value:
        with path.open("wb") as file:
            file.truncate(value["sparse"])
    elif "fifo" in value:
        os.mkfifo(path)
    else:
        raise AssertionError(f"unknown tree value for {path}: {value}")
