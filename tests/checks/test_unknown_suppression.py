"""unknown-suppression: comments that silence nothing."""

from support.markers import check_markers


def test_unknown_and_outside_codes_are_found(tmp_path):
    """A near name is offered; code blocks and other programs' comments are text."""
    found = check_markers(
        """\
-- AGENTS.md --
<!-- waybook: allow dead-pth, dead-path -->
                    ^^^^^^^^ unknown-suppression: Did you mean dead-path?
text <!-- waybook: allow-file instruction-changed -->
                              ^^^ unknown-suppression: cannot silence instruction-changed
<!-- other: allow nothing -->
`<!-- waybook: allow nothing -->`

```
<!-- waybook: allow nothing -->
```
""",
        tmp_path,
        "unknown-suppression",
    )
    assert [fix.title for fix in found[0].fixes] == ["Change to dead-path"]
