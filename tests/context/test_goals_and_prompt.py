"""The goal tree's rules and views; the system prompt; the current context; skills."""

from __future__ import annotations

import json

import pytest

from waybook.base.errors import ConflictError, NotFoundError, RefusedError, UsageError, WaybookError
from waybook.context.goals import GoalTree, advance, fold, reminder, settle, view
from waybook.context.injection import (
    Collaborator,
    Situation,
    Skill,
    context_call,
    parse_skill,
    run_hooks,
    situation_text,
    skill_call,
    skills_due,
    wants_context,
)
from waybook.context.limits import MAX_GOAL_DEPTH, MAX_GOAL_TITLE, MAX_INJECTED, MAX_SKILL, Policy
from waybook.context.model import Injected, Message, ToolCall
from waybook.context.prompt import DEFAULT, system_prompt


def do(tree: GoalTree, action: str, goal: str = "", text: str = "", under: str = "") -> GoalTree:
    return advance(tree, settle(tree, action, goal, text, under=under))


def tree() -> GoalTree:
    made = do(GoalTree(), "add", text="Read\n the code")
    made = do(made, "add", text="Write")
    made = do(made, "add", text="Header", under="1")
    made = do(made, "focus", "1.1")
    return do(made, "done", "1.1", "Two\nlines")


def test_the_two_views() -> None:
    """Compact for reminders; with what came of closed goals for a summary."""
    assert view(tree()) == "[ ] 1 Read the code\n  [x] 1.1 Header\n[ ] 2 Write"
    assert view(tree(), summaries=True).splitlines()[1:4] == ["  [x] 1.1 Header", "        Two", "        lines"]
    assert view(GoalTree()) == "No goals yet."


def test_one_goal_is_in_focus_and_the_reminder_says_which() -> None:
    """Focusing another opens the first again; a finished one leaves no focus."""
    made = do(do(tree(), "focus", "1"), "focus", "2")
    assert [goal.status for goal in made.goals.values()] == ["open", "focused", "completed"]
    assert reminder(made) == "In focus: 2 Write"
    assert "No goal is in focus" in reminder(do(made, "done", "2", "ok"))
    closed = do(do(made, "abandon", "1"), "done", "2", "ok")
    assert reminder(closed) == "No goal is open."
    assert [goal.id for goal in closed.closed] == ["1", "2", "1.1"]


@pytest.mark.parametrize(
    ("action", "goal", "text", "under", "error", "code"),
    [
        ("add", "", " ", "", UsageError, "no-title"),
        ("add", "", "x" * (MAX_GOAL_TITLE + 1), "", UsageError, "long-title"),
        ("add", "", "x\0", "", UsageError, "bad-text"),
        ("add", "", "x", "9", NotFoundError, "no-goal"),
        ("add", "", "x", "1.1", ConflictError, "goal-closed"),
        ("focus", "1.1", "", "", ConflictError, "goal-closed"),
        ("done", "2", "", "", UsageError, "no-summary"),
        ("explode", "2", "", "", UsageError, "bad-action"),
        ("focus", "7", "", "", NotFoundError, "no-goal"),
    ],
)
def test_what_a_tree_does_not_allow(
    action: str, goal: str, text: str, under: str, error: type[WaybookError], code: str
) -> None:
    """Each refusal has its code, and nothing is done."""
    with pytest.raises(error) as caught:
        settle(tree(), action, goal, text, under=under)
    assert caught.value.code == code


def test_open_goals_below_are_finished_first_and_depth_is_bounded() -> None:
    """A goal is not complete while parts of it are open."""
    made = do(do(GoalTree(), "add", text="a"), "add", text="b", under="1")
    with pytest.raises(ConflictError) as caught:
        settle(made, "done", "1", "ok")
    assert caught.value.code == "goals-open"
    under = "1.1"
    while under.count(".") < MAX_GOAL_DEPTH:
        event = settle(made, "add", text="x", under=under)
        made, under = advance(made, event), event.goal_id
    with pytest.raises(RefusedError):
        settle(made, "add", text="x", under=under)


