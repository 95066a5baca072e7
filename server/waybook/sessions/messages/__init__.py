"""Sessions and their messages as they are kept: listed, read, searched. `transcripts/` brings those of real agents in."""
