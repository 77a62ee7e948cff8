"""The tab where a case's tools and inputs are replaced, and where that is tried out."""
