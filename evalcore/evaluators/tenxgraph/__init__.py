"""The checks of 10xGraph."""
