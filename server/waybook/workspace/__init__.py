"""The only reader of the user's files: guarded reads, unsaved buffers, walks, watching."""
