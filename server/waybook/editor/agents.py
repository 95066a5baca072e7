"""What the agents in use do with a file, in the words of hovers and lenses. Nothing where no agent is in use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.editor.wording import listed, number, scope_name

if TYPE_CHECKING:
    from waybook.agents.model import Loading
    from waybook.analysis.loading import Verdict
    from waybook.analysis.view import View


def agent_lines(view: View, path: str) -> list[str]:
    """About an instruction file: how many agents load it, which, when and how much; and why the others do not."""
    verdicts = view.agents.verdicts(path) if view.agents.ids else ()
    if not verdicts:
        return []
    loading = [verdict for verdict in verdicts if _loads(verdict)]
    head = f"**{len(loading)} of {len(verdicts)} agents** {'loads' if len(loading) == 1 else 'load'} this"
    lines = ["", f"{head}{': ' if loading else '.'}{', '.join(_how(verdict) for verdict in loading)}", ""]
    reasons: dict[str, list[str]] = {}
    for verdict in verdicts:
        if not _loads(verdict):
            why = getattr(verdict.item, "why", "") or "It does not read files of this name."
            reasons.setdefault(why.replace(verdict.agent.name, "it"), []).append(verdict.agent.name)
    lines += [f"- not by {', '.join(names)}: {_continued(why)}" for why, names in reasons.items()]
    return [*lines, ""]


def agent_count(view: View, path: str) -> str:
    """`3 of 5 agents`, or nothing."""
    verdicts = view.agents.verdicts(path) if view.agents.ids else ()
    return f"{sum(map(_loads, verdicts))} of {len(verdicts)} agents" if verdicts else ""


def chains_lines(view: View, path: str) -> list[str]:
    """About any other file: what each agent loads when it works on it, in its order."""
    if not view.agents.ids:
        return []
    from waybook.agents import profile

    told = (f"- {profile(loading.agent).name}: {_chain(loading)}" for loading in view.agents.towards(path))
    return ["", "By agent, started in the root:", "", *told]


def _continued(sentence: str) -> str:
    """A sentence after a colon; a name in capitals stays."""
    return sentence if sentence[1:2].isupper() else sentence[:1].lower() + sentence[1:]


def _chain(loading: Loading) -> str:
    if not loading.chain:
        return "nothing"
    cut = [item for item in loading.chain if item.cut_at is not None]
    marks = [f"`{item.path}` is cut at {number(item.cut_at or 0)} bytes" for item in cut]
    return "; ".join([listed(item.path for item in loading.chain), f"{number(loading.bytes)} bytes", *marks])


def _loads(verdict: Verdict) -> bool:
    return verdict.arrives or verdict.state == "listed"


def _how(verdict: Verdict) -> str:
    """`Codex (started in `pkg/`)`."""
    words = {
        "lazy": "when a file there is read or edited",
        "listed": "only its path",
        "conditional": "for matching files",
        "cut": f"cut at {number(getattr(verdict.item, 'cut_at', 0) or 0)} bytes",
    }
    marks = [words[verdict.state]] if verdict.state in words else []
    if verdict.started:
        marks.append(f"started in {scope_name(verdict.started)}")
    return f"{verdict.agent.name} ({', '.join(marks)})" if marks else verdict.agent.name
