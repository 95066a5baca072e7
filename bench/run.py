"""Measure and write build/bench.json: `bench/run.py` for all, `bench/run.py NAME...` for some; `--page` writes the page too.

Each name is a file of this folder. Trees are made in a temporary directory, always the same ones. The page
docs/benchmarks.md is written from the JSON alone, so that it can be read without measuring.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import tempfile
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import agents
import check_tree
import context
import continuity
import explain_cold
import explain_warm
import lsp_speed
import memory
import recall
import secret_scan
import sessions
from page import page
from programs import versions
from trees import make_tree

if TYPE_CHECKING:
    from measure import Ratio

ROOT = Path(__file__).resolve().parent.parent
BENCHMARKS = {
    "explain_warm": explain_warm.run,
    "explain_cold": explain_cold.run,
    "check_tree": check_tree.run,
    "lsp_speed": lsp_speed.run,
    "memory": memory.run,
    "sessions": sessions.run,
    "recall": recall.run,
    "context": context.run,
    "agents": agents.run,
    "secret_scan": secret_scan.run,
    "continuity": continuity.run,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*BENCHMARKS, []], help="benchmarks to run; all when none is named")
    parser.add_argument("--json", type=Path, default=ROOT / "build/bench.json", help="where the figures go")
    parser.add_argument("--page", action="store_true", help="write docs/benchmarks.md from the figures")
    options = parser.parse_args()
    known = json.loads(options.json.read_text()) if options.json.exists() else {"benchmarks": {}}
    with tempfile.TemporaryDirectory() as directory:
        base = Path(directory).resolve()
        os.environ.update({"WAYBOOK_CACHE_DIR": str(base / "cache"), "WAYBOOK_DATA_DIR": str(base / "data")})
        large = make_tree(str(base / "large"), files=50_000, instruction_files=2_000)
        small = make_tree(str(base / "small"), files=500, instruction_files=20)
        for name in options.names or BENCHMARKS:
            found = BENCHMARKS[name](large, small)
            known["benchmarks"][name] = [asdict(item) for item in found]
            for item in found:
                print(line(item), flush=True)
    known["machine"] = {
        "when": datetime.now(UTC).strftime("%Y-%m-%d"),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "processors": os.cpu_count(),
        "versions": versions(),
    }
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_text(json.dumps(known, indent=1) + "\n")
    if options.page:
        (ROOT / "docs/benchmarks.md").write_text(page(known), encoding="utf-8")


def line(item: Ratio) -> str:
    """One comparison as one line."""
    spread = f" ({item.low:.2f} to {item.high:.2f})" if item.low != item.high else ""
    aim = "" if item.reach is None else f"  aim {item.reach:g}: {'met' if item.met else 'NOT met'}"
    return f"{item.name} / {item.against}: {item.ratio:.2f}{spread}{aim}"


if __name__ == "__main__":
    main()
