"""Counting tokens without a network: tiktoken is the engine, its vocabulary comes from installed data.

`Counter` loads on a background thread and answers from a cache by content digest; nothing here imports tiktoken until
a count is wanted. Until then, and where no vocabulary can be had, callers show bytes.
"""

from waybook.tokens.counter import Counter
from waybook.tokens.model import Count

__all__ = ["Count", "Counter"]
