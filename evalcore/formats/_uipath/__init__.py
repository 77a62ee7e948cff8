"""What UiPath's two evaluation systems share; their files lie side by side and name each other."""
