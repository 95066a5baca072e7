"""Sessions that real agents wrote: found, read tolerantly, imported, shown. Nothing is ever written to an agent's folder."""
