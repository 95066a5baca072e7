"""Contracts of recursive tasks: an anchor that does not drift, briefs, references handed on by hand, validation.

Nothing here runs a model; `runner/` is the small program that shows how one is driven.
"""
