"""The pages of the desk; ``_shell.py`` is the script that Streamlit runs."""
