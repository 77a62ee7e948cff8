"""Run the ``evaldesk`` command as ``python -m evalcore.cli``."""

from evalcore.cli import main

raise SystemExit(main())
