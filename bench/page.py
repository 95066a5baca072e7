"""The page about the figures, from their JSON."""

from __future__ import annotations

from typing import Any

NOTE = "<!-- Written by `bench/run.py --page` from the figures it measured. -->\n\n"


REASONS = {
    ("explain, warm", "the same opens and reads, one SHA-256"): (
        "Half of what an explanation asks of the system are looks at names: six candidates in each directory of the chain,"
        " a look before and after every read, and whether the directory tells upper from lower case. Against all of its"
        " calls the ratio is the next row's."
    ),
    ("waybook check, nothing kept", "agnix validate"): (
        "The other one is a compiled program that works on all processors at once. Waybook works on one, in Python: most"
        " goes to parsing the Markdown of the few files that may hold a flaw, to the search for secrets, and to what each"
        " agent in use would load."
    ),
    ("language server, start to first findings", "bare pygls server"): (
        "The settings, the chain of the open file and every check lie between; how near the aim is depends on the machine."
    ),
    ("language server, from a change to its findings, p99", "bare pygls echo server"): (
        "As for the median; the slowest changes also met the look at the whole workspace in the background."
    ),
    ("language server, from a change to its findings, p50", "bare pygls echo server"): (
        "All checks of the changed document lie between, which take about a millisecond; the echo server answers at once."
    ),
    ("language server, hover, p50", "bare pygls echo server"): (
        "The answer names every file of the chain with its tokens; a worker thread makes it, so that a slow one keeps nothing else waiting."
    ),
}
"""Why an aim is not reached, by what and against what."""


def page(figures: dict[str, Any]) -> str:
    machine = figures["machine"]
    packages = ", ".join(f"{name} {version}" for name, version in machine["versions"].items())
    rows = "\n".join(_row(item) for items in figures["benchmarks"].values() for item in items)
    notes = "\n".join(f"- {text}" for text in _notes(figures))
    return (
        f"{NOTE}# Benchmarks\n\n"
        "Each row is a ratio: Waybook's figure divided by the other one's, measured in one run with both sides taking turns, so\n"
        "that a machine that slows down slows both. The ratio is the median of the pairs, the spread its quartiles; smaller is\n"
        "better. `make bench` measures again; the trees are generated and always the same.\n\n"
        f"Measured on {machine['when']}: {machine['system']}, {machine['processors']} processors, Python {machine['python']};\n{packages}.\n\n"
        "| What | Against | Ratio | Spread | Aim | Waybook | The other |\n| --- | --- | --- | --- | --- | --- | --- |\n"
        f"{rows}\n\n{notes}\n"
    )


def _row(item: dict[str, Any]) -> str:
    spread = f"{item['low']:.2f} to {item['high']:.2f}" if item["low"] != item["high"] else ""
    reach = item["reach"]
    aim = "" if reach is None else f"{reach:g}, {'met' if item['ratio'] <= reach else 'not met'}"
    ours, theirs = (_amount(item[side], item["unit"]) for side in ("ours", "theirs"))
    return f"| {item['name']} | {item['against']} | {item['ratio']:.2f} | {spread} | {aim} | {ours} | {theirs} |"


def _amount(value: float, unit: str) -> str:
    if unit == "MiB":
        return f"{value:.0f} MiB"
    if value < 0.001:
        return f"{value * 1_000_000:.0f} µs"
    return f"{value * 1000:.1f} ms" if value < 0.1 else f"{value * 1000:.0f} ms"


def _notes(figures: dict[str, Any]) -> list[str]:
    items = [item for found in figures["benchmarks"].values() for item in found]
    missed = [item for item in items if item["reach"] is not None and item["ratio"] > item["reach"]]
    reasons = [
        f"{item['name']}, against {item['against']}: not met. {reason}"
        for item in missed
        if (reason := REASONS.get((item["name"], item["against"])))
    ]
    texts = [f"{item['name']}: {item['note']}." for item in items if item["note"]]
    return list(dict.fromkeys([*reasons, *texts]))
