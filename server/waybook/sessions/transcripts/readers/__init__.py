"""One file for each agent's format. `catalog.py` lists them."""
