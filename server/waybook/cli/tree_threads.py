"""The spellings of what people keep beside runs: threads, notes, candidates for memory, and pins."""

from __future__ import annotations

from waybook.cli.spelling import Branch, Leaf

BRANCHES: dict[str, Leaf | Branch] = {
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
            "compact": Leaf(
                "Put a summary in the place of older messages; the history stays.",
                custom="thread_compact:command",
                runs=("threads.compact",),
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
}
