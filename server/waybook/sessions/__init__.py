"""Missions and runs: what an agent is to do in a workspace, and each execution with its pinned instructions."""
