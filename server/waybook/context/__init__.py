"""Assembling a model call: traces, goals, injection, compression, budget, audit, and who owns a message.

A library over frozen records. Nothing here sends anything, and nothing here can grant anything.
"""
