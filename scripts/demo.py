"""`make demo`: Waybook's main job on a bundled workspace, step by step, in a directory of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
WAYBOOK = Path(sys.executable).with_name("waybook")


def say(text: str) -> None:
    """A line of the demo's own."""
    print(f"\033[1;36m{text}\033[0m" if sys.stdout.isatty() else text, flush=True)


def run(workspace: Path, environ: dict[str, str], *arguments: str, expected: int) -> None:
    """Show a command, run it, insist on its exit code."""
    say(f"\n$ waybook {' '.join(arguments)}")
    done = subprocess.run([WAYBOOK, *arguments], cwd=workspace, env=environ, check=False)
    if done.returncode != expected:
        sys.exit(f"demo: `waybook {' '.join(arguments)}` answered {done.returncode}, expected {expected}")


def main() -> None:
    """Explain, compare agents, check, pin, change a file, see the drift."""
    base = Path(tempfile.mkdtemp(prefix="waybook-demo-")).resolve()
    workspace = base / "kestrel-shop"
    shutil.copytree(HERE / "fixtures/workspaces/demo", workspace)
    environ = {**os.environ, "WAYBOOK_DATA_DIR": str(base / "data")}
    say(f"A small web shop with instruction files on several levels, copied to {workspace}")

    say("\n1. Which instructions does an agent get for one file of the API?")
    run(workspace, environ, "explain", "services/api/src/routes/orders.py", expected=0)
    say("\n2. And what do real agents make of the same files?")
    run(workspace, environ, "matrix", "--agent", "codex,claude-code,copilot-cli,gemini-cli,opencode", expected=0)
    say("\n3. What is wrong with the instruction files?")
    run(workspace, environ, "check", expected=1)
    say("\n4. Delete the empty file, then pin everything as reviewed.")
    (workspace / "services/worker/CLAUDE.md").unlink()
    run(workspace, environ, "pin", expected=0)
    say("\n5. Somebody edits a file. Nobody tells you; Waybook does.")
    guide = workspace / "web/AGENTS.md"
    guide.write_text(guide.read_text().replace("no default exports", "default exports are fine"))
    run(workspace, environ, "drift", expected=1)

    say("\nWhat to try next")
    print(
        f"  cd {workspace} && export WAYBOOK_DATA_DIR={base / 'data'} PATH={WAYBOOK.parent}:$PATH\n"
        "  waybook confirm                          # look at the change again, and accept it\n"
        "  waybook explain web/src/checkout/Checkout.tsx --agent codex,claude-code\n"
        '  waybook run create --goal "review checkout" --target web/src/checkout/Checkout.tsx\n'
        "  waybook doctor\n"
        f"  rm -r {base}    # when you are done"
    )


if __name__ == "__main__":
    main()
