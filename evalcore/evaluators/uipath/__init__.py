"""The checks of UiPath's coded and low-code agents."""
