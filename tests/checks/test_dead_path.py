"""dead-path: paths that lead nowhere, and all that only looks like one."""

from support.markers import check_markers
from waybook.analysis.findings import TextEdit

TREE = """\
-- src/config/load.ts --
-- src/app.ts --
-- docs/guide.md --
-- packages/web/src/main.ts --
-- packages/web/styles/base.css --
-- application/models/user.py --
"""


def test_dead_links_and_code_spans_are_found(tmp_path):
    """A path counts when it is a link's target, or a code span that begins at a directory that is here."""
    check_markers(
        TREE
        + """\
-- AGENTS.md --
# Layout `src/nothing.ts`
          ^^^^^^^^^^^^^^ dead-path: src/nothing.ts
Read [the guide](docs/guide.md#start) and [setup](docs/setup.md).
                                                  ^^^^^^^^^^^^^ dead-path: docs/setup.md
- Entry: `src/app.ts`, helpers in `src/helpers/strings.ts:12`
                                   ^^^ dead-path: src/helpers/strings.ts
- `src/legacyless/` holds nothing
   ^^^ dead-path: src/legacyless/

| File | Use |
| --- | --- |
| `src/app.ts` | start |
| `docs/api.md` | API |
   ^^^ dead-path: docs/api.md
""",
        tmp_path,
        "dead-path",
    )


def test_what_only_looks_like_a_path_is_left_alone(tmp_path):
    """Globs, placeholders, URLs, routes, packages, media types, branches, commands, options and code blocks are no paths."""
    check_markers(
        TREE
        + """\
-- AGENTS.md --
Globs `src/**/*.test.ts`, `src/*.py`, `docs/{a,b}.md`; placeholders `src/<name>.ts`, `src/{id}.ts`, `docs/path/to/x.md`,
`src/foo.ts`, `src/my-feature/index.ts`, `src/.../deep.ts`; URLs `https://example.com/src/a.ts`, <https://x.dev/src/b.ts>;
routes `/api/users.json`, `GET /src/x.json`; packages `@scope/pkg`, `lodash/fp.js`; types `application/json`, `text/x.html`;
branches `feature/login`, `origin/main`; commands `cat src/none.ts`; options `--out=src/none.ts`; and/or, `read/write`.
Links [a](https://x.dev/a.md), [b](#top), [c](mailto:x@example.com), [d](/docs/none.md), [e](./relative), [f](<{url}/x.md>).
Bare words such as src/none.ts are text, `src/app.js` is the TypeScript source's name.
Nested `styles/base.css` and `src/main.ts` exist in a package. Escaped \\`src/none.ts\\` too.

```text
src/none.ts
`src/none.ts`
```

    src/none.ts
""",
        tmp_path,
        "dead-path",
    )


def test_made_and_changing_files_are_left_alone(tmp_path):
    """What builds make, local files, and files a sentence tells to make, move or remove need not exist."""
    check_markers(
        TREE
        + """\
-- AGENTS.md --
Output goes to `src/dist/main.js`, `src/build/`, `src/.cache/x.json`, `src/node_modules/a/index.js`.
Secrets live in `src/.env.local`; `src/settings.local.json` is yours; `src/debug.log` too; `src/.state/run/`.

Create a module like `src/billing/charge.ts` first.

Migrations were moved from `src/database/old.ts`.

在 `src/新建.ts` 或者新建 `src/created.ts`。

Never edit `src/generated/types.ts`.
""",
        tmp_path,
        "dead-path",
    )


def test_paths_are_tried_from_every_directory_above(tmp_path):
    """A nested file may name paths from its own directory, from the root, or from between."""
    check_markers(
        TREE
        + """\
-- packages/web/AGENTS.md --
`src/main.ts`, `web/src/main.ts`, `packages/web/src/main.ts`, `docs/guide.md`, [root](docs/guide.md), [up](../../docs/guide.md)
`src/other.ts` and [gone](../gone.md)
 ^^^ dead-path: src/other.ts
                          ^^^ dead-path: ../gone.md
""",
        tmp_path,
        "dead-path",
    )


def test_the_fix_follows_a_moved_file(tmp_path):
    """Exactly one file of that name elsewhere, or the same path in another case, is offered."""
    first, second = check_markers(
        """\
-- src/settings/load-config.ts --
-- docs/Setup.md --
-- AGENTS.md --
`src/config/load-config.ts` and [x](docs/setup.md)
 ^^^ dead-path: src/settings/load-config.ts is
                                    ^^^ dead-path: docs/Setup.md is
""",
        tmp_path,
        "dead-path",
    )
    assert [edit.new_text for edit in first.fixes[0].edits if isinstance(edit, TextEdit)] == [
        "src/settings/load-config.ts"
    ]
    assert [edit.new_text for edit in second.fixes[0].edits if isinstance(edit, TextEdit)] == ["docs/Setup.md"]


def test_the_steps_of_a_guide_may_name_what_they_make(tmp_path):
    """The file that the first step creates is not missing in the third; an empty directory may be a submodule."""
    (tmp_path / "src" / "engine").mkdir(parents=True)
    check_markers(
        TREE
        + """\
-- AGENTS.md --
1. Create `src/tools/weather.ts`.
2. Register it in `src/app.ts`.
3. Run `docs/tools/weather.test.ts`.

The engine starts in `src/engine/core/start.cc`.

## Examples

See `docs/tutorial.md`.
""",
        tmp_path,
        "dead-path",
    )
