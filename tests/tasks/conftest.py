"""A desk on each driver."""

from support.context_desk import desk

__all__ = ["desk"]
