"""Mechanics that profiles compose: walks, imports, front matter, glob dialects, settings readers, the trace."""
