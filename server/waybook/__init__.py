"""Waybook: which instructions an AI coding agent receives for a file, why, and whether they drifted."""

__version__ = "0.1.0"
