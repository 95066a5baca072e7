"""Pins are kept word for word, within limits, by a person."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sessions.world import AGENT, OPERATOR, World
from store.helpers import DRIVERS, open_store, use_driver
from support.fakes import expand
from waybook.base.errors import ConflictError, NotFoundError, RefusedError, UsageError
from waybook.pins.model import MAX_CHARACTERS, MAX_PINS, MAX_TOTAL

TESTS = Path(__file__).parents[1]
TOKEN = expand("${FAKE_GITHUB}")
VERBATIM = [
    "plain",
    " spaces around \t",
    "a\r\nb\r\n",
    "lone\rcarriage\rreturn",
    "\n\nblank lines\n\n",
    "🎉 emoji 👩‍👩‍👧",
    "e\u0301 is not é",
    "\ufeffwith a mark",
    "x \u2028 \u2029 \x0b \x0c \x85",
    "\x1b[31m control",
    "<b>&amp;</b> \\n %s {0}",
    "固定要求：不要改动生成的文件",
]


@pytest.mark.parametrize("text", VERBATIM)
def test_a_pin_comes_back_byte_for_byte(world: World, text: str) -> None:
    """Whatever line ends, spaces and characters; when added, and when edited."""
    thread = world.thread()
    added = world.pins.add(thread, text, OPERATOR)
    assert added.pin.text == text
    world.pins.edit(world.pins.add(thread, "other", OPERATOR).pin.id, 1, text, OPERATOR)
    assert [pin.text.encode() for pin in world.pins.required_pins(thread)] == [text.encode()] * 2


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=80, deadline=None)
@given(text=st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=400))
def test_any_text_comes_back(world: World, text: str) -> None:
    """For every Unicode text that says anything."""
    if not text.strip():
        return
    thread = world.thread()
    world.pins.add(thread, text, OPERATOR)
    (pin,) = world.pins.required_pins(thread)
    assert (pin.text, pin.characters) == (text, len(text))


def test_order_versions_and_sums(world: World) -> None:
    """In the order they were added; versions grow by one; the answer says what the limits have left."""
    thread = world.thread()
    first, second = world.pins.add(thread, "one", OPERATOR), world.pins.add(thread, "four", OPERATOR)
    assert (second.pins, second.characters) == (2, 7)
    edited = world.pins.edit(first.pin.id, 1, "eleven", OPERATOR)
    assert (edited.pin.version, edited.pin.position, edited.characters) == (2, 1, 10)
    listed = world.pins.list(thread)
    assert [pin.text for pin in listed.pins] == ["eleven", "four"]
    assert (listed.characters, listed.max_pins, listed.max_characters) == (10, 32, 32768)
    removed = world.pins.remove(first.pin.id, 2, OPERATOR)
    assert (removed.version, removed.recoverable, removed.erasure) == (2, False, "done")
    third = world.pins.add(thread, "five", OPERATOR)
    assert [pin.id for pin in world.pins.required_pins(thread)] == [second.pin.id, third.pin.id]
    assert not third.pin.capability_grant
    assert world.threads.show(thread)[0].pins == 2


def test_a_mismatch_is_a_conflict(world: World) -> None:
    """It shows the current version, and nothing changes."""
    pin = world.pins.add(world.thread(), "one", OPERATOR).pin
    for act in (lambda: world.pins.edit(pin.id, 2, "x", OPERATOR), lambda: world.pins.remove(pin.id, 0, OPERATOR)):
        with pytest.raises(ConflictError) as caught:
            act()
        assert caught.value.details["current_version"] == 1
    assert world.pins.required_pins(pin.thread_id) == (pin,)
    for act in (lambda: world.pins.edit("pin_x", 1, "x", OPERATOR), lambda: world.pins.remove("pin_x", 1, OPERATOR)):
        with pytest.raises(NotFoundError):
            act()


def test_successors_keep_them_and_other_threads_do_not(world: World) -> None:
    """Every run of the thread has them, also one created later; a new thread starts without."""
    thread, other = world.thread(), world.thread()
    first = world.run(thread).id
    pin = world.pins.add(thread, "Never touch generated files", OPERATOR).pin
    second = world.run(thread).id
    assert world.pins.required_pins_of_run(first) == world.pins.required_pins_of_run(second) == (pin,)
    assert world.pins.required_pins(other) == ()
    assert world.pins.required_pins_of_run(world.run(other).id) == ()
    assert world.pins.required_pins_of_run(world.run().id) == ()
    with pytest.raises(NotFoundError):
        world.pins.required_pins("thr_x")


def test_32_pins(world: World) -> None:
    """One more is refused with the limit; after a removal there is room again."""
    thread = world.thread()
    pins = [world.pins.add(thread, f"pin {number}", OPERATOR).pin for number in range(MAX_PINS)]
    with pytest.raises(RefusedError) as caught:
        world.pins.add(thread, "one more", OPERATOR)
    assert (caught.value.code, caught.value.limit) == ("too-many-pins", 32)
    world.pins.remove(pins[0].id, 1, OPERATOR)
    assert world.pins.add(thread, "one more", OPERATOR).pins == 32
    assert world.pins.add(world.thread(), "elsewhere", OPERATOR).pins == 1


def test_8192_characters_each(world: World) -> None:
    """Characters, not bytes: the same number of emoji fits."""
    thread = world.thread()
    pin = world.pins.add(thread, "🎉" * MAX_CHARACTERS, OPERATOR).pin
    for act in (
        lambda: world.pins.add(thread, "x" * (MAX_CHARACTERS + 1), OPERATOR),
        lambda: world.pins.edit(pin.id, 1, "x" * (MAX_CHARACTERS + 1), OPERATOR),
    ):
        with pytest.raises(RefusedError) as caught:
            act()
        assert (caught.value.code, caught.value.limit) == ("pin-too-long", 8192)


def test_32768_characters_in_all(world: World) -> None:
    """Exactly full is fine; one character more is refused, when adding and when editing; the rest is said."""
    thread = world.thread()
    for _ in range(3):
        world.pins.add(thread, "x" * MAX_CHARACTERS, OPERATOR)
    last = world.pins.add(thread, "x" * (MAX_CHARACTERS - 1), OPERATOR)
    assert last.characters == MAX_TOTAL - 1
    with pytest.raises(RefusedError) as caught:
        world.pins.add(thread, "ab", OPERATOR)
    assert (caught.value.code, caught.value.limit) == ("pins-too-long", 32768)
    assert "room for 1 characters more" in caught.value.message
    full = world.pins.add(thread, "a", OPERATOR)
    assert full.characters == MAX_TOTAL
    with pytest.raises(RefusedError):
        world.pins.edit(full.pin.id, 1, "ab", OPERATOR)
    assert world.pins.edit(last.pin.id, 1, "y" * (MAX_CHARACTERS - 1), OPERATOR).characters == MAX_TOTAL


@pytest.mark.parametrize("text", ["", " \r\n\t", "a\0b", "a\ud800"])
def test_what_is_no_text(world: World, text: str) -> None:
    """Nothing, NUL, and what is no Unicode."""
    with pytest.raises(UsageError):
        world.pins.add(world.thread(), text, OPERATOR)


def test_secrets_are_refused_and_not_repeated(world: World) -> None:
    """With rule and position; there is no redaction, since a pin is verbatim."""
    thread = world.thread()
    pin = world.pins.add(thread, "one", OPERATOR).pin
    for act in (
        lambda: world.pins.add(thread, f"use\n  {TOKEN}", OPERATOR),
        lambda: world.pins.edit(pin.id, 1, f"use\n  {TOKEN}", OPERATOR),
    ):
        with pytest.raises(RefusedError) as caught:
            act()
        assert caught.value.code == "secret-found"
        assert "line 2, column 3" in caught.value.message
        assert TOKEN not in str(caught.value.to_json())
        assert "redacted" in str(caught.value.hint)
    assert world.pins.required_pins(thread) == (pin,)


def test_only_a_person_writes(world: World) -> None:
    """An agent may propose, and nothing else."""
    thread = world.thread()
    pin = world.pins.add(thread, "one", OPERATOR).pin
    for act in (
        lambda: world.pins.add(thread, "x", AGENT),
        lambda: world.pins.edit(pin.id, 1, "x", AGENT),
        lambda: world.pins.remove(pin.id, 1, AGENT),
    ):
        with pytest.raises(RefusedError) as caught:
            act()
        assert caught.value.code == "operator-required"


def test_a_closed_thread_takes_none(world: World) -> None:
    """It keeps what it has, to be read or removed."""
    thread = world.thread()
    pin = world.pins.add(thread, "one", OPERATOR).pin
    world.threads.close(thread, 1, OPERATOR)
    for act in (lambda: world.pins.add(thread, "x", OPERATOR), lambda: world.pins.edit(pin.id, 1, "x", OPERATOR)):
        with pytest.raises(ConflictError) as caught:
            act()
        assert caught.value.code == "thread-closed"
    assert world.pins.required_pins(thread) == (pin,)
    world.pins.remove(pin.id, 1, OPERATOR)
    assert world.pins.required_pins(thread) == ()


EDIT = """
import sys, importlib
sys.path.insert(0, sys.argv[1])
from store.helpers import OPERATOR, Counted, open_store
from waybook.base.errors import ConflictError, RefusedError
from waybook.pins.service import PinService
from waybook.store import engine
module = importlib.import_module(sys.argv[2])
engine.load_driver = lambda: module
number = int(sys.argv[4])
store = open_store(sys.argv[3], ids=Counted(number * 1000))
pins = PinService(store)
thread, pin = sys.argv[5:7]
sys.stdin.readline()
edits = added = 0
for step in range(15):
    current = next(item for item in pins.required_pins(thread) if item.id == pin)
    try:
        pins.edit(pin, current.version, f"{number} {step}", OPERATOR)
        edits += 1
    except ConflictError as error:
        assert error.code == "version-conflict", error.code
    try:
        pins.add(thread, f"of {number}: {step}", OPERATOR)
        added += 1
    except RefusedError as error:
        assert error.code == "too-many-pins", error.code
print(edits, added)
store.close()
"""


@pytest.mark.parametrize("driver", DRIVERS)
def test_processes_that_write_at_once(tmp_path: Path, driver: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No edit that was acknowledged is lost, the others are conflicts, and together they fill exactly 32 pins."""
    use_driver(driver, monkeypatch)
    path = str(tmp_path / "x.db")
    world = World(open_store(path))
    thread = world.thread()
    pin = world.pins.add(thread, "start", OPERATOR).pin
    world.store.close()
    programs = [
        subprocess.Popen(
            [sys.executable, "-c", EDIT, str(TESTS), driver, path, str(number), thread, pin.id],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for number in range(1, 4)
    ]
    for program in programs:
        assert program.stdin is not None
        program.stdin.write("go\n")
        program.stdin.flush()
    said = [program.communicate(timeout=100)[0].split() for program in programs]
    world = World(open_store(path))
    kept = world.pins.required_pins(thread)
    assert kept[0].version == 1 + sum(int(edits) for edits, _ in said)
    assert len(kept) == 1 + sum(int(added) for _, added in said) == MAX_PINS
    world.store.close()
