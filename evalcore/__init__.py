"""Read, edit, check and show the eval sets and results of agent-testing systems.

Imports only go down these floors (``tests/test_floors.py`` enforces it):

    4  views, cli                        pandas, plotly
    3  workspace, drafts, saving         opening, editing and saving files
    2  formats                           what each system's files mean
    1  model, results                    one vocabulary for all of them
    0  errors, jsontree, jsondoc, files  standard library, and filelock when a file is written

The package imports nothing by itself, so that a command pays only for what it uses.
"""
