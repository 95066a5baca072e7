"""The product's verbs: one file per operation; `registry.py` lists them; every face offers the same list."""
