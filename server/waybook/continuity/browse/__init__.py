"""Looking at nodes: the tree with its projections and marks, and two nodes side by side."""
