"""The spellings of continuity: `waybook session ...` (the sessions of agents themselves are `waybook sessions ...`)."""

from __future__ import annotations

from waybook.cli.spelling import Branch, Leaf

SESSION = Branch(
    "Checkpoints of a run or session, forks from them, and the tree of it all.",
    {
        "checkpoint": Leaf(
            "Keep where a run or session stands.",
            command="sessions.checkpoint",
            show="continuity:show_checkpoint",
            text="summary",
            examples=(
                'waybook session checkpoint run_01kb3v... --title "Parser reviewed" --summary "Ready for tests"',
                "waybook session checkpoint ses_1f0c... --title Halfway --json",
            ),
        ),
        "tree": Leaf(
            "Show everything that hangs together with a session.",
            command="sessions.tree",
            show="continuity:show_tree",
            examples=("waybook session tree ses_1f0c...", "waybook session tree run_01kb3v... --json"),
        ),
        "fork": Leaf(
            "Begin another run from a node.",
            command="sessions.fork",
            show="continuity:show_branch",
            examples=('waybook session fork nod_01kb3v... --goal "Try alternate implementation"',),
        ),
        "resume": Leaf(
            "Go on from a node in a new run.",
            command="sessions.resume",
            show="continuity:show_branch",
            examples=("waybook session resume nod_01kb3v...",),
        ),
        "compare": Leaf(
            "Compare two nodes.",
            command="sessions.compare",
            show="continuity:show_comparison",
            examples=("waybook session compare nod_01kb3v... nod_01kb4w...",),
        ),
        "handoff": Leaf(
            "Print a node as the opening prompt of another agent.",
            command="sessions.handoff",
            show="continuity:show_handoff",
            examples=(
                "waybook session handoff nod_01kb3v... --agent codex | codex exec -",
                'waybook session handoff run_01kb3v... --agent claude-code --goal "Write the tests" --max-tokens 8000',
            ),
        ),
    },
)
