"""The immutable picture of a workspace (`View`) that checks and editor answers are functions of, and how it is made."""
