"""A conversation as a document: `markdown.py` and `html.py`, on the same words."""
