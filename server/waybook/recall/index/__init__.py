"""The full-text index over imported sessions: a file of its own that can be made anew at any time, and never decides.

It only says where to look: every place it names is read from the database and compared before it is shown.
"""
