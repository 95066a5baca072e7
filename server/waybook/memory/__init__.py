"""Long-term memory: what an operator, never a model, decides to keep about oneself or about a project."""
