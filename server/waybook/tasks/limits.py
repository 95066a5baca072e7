"""Every limit of recursive task contracts, in one place. Characters are Unicode code points of the normal text.

The limits are those of the recursive task protocol (revision 2) unless one says otherwise.
"""

from __future__ import annotations

ANCHOR_CHARACTERS = 4_000
BRIEF_CHARACTERS = 16_000
MAX_REFERENCES = 8
"""References of one trace."""
REFERENCE_CHARACTERS = 16_000
REFERENCES_CHARACTERS = 64_000
"""Characters of one reference, and of all references of one trace."""
PACKET_CHARACTERS = 50_000
JSON_DEPTH = 32
"""Levels of nesting in a brief's context (Waybook's choice)."""
PAGE_CHARACTERS = 16_000
"""What one reading of a reference gives at most: a whole one."""
