"""The parts of the Import page, and the dialog that exports a set."""
