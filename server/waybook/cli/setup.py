"""`waybook setup EDITOR`: how it attaches; with --write the addition is shown, asked about, and written."""

from __future__ import annotations

import click

from waybook.base.errors import UsageError
from waybook.cli.leaf import call, common, examples, parameters, shower
from waybook.cli.output import print_json
from waybook.commands.registry import load
from waybook.commands.setup_write import require_writable

_SHOW = load("setup.show")


def _run(*, editor: str, write: bool, yes: bool, as_json: bool, store: str) -> int:
    plan = call(_SHOW, {"editor": editor}, store=store)
    if write and as_json and not yes:
        raise UsageError("A write without a question is asked for by --yes.", code="confirm-missing", hint="Add --yes.")
    if not as_json:
        shower("setup:show")(plan)
    if not write:
        if as_json:
            print_json(plan)
        return 0
    if plan.state == "present" and not as_json:
        return 0
    require_writable(plan)
    if not yes:
        how = "Make this file" if plan.state == "new" else "Add these lines to the end of it"
        click.confirm(f"{how}?", abort=True)
    done = call(load("setup.write"), {"editor": editor, "fingerprint": plan.fingerprint}, store=store)
    if as_json:
        print_json(done)
    else:
        click.secho(f"Written: {done.file}", fg="green")
    return 0


command = click.Command(
    "setup",
    callback=_run,
    help="Print how an editor attaches to Waybook; with --write add it to the editor's configuration after asking. "
    "Nothing that is there is ever replaced.",
    epilog=examples(("waybook setup neovim", "waybook setup helix --write", "waybook setup emacs --json")),
    params=[
        *parameters(_SHOW),
        click.Option(["--write"], is_flag=True, help="Show what is added, ask, and write it."),
        click.Option(["--yes"], is_flag=True, help="With --write: do not ask."),
        *common(),
    ],
)
