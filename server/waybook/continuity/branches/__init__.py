"""New runs from stored nodes: forks and resumes, made whole or not at all."""
