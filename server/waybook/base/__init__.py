"""Words every room shares: errors, text positions, canonical JSON, ids, clock, actors, records."""
