"""A secret in an instruction file.

**What it finds.** Tokens of known services, private keys, passwords in URLs, and values assigned to names such as
`API_KEY`, `secret` or `password`.

**Why it matters.** Instruction files are committed, shared, and sent to a model with every request. What stands in one is
public to all of these; a secret there has to be revoked.

**Example.** A token that was pasted to make a command work:

    AGENTS.md:7:14: error: This looks like a secret (github-token). Remove it, and revoke it where it was made.

The fix replaces the secret by a placeholder; it stays in the history of the repository and must be revoked anyway.

**Not flagged.** Names of variables (`$TOKEN`, `${API_KEY}`), placeholders (`<token>`, `your-key-here`, `xxxx`), digests of
files and commits, examples that documentation is known to use.

**How to suppress.** `<!-- waybook: allow secret-in-instructions -->` above the line, for a value that is public.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.analysis.findings import Finding, Fix, TextEdit
from waybook.checks.model import TextCheck

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.analysis.view import Document, View


def run(document: Document, _view: View) -> Iterator[Finding]:
    """A finding on each secret; the message never holds the secret itself."""
    from waybook.secrets import find

    for secret in find(document.text):
        placeholder = f"<{secret.rule}>"
        fix = Fix("Replace the secret by a placeholder", (TextEdit(document.path, secret.span, placeholder),))
        message = f"This looks like a secret ({secret.rule}). Remove it, and revoke it where it was made."
        yield Finding(CHECK.code, document.path, secret.span, message, fixes=(fix,), data={"rule": secret.rule})


CHECK = TextCheck("secret-in-instructions", "Secret in an instruction file", "error", run, local=True)
