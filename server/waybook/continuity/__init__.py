"""Continuity: checkpoints of a session, forks and resumes from them, and the tree of all that. Data, never authority."""
