"""What the pages show, computed without Streamlit: rows, forms, differences, words."""
