"""Finding and redacting secrets: one room for checks, memory, pins, notes and transcripts.

`find` says where secrets stand and which rule says so, `redact` replaces them, `require_clean` and `check_reference`
refuse. A finding never carries the secret's text. Precision comes first: placeholders, documentation values, digests
and identifiers are no secrets. Nothing here touches the network.
"""

from waybook.secrets.find import find
from waybook.secrets.model import Redacted, Secret
from waybook.secrets.redact import redact
from waybook.secrets.references import check_reference, sensitive_place
from waybook.secrets.refuse import describe, require_clean

__all__ = [
    "Redacted",
    "Secret",
    "check_reference",
    "describe",
    "find",
    "redact",
    "require_clean",
    "sensitive_place",
]
