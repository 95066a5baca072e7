"""The page about the figures, from their JSON."""

from __future__ import annotations

from typing import Any

NOTE = "<!-- Written by `bench/run.py --page` from the figures it measured. -->\n\n"


REASONS = {
    ("explain, warm", "the same opens and reads, one SHA-256"): (
        "The bare opens and reads take 48 µs and all the system calls of an explanation 95 µs: the rest are looks at names"
        " (the candidates of each directory of the chain, before and after every read, upper against lower case), which"
        " the profile demands. Against all of its calls the ratio is the next row's."
    ),
    ("waybook check, nothing kept", "agnix validate"): (
        "The other one is a compiled program that works on all processors at once (1.7 s of processor time); Waybook works"
        " on one, in Python. Of 2.2 s that a run takes within the process, 0.37 s look for paths that lead nowhere, 0.35 s"
        " for repeated rules (together 0.33 s of that is the Markdown of 132 files that may hold a flaw), 0.34 s for secrets,"
        " 0.37 s ask what the agents in use load, 0.21 s discover the scopes, 0.18 s compare rules, 0.16 s walk and read."
        " A second process for a share of the files was tried: findings the same, 8 % more processor time, and 0.95 of the"
        " time in two pairs on this busy machine, too little to keep it. On a machine with more"
        " work than processors, as here, a program of several threads also gets more turns: with half that work the ratio was"
        " 1.59 (and 2.7 s of processor time instead of 2.5). The aim would need less than 0.7 s on two idle"
        " processors: the checks' scans in native code."
    ),
    ("language server, start to first findings", "bare pygls server"): (
        "In processor time the ratio is 1.19 (407 ms against 343 ms, medians of 9 starts); under load each further file that"
        " is read costs a turn of its own. Of the difference 26 ms were the command line's library; a start of the server no"
        " longer loads it, which this figure does not show yet."
    ),
}
"""Why an aim is not reached, by what and against what: only what was measured."""
_UNKNOWN = "Where the time goes has not been measured yet."


def page(figures: dict[str, Any]) -> str:
    machine = figures["machine"]
    packages = ", ".join(f"{name} {version}" for name, version in machine["versions"].items())
    rows = "\n".join(_row(item) for items in figures["benchmarks"].values() for item in items)
    notes = "\n".join(f"- {text}" for text in _notes(figures))
    return (
        f"{NOTE}# Benchmarks\n\n"
        "Each row is a ratio: Waybook's figure divided by the other one's, measured in one run with both sides taking turns, so\n"
        "that a machine that slows down slows both (it was busy with other work: single times say little). The ratio is the median of the pairs, the spread its quartiles; smaller is\n"
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
        f"{item['name']}, against {item['against']}: not met. {REASONS.get((item['name'], item['against']), _UNKNOWN)}"
        for item in missed
    ]
    texts = [f"{item['name']}: {item['note']}." for item in items if item["note"]]
    return list(dict.fromkeys([*reasons, *texts]))
