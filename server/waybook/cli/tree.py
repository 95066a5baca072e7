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


_MEMORY = Branch(
    "Long-term memory: what you, never a model, decide to keep.",
    {
        "create": Leaf(
            "Keep something about a project or about yourself.",
            command="memory.create",
            show="memory:show_written",
            text="content",
            piped=True,
            examples=(
                'waybook memory create --title "Test convention" --content "Run unit tests before packaging" --retention 720h',
                "waybook memory create --scope user --title Style --file style.md",
            ),
        ),
        "list": Leaf(
            "List memories, newest update first.",
            command="memory.list",
            show="memory:show_page",
            examples=("waybook memory list", "waybook memory list --scope project --workspace demo --all --json"),
        ),
        "show": Leaf(
            "Show one memory.",
            command="memory.show",
            show="memory:show_memory",
            examples=("waybook memory show mem_01kb3v...",),
        ),
        "search": Leaf(
            "Find memories by words or parts of words, in any script.",
            command="memory.search",
            show="memory:show_hits",
            examples=("waybook memory search unit tests", "waybook memory search '\"before packaging\"' --json"),
        ),
        "edit": Leaf(
            "Write a memory's next version; the old text is erased.",
            command="memory.edit",
            show="memory:show_written",
            text="content",
            examples=(
                "waybook memory edit mem_01kb3v... --version 1 --content TEXT --reference docs/testing.md",
                "waybook memory edit mem_01kb3v... --version 2 --retention none",
            ),
        ),
        "enable": Leaf(
            "Let a memory count again.",
            command="memory.enable",
            show="memory:show_written",
            examples=("waybook memory enable mem_01kb3v... --version 3",),
        ),
        "disable": Leaf(
            "Keep a memory out of every prompt.",
            command="memory.disable",
            show="memory:show_written",
            examples=("waybook memory disable mem_01kb3v... --version 2",),
        ),
        "delete": Leaf(
            "Delete a memory for good; no byte of it stays.",
            command="memory.delete",
            show="memory:show_deleted",
            examples=("waybook memory delete mem_01kb3v... --version 4",),
        ),
        "export": Leaf("Print memories as one JSON document.", custom="memory_export:command", runs=("memory.export",)),
        "import": Leaf("Take an export back.", custom="memory_import:command", runs=("memory.import",)),
        "document": Branch(
            "A memory as the document that editors open and save.",
            {
                "read": Leaf(
                    "Print the document.",
                    command="memory.read_document",
                    show="memory:show_document",
                    examples=("waybook memory document read waybook-memory:/project/mem_01kb3v....md",),
                ),
                "save": Leaf(
                    "Save the edited document as the next version.",
                    command="memory.save_document",
                    show="memory:show_saved",
                    text="text",
                    piped=True,
                    examples=(
                        "waybook memory document save waybook-memory:/project/mem_01kb3v....md --file edited.md",
                    ),
                ),
            },
        ),
    },
)

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
    "memory": _MEMORY,
    "context": Branch(
        "What a model is given: instructions and memory.",
        {
            "memory": _MEMORY,
            "instructions": Leaf(
                "Print, inspect or confirm instruction snapshots.",
                custom="context_instructions:command",
                runs=("instructions.inspect", "instructions.confirm"),
            ),
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
    "thread": Branch(
        "Threads: lasting conversations, whose runs follow one another.",
        {
            "create": Leaf(
                "Open a thread.",
                command="threads.create",
                show="threads:show_created",
                examples=('waybook thread create --title "Parser rewrite"',),
            ),
            "list": Leaf(
                "List threads, newest first.",
                command="threads.list",
                show="threads:show_threads",
                examples=(
                    "waybook thread list",
                    "waybook thread list --workspace . --closed --json",
                ),
            ),
            "show": Leaf(
                "Show a thread and its runs.",
                command="threads.show",
                show="threads:show_thread",
                examples=("waybook thread show thr_01kb3v...",),
            ),
            "close": Leaf(
                "Close a thread for good.",
                command="threads.close",
                show="threads:show_closed",
                examples=("waybook thread close thr_01kb3v... --version 1",),
            ),
        },
    ),
    "notes": Branch(
        "Notes of threads and runs: decisions, summaries and the like.",
        {
            "add": Leaf(
                "Add a note.",
                command="notes.add",
                show="notes:show_note",
                text="content",
                piped=True,
                examples=(
                    'waybook notes add --run run_01kb3v... --title "Use tabs" --content "As gofmt does" --evidence docs/style.md',
                    "waybook notes add --thread thr_01kb3v... --kind summary --title Review --file review.md",
                ),
            ),
            "list": Leaf(
                "List notes, newest update first.",
                command="notes.list",
                show="notes:show_notes",
                examples=(
                    "waybook notes list --thread thr_01kb3v...",
                    "waybook notes list --archived --json",
                ),
            ),
            "show": Leaf(
                "Show one note.",
                command="notes.show",
                show="notes:show_note",
                examples=("waybook notes show not_01kb3v...",),
            ),
            "edit": Leaf(
                "Write a note's next version.",
                command="notes.edit",
                show="notes:show_note",
                text="content",
                examples=("waybook notes edit not_01kb3v... --version 1 --content TEXT",),
            ),
            "archive": Leaf(
                "Take a note out of use for good.",
                command="notes.archive",
                show="notes:show_note",
                examples=("waybook notes archive not_01kb3v... --version 2",),
            ),
        },
    ),
    "candidates": Branch(
        "What finished work concluded, waiting for you to keep it as memory or to drop it.",
        {
            "list": Leaf(
                "List candidates, derived from the notes as they are now.",
                command="candidates.list",
                show="candidates:show_queue",
                examples=(
                    "waybook candidates list",
                    "waybook candidates list --reviewed --json",
                ),
            ),
            "show": Leaf(
                "Show a candidate with its source.",
                command="candidates.show",
                show="candidates:show_candidate",
                examples=("waybook candidates show cnd_01kb3v...",),
            ),
            "confirm": Leaf(
                "Keep a candidate as project memory, exactly as you read it.",
                command="candidates.confirm",
                show="candidates:show_decision",
                examples=(
                    "waybook candidates confirm cnd_01kb3v... --version 1 --fingerprint SHA --note-version 1 --confirm",
                ),
            ),
            "reject": Leaf(
                "Drop a candidate for good.",
                command="candidates.reject",
                show="candidates:show_decision",
                examples=("waybook candidates reject cnd_01kb3v... --version 1 --fingerprint SHA --note-version 1",),
            ),
        },
    ),
    "pins": Branch(
        "What a thread always keeps, word for word.",
        {
            "list": Leaf(
                "List the pins of a thread.",
                command="pins.list",
                show="pins:show_pins",
                examples=("waybook pins list thr_01kb3v...",),
            ),
            "add": Leaf(
                "Pin a text.",
                command="pins.add",
                show="pins:show_written",
                text="text",
                piped=True,
                examples=(
                    'waybook pins add thr_01kb3v... --text "Never touch generated files"',
                    "waybook pins add thr_01kb3v... --file rules.txt",
                ),
            ),
            "edit": Leaf(
                "Write a pin's next version.",
                command="pins.edit",
                show="pins:show_written",
                text="text",
                piped=True,
                examples=("waybook pins edit pin_01kb3v... --version 1 --text TEXT",),
            ),
            "remove": Leaf(
                "Delete a pin.",
                command="pins.remove",
                show="pins:show_removed",
                examples=("waybook pins remove pin_01kb3v... --version 1",),
            ),
            "propose": Leaf(
                "Propose a text; a person answers.",
                command="pins.propose",
                show="pins:show_proposal",
                text="text",
                piped=True,
                examples=('waybook pins propose thr_01kb3v... --text "Answer in German"',),
            ),
            "proposals": Leaf(
                "List proposals with their exact text.",
                command="pins.proposals",
                show="pins:show_proposals",
                examples=("waybook pins proposals thr_01kb3v...",),
            ),
            "answer": Leaf(
                "Answer a proposal: keep, only_now or custom.",
                command="pins.answer",
                show="pins:show_answered",
                text="reply",
                examples=(
                    "waybook pins answer prp_01kb3v... keep",
                    'waybook pins answer prp_01kb3v... custom --reply "Only in src/" --pin-reply',
                ),
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
