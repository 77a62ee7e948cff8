"""The dialog that converts a set into another format."""
