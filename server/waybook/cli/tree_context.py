"""The spellings of what a model is sent: previews and audits of calls, goals, contracts of tasks."""

from __future__ import annotations

from waybook.cli.spelling import Branch, Leaf

CONTEXT: dict[str, Leaf | Branch] = {
    "preview": Leaf(
        "Show what a model would see now, and what is left out and why.",
        command="context.preview",
        show="context:show_preview",
        examples=(
            "waybook context preview --target src/app.py",
            "waybook context preview --thread thr_01kb3v... --window 32000",
            "waybook context preview --session latest --json",
        ),
    ),
    "audit": Leaf(
        "Show what past calls were sent.",
        command="context.audit",
        show="context:show_audits",
        examples=("waybook context audit trc_01kb3v...", "waybook context audit --run run_01kb3v... --call 3 --json"),
    ),
    "run": Leaf(
        "Work on a goal with any endpoint that speaks the OpenAI protocol (the reference runner).",
        command="context.run",
        show="context:show_outcome",
        examples=(
            'waybook context run --endpoint http://127.0.0.1:11434/v1 --model qwen3 --goal "Plan the parser"',
            'waybook context run --model NAME --trace trc_01kb3v... --rewind 12 --goal "Try it without regex"',
        ),
    ),
}

BRANCHES: dict[str, Leaf | Branch] = {
    "goals": Branch(
        "Goal trees of threads, runs and traces.",
        {
            "list": Leaf(
                "Show the goals.",
                command="goals.list",
                show="goals:show_goals",
                examples=("waybook goals list thr_01kb3v...",),
            ),
            "add": Leaf(
                "Add a goal.",
                command="goals.add",
                show="goals:show_goals",
                examples=('waybook goals add thr_01kb3v... "Parse the header" --under 1',),
            ),
            "focus": Leaf(
                "Put a goal in focus.",
                command="goals.focus",
                show="goals:show_goals",
                examples=("waybook goals focus thr_01kb3v... 1.1",),
            ),
            "done": Leaf(
                "Complete a goal, saying what came of it.",
                command="goals.done",
                show="goals:show_goals",
                examples=('waybook goals done thr_01kb3v... 1.1 --summary "Reads version 2 as well"',),
            ),
            "abandon": Leaf(
                "Give a goal up.",
                command="goals.abandon",
                show="goals:show_goals",
                examples=('waybook goals abandon thr_01kb3v... 1.2 --reason "Not needed any more"',),
            ),
        },
    ),
    "tasks": Branch(
        "Contracts of recursive tasks.",
        {
            "show": Leaf(
                "Show anchor, briefs, results, and who may read what.",
                command="tasks.show",
                show="tasks:show_tree",
                examples=("waybook tasks show trc_01kb3v...",),
            ),
        },
    ),
}
