"""secret-in-instructions: the place is marked, the message never holds the secret."""

from support.fakes import FAKES
from support.markers import check_markers


def test_secrets_are_found_and_placeholders_are_not(tmp_path):
    """Lines end at LF only: form feeds and other separators move nothing."""
    found = check_markers(
        """\
-- AGENTS.md --
# A{U+000C}B
note same line{U+2028}same line{U+0085}
key ${FAKE_GITHUB}
    ^^^ secret-in-instructions: looks like a secret
Set `$GITHUB_TOKEN` to <your-token>; export API_KEY=your-key-here; commit 3f786850e387550fdab836ed7e6dc881de23001b.
""",
        tmp_path,
        "secret-in-instructions",
    )
    assert not any(FAKES["FAKE_GITHUB"] in str(item) for item in found)
    assert found[0].fixes[0].edits[0].new_text.startswith("<")
    assert not found[0].fixes[0].preferred