def test_sources_of_the_system_prompt() -> None:
    """A system message given > config > preset > default; built-in skills that fit follow."""
    said = [Message(0, 0, "m", "system", "said")]
    assert system_prompt(said, config="config", preset="preset") == "said"
    assert system_prompt(config="config", preset="preset") == "config"
    assert system_prompt(config=" ", preset="preset") == "preset"
    assert system_prompt() == DEFAULT
    skills = (
        Skill("all", "", "A", builtin=True),
        Skill("asked", "", "B"),
        Skill("here", "", "C", builtin=True, presets=("review",), sites=("root",)),
        Skill("there", "", "D", builtin=True, sites=("child",)),
    )
    made = system_prompt(preset="p", skills=skills, preset_name="review", site="root")
    assert made == "p\n\n# Skills\n\n## all\n\nA\n\n## here\n\nC"


def test_the_current_context_comes_every_few_rounds() -> None:
    """Round 5, 10, ...; not where the model asked itself, not in side branches, not with 0."""
    policy = Policy(interval=5)
    read = (ToolCall("c", "read", "{}"),)
    asked = (*read, context_call("d"))
    assert [number for number in range(1, 16) if wants_context(number, read, policy)] == [5, 10, 15]
    assert not wants_context(5, asked, policy)
    assert not wants_context(5, read, policy, side_branch=True)
    assert not any(wants_context(number, read, Policy(interval=0)) for number in range(1, 20))
    assert context_call("x").synthetic


def test_what_the_current_context_says() -> None:
    """Time, goals, focus, anchor, brief, references by name, collaborators, messages, hooks."""
    text = situation_text(
        Situation(
            now="2026-01-05T10:00:00Z",
            tree=tree(),
            collaborators=(Collaborator("worker", "reading"),),
            notices=("a question from Ana",),
            anchor='{"objective":"ship"}',
            brief="version 2",
            references=("brief-1 task_brief version abc, 10 characters",),
            used="1 of 8 references",
            added=("hooked", ""),
        )
    )
    for expected in ("2026-01-05", "1.1 Header", "No goal is in focus", "ship", "version 2", "brief-1", "1 of 8",
                     "worker: reading", "a question from Ana", "hooked"):  # fmt: skip
        assert expected in text
    assert text.count("ship") == 1


def test_a_hook_that_fails_costs_its_own_text_only() -> None:
    """The call goes on, and the model is told."""

    def broken() -> str:
        raise OSError("no")

    assert run_hooks([lambda: "fine", broken, lambda: "x" * (MAX_INJECTED + 1)])[0] == "fine"
    assert "OSError" in run_hooks([broken])[0]
    assert "at most" in run_hooks([lambda: "x" * (MAX_INJECTED + 1)])[0]


def test_skills_are_given_again_when_they_are_gone_or_far() -> None:
    """Counted in the list that is sent, by the id of the message."""
    path = [Message(n, n - 1, f"m{n}", "user", "x") for n in range(1, 21)]
    given = {"ask": Injected("m15", 15)}
    assert skills_due(path, given, ["ask"], 10) == ()
    assert skills_due(path, given, ["ask"], 5) == ("ask",)
    assert skills_due(path[:10], given, ["ask"], 10) == ("ask",)
    assert skills_due(path, {}, ["ask", "ask", "b"], 10) == ("ask", "b")
    assert skills_due(path, given, ["ask"], 0) == ("ask",)
    assert json.loads(skill_call("c", "é").arguments) == {"name": "é"}


def test_skill_files() -> None:
    """Markdown with front matter; without it the name is the file's."""
    text = "---\nname: ask\ndescription: How to ask\nbuiltin: true\npresets: [a, b]\nsites: root\n---\n\nBody\n"
    assert parse_skill("x", text) == Skill(
        "ask", "How to ask", "Body", builtin=True, presets=("a", "b"), sites=("root",)
    )
    assert parse_skill("x", "Just text") == Skill("x", "", "Just text")
    assert parse_skill("x", "---\nnot closed").text == "---\nnot closed"
    with pytest.raises(UsageError):
        parse_skill("x", "---\n: [\n---\n")
    with pytest.raises(UsageError):
        parse_skill("x", "y" * (MAX_SKILL + 1))


def test_folding_is_advancing() -> None:
    """The tree from the events is the tree that grew."""
    made, events = GoalTree(), []
    for action, goal, text in (("add", "", "a"), ("add", "", "b"), ("focus", "2", ""), ("done", "2", "ok")):
        events.append(settle(made, action, goal, text))
        made = advance(made, events[-1])
    assert fold(events) == made
