"""References that name sensitive places are refused; ordinary ones pass."""

import pytest

from waybook.base.errors import RefusedError
from waybook.secrets import check_reference, sensitive_place


@pytest.mark.parametrize(
    "reference",
    [
        ".env", "config/.env", ".ENV", ".env.local", ".env.production", "prod.env", "C:\\app\\.env", "file:///srv/app/.env#L3",
        ".envrc", "credentials", "~/.aws/credentials", "credentials.json", "gcloud/credentials.db", "secret", "secrets/db.yaml",
        "app-secrets.yaml", "docs/secret_rotation", "id_rsa", "~/.ssh/id_rsa", "id_rsa.pub", ".ssh/id_ed25519", "server.pem",
        "certs/ca.PEM", "win.pfx", "tls/server.key", "tls/server.key:12", "terminal input", "terminal-input",
        "terminal_input:42", "stdin", "/dev/stdin", "keystrokes", "keystroke log", "key strokes", ".netrc", ".npmrc",
    ],
)  # fmt: skip
def test_sensitive_places_are_refused(reference):
    """The refusal names the field and the kind of place, not the reference."""
    assert sensitive_place(reference) is not None
    with pytest.raises(RefusedError) as refused:
        check_reference(reference, field="source")
    assert refused.value.code == "sensitive-reference"
    assert "source" in refused.value.message


@pytest.mark.parametrize(
    "reference",
    [
        "", "docs/decisions/0007-storage.md", "AGENTS.md#build", "notes/secretary.md", "src/monkey.py", "keyboard.md",
        "environment.md", "docs/env.md", "src/env/index.ts", "hotkey.ts", "key.ts", "keys/README.md", "terminal.md",
        "input.md", "https://github.com/acme/app/pull/4101", ".config/skills/reviewer/references/checklist.md",
        "message:msg_01kb3v", "tokenizer.py", "pem.md", "openkeynote.md", "5f0c7e1d9b3a4c6e8f2a1b0d7c9e3f5a6b8d0e2f",
        "standards/inputs.md", "决定/存储.md",
    ],
)  # fmt: skip
def test_ordinary_references_pass(reference):
    """Whole segments and whole words count, not pieces of words."""
    assert sensitive_place(reference) is None
    check_reference(reference)


def test_a_reference_is_never_repeated():
    """A reference may hold a secret itself, so that the error shows none of it."""
    with pytest.raises(RefusedError) as refused:
        check_reference("vault/hunter-cavern-91/.env")
    assert "cavern" not in str(refused.value.to_json())
