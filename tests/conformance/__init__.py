"""Our scores beside those that the systems' own packages gave, case by case."""
