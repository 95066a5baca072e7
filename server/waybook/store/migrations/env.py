"""Alembic's way in: `upgrade.py` hands over an open transaction, and everything happens inside it."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
context.run_migrations()
