"""The spellings of `waybook sessions`."""

from __future__ import annotations

from waybook.cli.spelling import Branch, Leaf

SESSIONS = Branch(
    "Sessions of real agents: find, import, read, search.",
    {
        "list": Leaf(
            "List the agents' sessions, newest first.",
            command="sessions.list",
            show="sessions:show_list",
            examples=("waybook sessions list", "waybook sessions list --agent codex --workspace . --json"),
        ),
        "show": Leaf(
            "Show one session as a conversation.",
            command="sessions.show",
            show="sessions:show_conversation",
            examples=("waybook sessions show ses_1f0c...", "waybook sessions show ses_1f0c... --html > talk.html"),
        ),
        "scan": Leaf(
            "Say which transcripts lie in the agents' folders.",
            command="sessions.scan",
            show="sessions:show_scan",
            examples=("waybook sessions scan", "waybook sessions scan --home /mnt/old/home/me"),
        ),
        "import": Leaf(
            "Import what is new; nothing in the agents' folders is changed.",
            command="sessions.import",
            show="sessions:show_import",
            examples=("waybook sessions import", "waybook sessions import --agent claude-code --json"),
        ),
        "search": Leaf(
            "Find a text in imported sessions.",
            command="sessions.search",
            show="sessions:show_places",
            examples=("waybook sessions search 'price filter'", "waybook sessions search migrate --workspace . --json"),
        ),
        "export": Leaf(
            "Write sessions to standard output: JSON Lines, Markdown or HTML.",
            custom="sessions_export:command",
            runs=("sessions.export",),
        ),
    },
)
