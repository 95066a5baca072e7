"""What has ended: runs moving between states, and the completions that are recorded when something is done."""
