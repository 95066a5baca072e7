"""The database: where it lies, how it opens, its tables and migrations. Nothing heavy is imported from here."""
