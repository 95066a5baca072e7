"""References across sessions: a URI for a session, mentions in a prompt, and a bounded snapshot handed to a model."""
