"""Recall: a run finds and reads back what its thread, its workspace's memory and its person's memory hold."""
