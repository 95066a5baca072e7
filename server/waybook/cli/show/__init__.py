"""Results as people read them: one file per family of commands."""
