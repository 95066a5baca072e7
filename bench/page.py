"""The page about the figures, from their JSON."""

from __future__ import annotations

from typing import Any

NOTE = "<!-- Written by `bench/run.py --page` from the figures it measured. -->\n\n"


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
    texts = [
        f"{item['name']}: {item['note']}." for items in figures["benchmarks"].values() for item in items if item["note"]
    ]
    return list(dict.fromkeys([*texts, *figures.get("notes", [])]))
