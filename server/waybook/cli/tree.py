"""Every spelling of the command line, as data. Nothing listed here is imported until it is called."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Leaf:
    """One spelling: the registry's command and the function that prints its result, or its own click command.

    `custom` is `module:attribute` in `cli/`; `runs` names the registry commands such a one may call. `text` names the
    parameter that may also come from `--file PATH` (`-`: standard input); with `piped` it is read from standard input
    when it is given in no other way.
    """

    help: str
    command: str = ""
    show: str = ""
    custom: str = ""
    runs: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    text: str = ""
    piped: bool = False


@dataclass(frozen=True, slots=True)
class Branch:
    """A group of spellings."""

    help: str
    children: dict[str, Leaf | Branch]


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
    "context": Branch(
        "What a model is given: instructions.",
        {
            "instructions": Leaf(
                "Print, inspect or confirm instruction snapshots.",
                custom="context_instructions:command",
                runs=("instructions.inspect", "instructions.confirm"),
            )
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
        },
    ),
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
