"""Long-term memory that the person owns, and the candidates that wait for their decision."""
