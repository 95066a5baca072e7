"""What a checkpoint takes in: recent messages, the latest summary, memory references, configuration, Git identity."""
