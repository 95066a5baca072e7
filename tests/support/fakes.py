"""Secret-shaped texts that belong to nobody, put together at run time so that no scanner stumbles over this repository."""

from __future__ import annotations

FAKES = {
    "FAKE_GITHUB": "ghp" + "_" + "A1b2C3d4E5f6G7h8J9k0L1m2N3p4Q5r6S7t8",
    "FAKE_AWS": "AKI" + "A" + "Q3EGRIJKLMNO7PQR",
    "FAKE_PASSWORD": "correct" + "-horse-9-battery",
}


def expand(text: str) -> str:
    """A text with its `${FAKE_...}` replaced."""
    for name, value in FAKES.items():
        text = text.replace("${" + name + "}", value)
    return text
