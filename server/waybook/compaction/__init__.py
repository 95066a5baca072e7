"""Compaction: a summary stands for older messages of a conversation; the messages stay."""
