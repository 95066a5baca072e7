"""Interleaved measurements: the two sides take turns in one run, so that a machine that slows down slows both."""

from __future__ import annotations

import gc
import os
import statistics
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

Side = Callable[[], float]
"""Does the work once; answers the seconds it took."""


@dataclass(frozen=True)
class Ratio:
    """What one comparison showed. `reach`: the ratio aimed at, None where none is; `ours`, `theirs`: median seconds."""

    name: str
    against: str
    ratio: float
    low: float
    high: float
    ours: float
    theirs: float
    runs: int
    reach: float | None = None
    note: str = ""
    unit: str = "s"

    @property
    def met(self) -> bool | None:
        """Whether the aim is reached; None without one."""
        return None if self.reach is None else self.ratio <= self.reach


def compare(  # noqa: PLR0913 -- a comparison is these things
    name: str,
    against: str,
    ours: Side,
    theirs: Side,
    *,
    runs: int,
    reach: float | None = None,
    note: str = "",
    warmups: int = 1,
) -> Ratio:
    """Run both in turn (`warmups` rounds uncounted): the median of the pairwise ratios, and its quartiles."""
    for _ in range(warmups):
        ours()
        theirs()
    pairs = []
    for at in range(runs):
        gc.collect(1)
        if at % 2:
            right, left = theirs(), ours()
        else:
            left, right = ours(), theirs()
        pairs.append((left, right))
    ratios = [left / right for left, right in pairs]
    low, ratio, high = statistics.quantiles(ratios, n=4, method="inclusive")
    return Ratio(
        name,
        against,
        ratio,
        low,
        high,
        statistics.median(left for left, _ in pairs),
        statistics.median(right for _, right in pairs),
        runs,
        reach,
        note,
    )


def repeated(call: Callable[[], object], times: int) -> Side:
    """A side that calls a function several times and answers the mean, in processor seconds (nothing here waits)."""

    def side() -> float:
        started = time.process_time()
        for _ in range(times):
            call()
        return (time.process_time() - started) / times

    return side


def process(command: Sequence[str], *, codes: Sequence[int] = (0,), environ: dict[str, str] | None = None) -> Side:
    """A side that runs a program to its end, its output thrown away; a program that fails stops the benchmark."""
    environment = {**os.environ, "NO_COLOR": "1", **(environ or {})}

    def side() -> float:
        started = time.perf_counter()
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment, check=False)
        took = time.perf_counter() - started
        if done.returncode not in codes:
            raise SystemExit(f"{' '.join(command)} ended with {done.returncode}: {done.stderr.decode()[-400:]}")
        return took

    return side


def peak_kilobytes(command: Sequence[str], codes: Sequence[int] = (0,)) -> int:
    """The largest resident size of a program, in KiB (as Linux counts it)."""
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    if os.waitstatus_to_exitcode(status) not in codes:
        raise SystemExit(f"{' '.join(command)} ended with {os.waitstatus_to_exitcode(status)}")
    return usage.ru_maxrss


def quantile(values: Sequence[float], share: float) -> float:
    """The value below which this share of the values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
