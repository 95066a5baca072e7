"""A small runner: it proves the library end to end and shows how to embed it. It is no product agent.

It offers the model tools that read and plan; none of them changes a file or runs a program.
"""
