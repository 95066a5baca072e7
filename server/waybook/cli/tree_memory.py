"""The spellings of long-term memory."""

from __future__ import annotations

from waybook.cli.spelling import Branch, Leaf

MEMORY = Branch(
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
