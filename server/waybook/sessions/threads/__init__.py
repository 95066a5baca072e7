"""Threads: a user's lasting conversation, whose runs form a chain of successors."""
