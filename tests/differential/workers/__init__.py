"""Scripts that run in the environments of the packages; they import nothing of this project."""
