"""Every spelling of the command line, as data. Nothing listed here is imported until it is called."""

from __future__ import annotations

from waybook.cli.spelling import Branch, Leaf
from waybook.cli.tree_context import BRANCHES as TASKS
from waybook.cli.tree_context import CONTEXT
from waybook.cli.tree_continuity import SESSION
from waybook.cli.tree_memory import MEMORY
from waybook.cli.tree_recall import BRANCHES as RECALL
from waybook.cli.tree_references import REFERENCES
from waybook.cli.tree_sessions import SESSIONS
from waybook.cli.tree_threads import BRANCHES as THREADS

__all__ = ["TREE", "Branch", "Leaf"]

TREE: dict[str, Leaf | Branch] = {
    "explain": Leaf(
        "Explain which instructions a file receives, and why.",
        custom="explain:command",
        runs=("instructions.explain", "agents.explain"),
    ),
    "check": Leaf(
        "Find flaws in the instruction files of a workspace.",
        custom="check:command",
        runs=("instructions.check",),
    ),
    "pin": Leaf(
        "Pin the instructions of a workspace as reviewed.",
        command="instructions.pin",
        show="pin:show_pin",
        examples=("waybook pin", "waybook pin --workspace ~/code/shop --json"),
    ),
    "drift": Leaf(
        "Show what changed since the instructions were pinned.",
        command="instructions.drift",
        show="pin:show_drift",
        examples=("waybook drift", "waybook drift --run run_01kb3v... --json"),
    ),
    "confirm": Leaf(
        "Accept drift after reviewing it.",
        custom="confirm:command",
        runs=("instructions.drift", "instructions.confirm"),
    ),
    "doctor": Leaf(
        "Report versions, the database, settings and what is wrong with them.",
        command="doctor",
        show="doctor:show",
        examples=("waybook doctor", "waybook doctor --json"),
    ),
    "setup": Leaf(
        "Print or write how an editor attaches to Waybook.",
        custom="setup:command",
        runs=("setup.show", "setup.write"),
    ),
    "matrix": Leaf(
        "Show which agents load which instruction files, and which do not.",
        custom="matrix:command",
        runs=("agents.matrix",),
    ),
    "agents": Branch(
        "The agents Waybook knows.",
        {
            "list": Leaf(
                "List the agents, how well each is known, and which are in use here.",
                command="agents.list",
                show="agents:show_list",
                examples=("waybook agents list", "waybook agents list --json"),
            )
        },
    ),
    "lsp": Leaf("Run the language server on standard input and output.", custom="lsp:command"),
    "sessions": SESSIONS,
    "memory": MEMORY,
    "context": Branch(
        "What a model is given: instructions and memory.",
        {
            "memory": MEMORY,
            "instructions": Leaf(
                "Print, inspect or confirm instruction snapshots.",
                custom="context_instructions:command",
                runs=("instructions.inspect", "instructions.confirm"),
            ),
            **CONTEXT,
        },
    ),
    "run": Branch(
        "Runs and the instructions they are pinned to.",
        {
            "create": Leaf(
                "Create a run pinned to the instructions as they are now.",
                command="runs.create",
                show="runs:show_run",
                examples=('waybook run create --workspace demo --goal "review parser" --profile review',),
            ),
            "list": Leaf(
                "List runs, newest first.",
                command="runs.list",
                show="runs:show_runs",
                examples=("waybook run list", "waybook run list --workspace . --limit 10 --json"),
            ),
            "show": Leaf(
                "Show one run.",
                command="runs.show",
                show="runs:show_run",
                examples=("waybook run show run_01kb3v...",),
            ),
            "move": Leaf(
                "Move a run to another state; completing it is recorded.",
                command="runs.move",
                show="threads:show_moved",
                examples=("waybook run move run_01kb3v... running", "waybook run move run_01kb3v... completed"),
            ),
            "record": Leaf(
                "Record that a reply ended, a checkpoint was taken or a delivery report passed.",
                command="runs.record",
                show="threads:show_completion",
                examples=("waybook run record thread_reply --run run_01kb3v... --reference message:12",),
            ),
        },
    ),
    **THREADS,
    **TASKS,
    **RECALL,
    "session": SESSION,
    "references": REFERENCES,
    "workspace": Branch(
        "Registered workspaces.",
        {
            "list": Leaf(
                "List registered workspaces.",
                command="workspaces.list",
                show="runs:show_workspaces",
                examples=("waybook workspace list", "waybook workspace list --json"),
            )
        },
    ),
}
