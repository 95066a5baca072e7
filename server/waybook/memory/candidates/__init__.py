"""Candidates for memory: what notes conclude after something was done, waiting for a person to confirm or reject."""
