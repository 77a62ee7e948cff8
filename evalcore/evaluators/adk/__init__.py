"""The checks of Google ADK and Harnest."""
