"""Random cases of each system, in the shape of the vectors."""
