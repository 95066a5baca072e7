"""The command line: parse, call a command, print its result. No logic lives here."""
