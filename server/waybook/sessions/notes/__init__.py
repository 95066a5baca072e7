"""Notes: decisions, summaries and the like, with their sources, versioned."""
