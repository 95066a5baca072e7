"""What every table file shares: the registry of all tables, and the shapes of columns and rules."""

from __future__ import annotations

from sqlalchemy import Column, Integer, MetaData, Text

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)


def text(name: str) -> Column[str]:
    """A text column that is never NULL."""
    return Column(name, Text, nullable=False)


def bytes_between(column: str, least: int, most: int) -> str:
    """A rule: the UTF-8 length of a column, in bytes."""
    return f"length(CAST({column} AS BLOB)) BETWEEN {least} AND {most}"


def no_nul(column: str) -> str:
    """A rule: a column holds no NUL."""
    return f"instr({column}, char(0)) = 0"


def one_of(column: str, values: tuple[str, ...]) -> str:
    """A rule: a column holds one of these words."""
    return f"{column} IN ({', '.join(repr(value) for value in values)})"


def number(name: str) -> Column[int]:
    """A whole number that is never NULL."""
    return Column(name, Integer, nullable=False)
