"""The only reader of the wall clock; everything else is handed a `Clock`."""

from __future__ import annotations

from datetime import UTC, datetime
from time import time_ns
from typing import Protocol


class Clock(Protocol):
    """Tells the time; tests hand in one that stands still."""

    def now(self) -> datetime:
        """The current time, aware, in UTC."""
        ...


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """The current time in UTC."""
        return datetime.now(UTC)  # noqa: TID251 - the one place that may


def timestamp(moment: datetime) -> str:
    """RFC 3339 in UTC with microseconds and `Z`: sorts as text, the form of every time Waybook stores or prints."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def file_clock_ns() -> int:
    """Nanoseconds since 1970 of the clock that file systems stamp with; never injected, since the stamps are not."""
    return time_ns()
