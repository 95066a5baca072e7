"""The spellings of recall."""

from __future__ import annotations

from waybook.cli.spelling import Branch, Leaf

BRANCHES: dict[str, Leaf | Branch] = {
    "history": Branch(
        "What a run may recall: memory, notes, messages, tool results, summaries.",
        {
            "search": Leaf(
                "Search, newest first; without a query, browse.",
                command="history.search",
                show="recall:show_results",
                examples=('waybook history search "price filter" --run run_01kb3v...',),
            ),
            "read": Leaf(
                "Read a page of what was found.",
                command="history.read",
                show="recall:show_page",
                examples=("waybook history read HANDLE --run run_01kb3v...",),
            ),
        },
    ),
    "specialist-result": Branch(
        "Finished tool results of sub-agents.",
        {
            "list": Leaf(
                "List a sub-agent's finished results, large ones as short receipts.",
                command="specialist_result.list",
                show="recall:show_receipts",
                examples=("waybook specialist-result list --run run_01kb3v... --agent ses_1f0c...",),
            ),
            "read": Leaf(
                "Read a page of a result.",
                command="specialist_result.read",
                show="recall:show_page",
                examples=("waybook specialist-result read HANDLE --run run_01kb3v... --agent ses_1f0c...",),
            ),
        },
    ),
}
