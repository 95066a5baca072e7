"""The language server: translates requests into questions for `editor/` and `commands/`, and answers back. No logic."""
