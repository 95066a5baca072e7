"""Frozen records and their JSON form.

Records are standard frozen dataclasses, so that the commands people wait for import no validation library; pydantic
reads the very same classes (`TypeAdapter(Params)`) wherever outside input has to be validated.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from pathlib import PurePath
from typing import Any

from waybook.base.clock import timestamp


def to_json(value: Any) -> Any:
    """Plain JSON data for a record: fields in declaration order, tuples as lists, times as text.

    A class with a `to_json` method of its own is asked instead. Raises `TypeError` for anything without a JSON form.
    """
    if value is None or (isinstance(value, str | int | float | bool) and not isinstance(value, Enum)):
        return value
    own = getattr(value, "to_json", None)
    if own is not None:
        return own()
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: to_json(getattr(value, field.name)) for field in fields(value)}
    return _container_to_json(value)


def _container_to_json(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): to_json(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [to_json(item) for item in value]
    if isinstance(value, frozenset | set):
        return sorted(to_json(item) for item in value)
    if isinstance(value, datetime):
        return timestamp(value)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, PurePath):
        return str(value)
    msg = f"{type(value).__name__} has no JSON form"
    raise TypeError(msg)
