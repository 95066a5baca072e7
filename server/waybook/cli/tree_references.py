"""The spellings of references across sessions."""

from __future__ import annotations

from waybook.cli.spelling import Branch, Leaf

REFERENCES = Branch(
    "Mentions of other sessions in a prompt, and the prompt with what they say.",
    {
        "encode": Leaf(
            "Make the URI of a session.",
            command="references.encode",
            show="references:show_encoded",
            examples=("waybook references encode ses_01kb3v...",),
        ),
        "decode": Leaf(
            "Tell which session a URI means.",
            command="references.decode",
            show="references:show_decoded",
            examples=("waybook references decode dsh-session:ImFiYyI",),
        ),
        "parse": Leaf(
            "Find the sessions that a prompt mentions.",
            command="references.parse",
            show="references:show_parsed",
            text="text",
            piped=True,
            examples=("waybook references parse --file prompt.md --json",),
        ),
        "prepare": Leaf(
            "Prepare a prompt: the sessions it mentions, within bounds, then the request.",
            command="references.prepare",
            show="references:show_prepared",
            text="text",
            piped=True,
            examples=(
                "waybook references prepare --file prompt.md",
                "waybook references prepare --file prompt.md | codex exec -",
                "waybook references prepare --file - --session ses_01kb3v... --json < prompt.md",
            ),
        ),
        "candidates": Leaf(
            "List sessions to mention, those of this directory first.",
            command="references.candidates",
            show="references:show_candidates",
            examples=(
                "waybook references candidates parser",
                "waybook references candidates --workspace ~/code/shop --json",
            ),
        ),
    },
)
